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

// The place of the largest number, of equals the lowest.
inline std::size_t largest(std::span<const double> numbers) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] > numbers[best] && more(numbers[i], numbers[best])) best = i;
  return best;
}

}  // namespace weaklearn::criteria
