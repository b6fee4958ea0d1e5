// The Gini impurity, scaled to 1 where all classes are equally heavy: (1 - sum p^2) K / (K - 1).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "criteria/criterion.hpp"

namespace weaklearn::criteria {

struct Gini : AdditiveCriterion {
  // Sums are not carried: the square of a large weight leaves a rounding error, even after the weight has gone, in
  // which the squares of small weights would be lost.
  static constexpr bool carries_sums = false;
  static constexpr bool forgives_rounding = true;
  static constexpr float screening_error = 4e-6F;

  explicit Gini(std::uint32_t n_classes) : scale(n_classes > 1 ? n_classes / (n_classes - 1.0) : 0.0) {}

  template <std::floating_point T>
  static T term(T x) {
    return x * x;
  }
  static void terms(double* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] *= x[i];
  }
  template <std::floating_point T>
  T impurity(T sum, T n) const {
    return n > T{0} ? static_cast<T>(scale) * (n - sum / n) : T{0};
  }

  double scale;
};

}  // namespace weaklearn::criteria
