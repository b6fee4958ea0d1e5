// Relative weights of classes, from class weights or costs. A row of class k that counts once then weighs factors[k],
// so the weight of a node no longer says how many rows it has. Minimum sizes and pessimistic errors use the effective
// number of rows instead, (sum of w)^2 / (sum of w^2) over the rows (Kish 1965). All rows of a class have the same
// factor, so the class weights of a node are enough to compute it, and shares of rows with missing values are covered.
#pragma once

#include <span>
#include <vector>

#include "criteria/tolerance.hpp"

namespace weaklearn::criteria {

struct ClassFactors {
  std::vector<double> factors;  // per class: the weight of a row that counts once; empty if all are 1
  // n_classes x n_classes: what predicting class j for a row of class k costs at k * n_classes + j, relative to the
  // mean of class k over all wrong j; empty if all errors on a class cost the same.
  std::vector<double> costs;

  bool given() const { return !factors.empty(); }
  double cost(std::size_t k, std::size_t j) const { return costs[k * factors.size() + j]; }

  // Returns the weight of the errors at a node that predicts class j, each times its relative cost.
  double cost_of(std::span<const double> weights, std::size_t j) const {
    if (costs.empty()) return weight_of_others(weights, j);
    double sum = 0.0;
    for (std::size_t k = 0; k < weights.size(); ++k)
      if (k != j) sum += weights[k] * cost(k, j);
    return sum;
  }

  // Returns the class to predict: the largest, or the cheapest if there are costs. Ties go to `best`, then to the
  // lowest index.
  std::size_t label_of(std::span<const double> weights, std::size_t best = 0) const {
    if (costs.empty()) return largest(weights, best);
    double least = cost_of(weights, best);
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double sum = cost_of(weights, j);
      if (!less(sum, least)) continue;
      best = j;
      least = sum;
    }
    return best;
  }
};

// Returns the effective number of rows with these class weights. Without factors it is their sum.
inline double effective_rows(std::span<const double> weights, std::span<const double> factors) {
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    sum += weights[k];
    if (!factors.empty()) squares += weights[k] * factors[k];
  }
  if (factors.empty()) return sum;
  return squares > 0.0 ? sum * sum / squares : 0.0;
}

}  // namespace weaklearn::criteria
