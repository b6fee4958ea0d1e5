// Logarithms to base 2 as C4.5rules tabulates them: those of whole numbers rounded to `Number`, and those of factorials
// as sums of the rounded ones in double precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace weaklearn::rules {

inline double log2_of(double x) { return std::log(x) / 0.69314718055994530942; }

template <class Number>
class LogFactorials {
 public:
  explicit LogFactorials(std::size_t largest = 1) : sums_{0.0, 0.0} {
    sums_.reserve(largest + 1);
    for (std::size_t i = 2; i <= largest; ++i) sums_.push_back(sums_.back() + log2(static_cast<double>(i)));
  }

  static Number log2(double x) { return static_cast<Number>(log2_of(x)); }
  double operator()(std::size_t n) const { return sums_[n]; }

 private:
  std::vector<double> sums_;
};

}  // namespace weaklearn::rules
