// An impurity given by a table: a function f of the share q of one of two classes. Between the values of the table f is
// a straight line, so that it stays concave. For K classes the impurity is the sum of f over the shares of all
// classes, divided by that sum for K equal shares.
//
// A share of at most 1/2 is looked up by its square root. On that scale functions as steep as a square root are even.
// Above 1/2, f(q) = f(1 - q).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "criteria/criterion.hpp"

namespace weaklearn::criteria {

class Tabulated : public GeneralCriterion {
 public:
  // values[i] = f((i / (n - 1))^2 / 2) for n values, so the last value is f(1/2). Throws std::invalid_argument for a
  // table that is too short or has values that no impurity has.
  Tabulated(std::uint32_t n_classes, std::vector<double> values)
      : values_(checked(std::move(values))), scale_(n_classes > 1 ? 1.0 / (n_classes * at(1.0 / n_classes)) : 0.0) {}

  double of(std::span<const double> weights, double n) const {
    if (n <= 0.0) return 0.0;
    double sum = 0.0;
    for (const double x : weights) sum += at(x / n);
    return scale_ * n * sum;
  }

 private:
  static std::vector<double> checked(std::vector<double> values) {
    if (values.size() < 2) throw std::invalid_argument("a tabulated criterion needs two values or more");
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]) || (i > 0 && values[i] <= 0.0))
        throw std::invalid_argument("a tabulated criterion must be finite, and above 0 after its first value");
    return values;
  }

  double at(double share) const {
    const double q = std::clamp(std::min(share, 1.0 - share), 0.0, 0.5);
    const double steps = static_cast<double>(values_.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(std::sqrt(2.0 * q) * steps), values_.size() - 2);
    const double low = share_at(i, steps);
    const double high = share_at(i + 1, steps);
    return values_[i] + (values_[i + 1] - values_[i]) * ((q - low) / (high - low));
  }
  static double share_at(std::size_t i, double steps) {
    const double root = static_cast<double>(i) / steps;
    return root * root / 2.0;
  }

  std::vector<double> values_;
  double scale_;
};

}  // namespace weaklearn::criteria
