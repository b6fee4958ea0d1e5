// Estimates of impurities in single precision. They take a fraction of the time, and are close enough to exclude most
// cuts.
#pragma once

#include <cstddef>

#include "criteria/criterion.hpp"
#include "parallel/simd.hpp"

namespace weaklearn::splits {

constexpr std::size_t screened_at_once = 8;

// Estimates the impurity of cuts of rows of two classes, divided by the known weight. The error is at most
// C::screening_error. first[i] and second[i] are the weights of the two classes below cut i, and `all` holds the
// weights of all rows. The size of the arrays is a multiple of screened_at_once, and `impurity` is filled up to that
// size.
template <criteria::Screened C>
WEAKLEARN_WIDE void screen(const C& criterion, const double* first, const double* second, std::size_t n,
                           const double (&all)[2], float* impurity) {
  const double scale = 1.0 / (all[0] + all[1]);
  const double all_first = all[0] * scale;
  const double all_second = all[1] * scale;
  const C own = criterion;
  const std::size_t n_rounds = (n + screened_at_once - 1) / screened_at_once;
  for (std::size_t i = 0; i < n_rounds * screened_at_once; ++i) {
    const double a = first[i] * scale;
    const double b = second[i] * scale;
    const auto low_a = static_cast<float>(a);
    const auto low_b = static_cast<float>(b);
    // Weights are subtracted before they are rounded, so that a small difference has a small error.
    const auto high_a = static_cast<float>(all_first > a ? all_first - a : 0.0);
    const auto high_b = static_cast<float>(all_second > b ? all_second - b : 0.0);
    impurity[i] = own.impurity(C::term(low_a) + C::term(low_b), low_a + low_b) +
                  own.impurity(C::term(high_a) + C::term(high_b), high_a + high_b);
  }
}

}  // namespace weaklearn::splits
