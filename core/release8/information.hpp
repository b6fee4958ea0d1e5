// Entropies in the arithmetic of C4.5 Release 8: logarithms in double, sums in float32.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace weaklearn::release8 {

// The original's constants are doubles: what meets them is computed and compared in double.
inline constexpr double epsilon = 1e-3;
// The gain of a test that cannot be used.
inline constexpr float unusable = static_cast<float>(-epsilon);

inline float rounded(double x) { return static_cast<float>(x); }

double log2_release8(float x);  // 0 for x <= 0

class Information {
 public:
  explicit Information(std::size_t largest_count);

  double x_log2_x(float x) const {
    // Most counts are whole: their values wait in a table.
    if (x >= 0.0F && x < table_limit_) {
      const auto whole = static_cast<std::size_t>(x);
      if (static_cast<float>(whole) == x) return table_[whole];
    }
    return x * log2_release8(x);
  }

  // I(x1, x2, ...) = T log2 T - sum of xi log2 xi, T = sum of xi. The order of the outcomes matters
  // to the last bit, and by that bit the original settles ties between attributes.
  float total(std::span<const float> outcomes) const;

 private:
  std::vector<double> table_;  // x log2 x of 0, 1, 2, ...
  float table_limit_;
};

}  // namespace weaklearn::release8
