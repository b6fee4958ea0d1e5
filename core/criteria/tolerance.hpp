// Comparisons in which what is equal in real arithmetic counts as equal, however it was summed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace weaklearn::criteria {

constexpr double slack = 1e-9;

inline double slack_at(double bound) { return slack * std::max(1.0, std::abs(bound)); }
inline bool more(double a, double bound) { return a > bound + slack_at(bound); }
inline bool less(double a, double bound) { return a < bound - slack_at(bound); }
inline bool at_least(double a, double bound) { return !less(a, bound); }
inline bool at_most(double a, double bound) { return !more(a, bound); }

// The place of the largest number, of equals `best`, then the lowest.
inline std::size_t largest(std::span<const double> numbers, std::size_t best = 0) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] > numbers[best] && more(numbers[i], numbers[best])) best = i;
  return best;
}

// The weight of all classes but one: summed, not subtracted from the whole, so that a pure node has none.
inline double weight_of_others(std::span<const double> weights, std::size_t label) {
  double sum = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k)
    if (k != label) sum += weights[k];
  return sum;
}

// Differences of indices, shares of weight times impurity, are small numbers whose noise is about 1e-16: those
// below this are equal. Coarse enough that the order of growing can be told from the finished tree.
constexpr double index_noise = 1e-12;

}  // namespace weaklearn::criteria
