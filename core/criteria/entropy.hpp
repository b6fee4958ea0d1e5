// Entropy in bits: -sum p log2 p. It is C4.5's information, so it is not divided by log2 K.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "criteria/criterion.hpp"
#include "criteria/logarithm.hpp"

namespace weaklearn::criteria {

struct Entropy : AdditiveCriterion {
  static constexpr bool in_bits = true;
  static constexpr bool total_is_term = true;
  static constexpr bool carries_sums = true;
  static constexpr bool forgives_rounding = true;
  static constexpr float screening_error = 4e-6F;

  explicit Entropy(std::uint32_t) {}

  template <std::floating_point T>
  static T term(T x) {
    return x_log2_x(x);
  }
  static void terms(double* x, std::size_t count) { x_log2_x(x, count); }
  template <std::floating_point T>
  T impurity(T sum, T n) const {
    return x_log2_x(n) - sum;
  }
};

}  // namespace weaklearn::criteria
