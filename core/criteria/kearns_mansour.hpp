// The impurity of Kearns and Mansour, scaled to 1 where all classes are equally heavy: ((sum sqrt p)^2 - 1) / (K - 1).
// For two classes it is 2 sqrt(q (1 - q)).
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "criteria/criterion.hpp"

namespace weaklearn::criteria {

struct KearnsMansour : AdditiveCriterion {
  static constexpr bool carries_sums = true;
  // Rounding is not forgiven: the square root of a tiny weight is large.
  static constexpr bool forgives_rounding = false;
  static constexpr float screening_error = 4e-6F;

  explicit KearnsMansour(std::uint32_t n_classes) : scale(n_classes > 1 ? 1.0 / (n_classes - 1.0) : 0.0) {}

  template <std::floating_point T>
  static T term(T x) {
    return x > T{0} ? std::sqrt(x) : T{0};
  }
  static void terms(double* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] = std::sqrt(x[i]);
  }
  template <std::floating_point T>
  T impurity(T sum, T n) const {
    return static_cast<T>(scale) * (sum * sum - n);
  }

  double scale;
};

}  // namespace weaklearn::criteria
