// The arithmetic of G2, the scheme of which AdaBoost and growing a tree are two cases (Henry, Nock and Nielsen, "Real
// Boosting a la Carte", 2007). A classifier predicts the sum of coefficient times output of the hypotheses on the path
// of a row. Each hypothesis is trained on the rows whose path it is on, with weights w. The label y of a row is -1 or
// 1, and h* is the largest absolute output on these rows. All code that needs mu, coefficients or new weights uses this
// file: separators, trees and the scheme in Python.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

namespace weaklearn::separators::g2 {

// A hypothesis that is right on all its rows would get an infinite coefficient, so mu is kept below 1. One hypothesis
// then adds at most ln((1 + mu) / (1 - mu)) / 2 = 11.86 to the sum, which is odds of 2e10 to 1.
constexpr double largest_mu = 1.0 - 1e-10;

// Returns the normalised margin mu: the sum of w y h, divided by its largest possible value.
inline double normalised_margin(double sum, double largest_output, double weight) {
  return std::clamp(sum / (largest_output * weight), -largest_mu, largest_mu);
}

inline double coefficient(double mu, double largest_output) {
  return std::log((1.0 + mu) / (1.0 - mu)) / (2.0 * largest_output);
}

// Returns the factor for the weight of a row. `agreement` is y h / h*.
inline double factor(double mu, double agreement) { return (1.0 - mu * agreement) / (1.0 - mu * mu); }

// Returns the prediction of a leaf: half the logarithm of the ratio of the weights. It does not depend on the constants
// on the path to the leaf.
inline double leaf_output(double positive, double negative) {
  const double weight = positive + negative;
  return weight > 0.0 ? coefficient(normalised_margin(positive - negative, 1.0, weight), 1.0) : 0.0;
}

// Returns the prediction of each leaf, from its positive and its negative weight.
inline std::vector<double> leaf_outputs(std::span<const double> positive, std::span<const double> negative) {
  if (positive.size() != negative.size()) throw std::invalid_argument("both weights of each leaf are needed");
  std::vector<double> outputs;
  for (std::size_t i = 0; i < positive.size(); ++i) outputs.push_back(leaf_output(positive[i], negative[i]));
  return outputs;
}

struct Step {
  double mu = 0.0;
  double coefficient = 0.0;
};

// Computes one step on the rows of one hypothesis. `signed_weights` holds w y and is updated. If all outputs or all
// weights are 0, nothing changes.
inline Step step(std::span<double> signed_weights, std::span<const double> outputs) {
  double largest = 0.0;
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    largest = std::max(largest, std::abs(outputs[i]));
    sum += signed_weights[i] * outputs[i];
    weight += std::abs(signed_weights[i]);
  }
  if (!(largest > 0.0) || !(weight > 0.0)) return {};
  const double mu = normalised_margin(sum, largest, weight);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double agreement = (signed_weights[i] < 0.0 ? -outputs[i] : outputs[i]) / largest;
    signed_weights[i] *= factor(mu, agreement);
  }
  return {mu, coefficient(mu, largest)};
}

}  // namespace weaklearn::separators::g2
