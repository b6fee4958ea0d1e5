// Comparisons that treat two numbers as equal when they are equal in real arithmetic, whatever the order in which they
// were summed.
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

// Returns the position of the largest number. Ties go to `best`, then to the lowest position.
inline std::size_t largest(std::span<const double> numbers, std::size_t best = 0) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] > numbers[best] && more(numbers[i], numbers[best])) best = i;
  return best;
}

// Returns the weight of all classes but one. It is summed, not subtracted from the total, so that it is exactly 0 at a
// pure node.
inline double weight_of_others(std::span<const double> weights, std::size_t label) {
  double sum = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k)
    if (k != label) sum += weights[k];
  return sum;
}

// Weighted impurities, as shares of the total weight, are small numbers whose rounding errors are about 1e-16.
// Differences below this count as 0. It is so coarse that the order of growing can be told from the finished tree.
constexpr double impurity_noise = 1e-12;

}  // namespace weaklearn::criteria
