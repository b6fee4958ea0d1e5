// A logarithm of our own. The one of the C library differs in the last bit from machine to machine, and the compiler
// cannot vectorise it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace weaklearn::criteria {

// Returns log2 of a positive number, right to two units in the last place. For 0 the result is some finite number.
inline double log2_of(double x) {
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd;
  constexpr std::uint64_t one = 0x3ff0000000000000;
  constexpr std::uint64_t mantissa = 0x000fffffffffffff;
  // x = m 2^e with m between the roots of 1/2 and 2.
  const std::uint64_t shifted = std::bit_cast<std::uint64_t>(x) + (one - root_half);
  const double e = std::bit_cast<double>((shifted >> 52) | 0x4330000000000000) - (4503599627370496.0 + 1023.0);
  const double m = std::bit_cast<double>((shifted & mantissa) + root_half);
  // ln m = 2 artanh s; artanh s = s + s^3 p(s^2). p is a Chebyshev fit with an error of 1.2e-17.
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 0.07314128325884696;
  p = p * z + 0.07665377817753627;
  p = p * z + 0.09091459289666848;
  p = p * z + 0.11111105361994622;
  p = p * z + 0.14285714314267164;
  p = p * z + 0.19999999999946932;
  p = p * z + 0.3333333333333337;
  constexpr double two_over_ln_2 = 2.8853900817779268;
  return e + two_over_ln_2 * (s + s * z * p);
}

// The same in single precision. The error is about 1e-7, or 1e-7 of the result where that is more.
inline float log2_of(float x) {
  constexpr std::uint32_t root_half = 0x3f3504f3;
  constexpr std::uint32_t one = 0x3f800000;
  constexpr std::uint32_t mantissa = 0x007fffff;
  const std::uint32_t shifted = std::bit_cast<std::uint32_t>(x) + (one - root_half);
  const auto e = static_cast<float>(static_cast<std::int32_t>(shifted >> 23) - 127);
  const float m = std::bit_cast<float>((shifted & mantissa) + root_half);
  // As above. The error of p is 3e-9.
  const float s = (m - 1.0F) / (m + 1.0F);
  const float z = s * s;
  const float p = (0.14790499F * z + 0.19994375F) * z + 0.33333343F;
  constexpr float two_over_ln_2 = 2.8853901F;
  return e + two_over_ln_2 * (s + s * z * p);
}

// Returns log2 of an integer above 0. Most are small, and looked up.
inline double log2_of_count(std::uint64_t n) {
  static const auto small = [] {
    std::array<double, 256> logarithms{};
    for (std::size_t i = 1; i < logarithms.size(); ++i) logarithms[i] = log2_of(static_cast<double>(i));
    return logarithms;
  }();
  return n < small.size() ? small[n] : log2_of(static_cast<double>(n));
}

inline double x_log2_x(double x) { return x > 0.0 ? x * log2_of(x) : 0.0; }
inline float x_log2_x(float x) { return x * log2_of(x); }

// Replaces n numbers, none of them negative, by x log2 x.
void x_log2_x(double* x, std::size_t n);

}  // namespace weaklearn::criteria
