// Fisher's exact test of whether a condition makes a rule more accurate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "rules/logarithms.hpp"

namespace weaklearn::rules {

// Rows that satisfy the other conditions of a rule, by whether they satisfy the condition and whether the rule is
// right.
struct ConditionTable {
  std::size_t wrong_with = 0;
  std::size_t wrong_without = 0;
  std::size_t right_with = 0;
  std::size_t right_without = 0;
};

// Returns the probability, if the condition had no influence, of a deviation as large as the one observed or larger, in
// its direction. The original raises each term to the power 1 / ln 2, because it mixes logarithms to base 2 with the
// natural exponential function. In float this is repeated, in double it is not.
template <class Number>
Number fisher_level(const ConditionTable& table, const LogFactorials<Number>& log_factorial) {
  std::pair<std::size_t, std::size_t> larger{table.right_with, table.right_without};
  std::pair<std::size_t, std::size_t> smaller{table.wrong_with, table.wrong_without};
  if (smaller.first + smaller.second > larger.first + larger.second) std::swap(larger, smaller);
  const std::size_t a = larger.first + larger.second;
  const std::size_t b = smaller.first + smaller.second;
  const bool with = static_cast<double>(larger.first) * static_cast<double>(b) >
                    static_cast<double>(smaller.first) * static_cast<double>(a);
  const std::size_t from = with ? larger.first : larger.second;
  const std::size_t n = with ? larger.first + smaller.first : larger.second + smaller.second;
  const auto& f = log_factorial;
  double sum = 0.0;
  for (std::size_t x = from; x <= std::min(n, a); ++x) {
    const double bits = f(a) + f(b) + f(n) + f(a + b - n) - (f(x) + f(n - x) + f(a - x) + f(b - (n - x)) + f(a + b));
    sum += std::is_same_v<Number, float> ? std::exp(bits) : std::exp2(bits);
  }
  return static_cast<Number>(sum);
}

}  // namespace weaklearn::rules
