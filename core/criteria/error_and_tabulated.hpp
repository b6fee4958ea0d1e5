// Criteria that are no sum of terms of the class weights: each looks at all of them at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "criteria/criteria.hpp"

namespace weaklearn::criteria {

// (1 - max p) K / (K - 1): what a leaf gets wrong.
struct Error {
  explicit Error(std::uint32_t n_classes) : scale(n_classes > 1 ? n_classes / (n_classes - 1.0) : 0.0) {}
  double of(std::span<const double> weights, double n) const {
    double largest = 0.0;
    for (const double x : weights) largest = std::max(largest, x);
    return scale * std::max(n - largest, 0.0);
  }
  double scale;
};

// A function f of the share q of one of two classes, given by its values, between which it is a straight
// line, so that it stays concave. With K classes: the sum of f over the share of each, over that of K equal
// shares. A share of at most 1/2 is looked up as its square root, where functions as steep as a root are
// even; above, f(q) = f(1 - q).
class Tabulated {
 public:
  // values[i] = f((i / (n - 1))^2 / 2) for n values, the last of them at q = 1/2.
  Tabulated(std::uint32_t n_classes, std::vector<double> values)
      : values_(std::move(values)), scale_(n_classes > 1 ? 1.0 / (n_classes * at(1.0 / n_classes)) : 0.0) {}

  double of(std::span<const double> weights, double n) const {
    if (n <= 0.0) return 0.0;
    double sum = 0.0;
    for (const double x : weights) sum += at(x / n);
    return scale_ * n * sum;
  }

 private:
  double at(double share) const {
    const double q = std::clamp(std::min(share, 1.0 - share), 0.0, 0.5);
    const double steps = static_cast<double>(values_.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(std::sqrt(2.0 * q) * steps), values_.size() - 2);
    const double low = place(i, steps);
    const double high = place(i + 1, steps);
    return values_[i] + (values_[i + 1] - values_[i]) * ((q - low) / (high - low));
  }
  static double place(std::size_t i, double steps) {
    const double root = static_cast<double>(i) / steps;
    return root * root / 2.0;
  }

  std::vector<double> values_;
  double scale_;
};

}  // namespace weaklearn::criteria
