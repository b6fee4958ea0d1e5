// The pessimistic errors of a leaf, from its class weights.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "criteria/class_factors.hpp"
#include "tree/pessimistic_errors.hpp"
#include "tree/weight_unit.hpp"

namespace weaklearn::tree {

class LeafErrors {
 public:
  // `all` are the class weights of the whole training set. Errors are rounded to multiples of the unit, if there is
  // one, so that sums of them do not depend on their order.
  LeafErrors(double confidence, criteria::ClassFactors classes, std::vector<double> all, WeightUnit unit = {})
      : pessimistic_(confidence), classes_(std::move(classes)), all_(std::move(all)), unit_(unit) {}

  const criteria::ClassFactors& classes() const { return classes_; }
  const WeightUnit& unit() const { return unit_; }

  // Returns the pessimistic errors of a leaf of weight n with e training errors, if classes have no relative weights.
  double of(double n, double e) const { return unit_.nearest(pessimistic_.total(n, e)); }

  // Returns the pessimistic errors of a leaf that predicts `label`. With relative weights of classes, the error rate is
  // estimated from the effective number of rows and then applied to the weight of the leaf, so that the sums over
  // leaves can be compared. With costs, the errors are also multiplied by their mean relative cost.
  double of(std::span<const double> weights, std::size_t label) const {
    const double e = criteria::weight_of_others(weights, label);
    const double n = weights[label] + e;
    if (!classes_.given()) return of(n, e);
    const double rows = criteria::effective_rows(weights, classes_.factors);
    if (!(rows > 0.0)) return 0.0;
    return unit_.nearest(n / rows * pessimistic_.total(rows, rows * (e / n)) * mean_cost(weights, label, e));
  }

  // Returns the pessimistic errors of a leaf that predicts the class which suits its weights best.
  double of(std::span<const double> weights) const {
    if (!classes_.costs.empty()) return of(weights, classes_.label_of(weights));
    return of(weights, static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin()));
  }

 private:
  // Returns the relative cost of an error of the leaf: the mean over the other classes by their shares. A pure leaf has
  // none of them, so the shares of the whole training set are used.
  double mean_cost(std::span<const double> weights, std::size_t label, double e) const {
    if (classes_.costs.empty()) return 1.0;
    if (e > 0.0) return classes_.cost_of(weights, label) / e;
    const double others = criteria::weight_of_others(all_, label);
    return others > 0.0 ? classes_.cost_of(all_, label) / others : 1.0;
  }

  PessimisticErrors pessimistic_;
  criteria::ClassFactors classes_;
  std::vector<double> all_;
  WeightUnit unit_;
};

}  // namespace weaklearn::tree
