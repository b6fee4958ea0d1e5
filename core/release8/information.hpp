// Entropies in the arithmetic of C4.5 Release 8: logarithms in double, sums in float32.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace weaklearn::release8 {

// The constants of the original are doubles, so expressions with them are computed and compared in double.
inline constexpr double epsilon = 1e-3;

inline float rounded(double x) { return static_cast<float>(x); }

double log2_release8(float x);  // 0 for x <= 0

class Information {
 public:
  explicit Information(std::size_t largest_count);

  double x_log2_x(float x) const {
    // Most weights are integers, whose values are in a table.
    if (x >= 0.0F && x < table_limit_) {
      const auto whole = static_cast<std::size_t>(x);
      if (static_cast<float>(whole) == x) return table_[whole];
    }
    return x * log2_release8(x);
  }

  // Returns I(x1, x2, ...) = T log2 T - sum of xi log2 xi, where T is the sum of all xi. The order of the outcomes
  // changes the last bit, and the original decides ties between columns by that bit.
  float total(std::span<const float> outcomes) const;

 private:
  std::vector<double> table_;  // x log2 x of 0, 1, 2, ...
  float table_limit_;
};

}  // namespace weaklearn::release8
