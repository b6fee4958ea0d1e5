// The arithmetic of G2, the scheme of which AdaBoost and growing a tree are two cases (Henry, Nock and
// Nielsen, "Real Boosting a la Carte", 2007). A classifier answers with the sum of coefficient times output of
// the hypotheses on an instance's path. Each hypothesis is trained on the instances whose path it is on, with
// weights w; y is -1 or 1, h* the largest absolute output on these instances. This is the only place where mu,
// coefficients and new weights are computed: separators, trees and the scheme in Python all come here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace weaklearn::separators::g2 {

// A hypothesis that is right on all its instances would get an infinite coefficient: mu is held below 1, which
// holds one hypothesis's part in the sum below ln((1 + mu) / (1 - mu)) / 2 = 11.86. That is odds of 2e10 to 1.
constexpr double largest_mu = 1.0 - 1e-10;

// The normalised margin mu: the sum of w y h, as a share of what it could be.
inline double normalised_margin(double sum, double largest_output, double weight) {
  return std::clamp(sum / (largest_output * weight), -largest_mu, largest_mu);
}

inline double coefficient(double mu, double largest_output) {
  return std::log((1.0 + mu) / (1.0 - mu)) / (2.0 * largest_output);
}

// What the weight of an instance is multiplied by; `agreement` is y h / h*.
inline double factor(double mu, double agreement) { return (1.0 - mu * agreement) / (1.0 - mu * mu); }

// What a leaf answers: half the logarithm of the ratio of weights, whatever the constants on the way to it.
inline double leaf_output(double positive, double negative) {
  const double weight = positive + negative;
  return weight > 0.0 ? coefficient(normalised_margin(positive - negative, 1.0, weight), 1.0) : 0.0;
}

struct Step {
  double mu = 0.0;
  double coefficient = 0.0;
};

// One step on the instances of one hypothesis. `signed_weights` holds w y and becomes what it is afterwards; a
// hypothesis that says nothing, or about no weight, changes nothing.
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
