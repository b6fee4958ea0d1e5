// One number for each row of a block, and the arithmetic on them, for a whole block at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parallel/simd.hpp"

namespace weaklearn::explain {

constexpr std::uint32_t rows_per_block = 8;

// GCC aligns its vectors to 16 bytes, but reads them as if they were aligned to 32 where it compiles for AVX2.
struct alignas(32) RowNumbers {
  static constexpr std::size_t n_vectors = rows_per_block / 4;
  parallel::FourDoubles vector[n_vectors];

  double& operator[](std::size_t row) { return reinterpret_cast<double*>(vector)[row]; }
  double operator[](std::size_t row) const { return reinterpret_cast<const double*>(vector)[row]; }
};

#if WEAKLEARN_HAS_VECTORS

// The functions below set `result` to what they compute for each row.

WEAKLEARN_INLINE void fill(double number, RowNumbers& result) {
  for (auto& vector : result.vector) vector = parallel::FourDoubles{} + number;
}

WEAKLEARN_INLINE void multiply(const RowNumbers& a, const RowNumbers& b, RowNumbers& result) {
  for (std::size_t v = 0; v < RowNumbers::n_vectors; ++v) result.vector[v] = a.vector[v] * b.vector[v];
}

// a x + b y
WEAKLEARN_INLINE void combine(double a, const RowNumbers& x, double b, const RowNumbers& y, RowNumbers& result) {
  for (std::size_t v = 0; v < RowNumbers::n_vectors; ++v) result.vector[v] = a * x.vector[v] + b * y.vector[v];
}

// result + a x
WEAKLEARN_INLINE void add(double a, const RowNumbers& x, RowNumbers& result) {
  for (std::size_t v = 0; v < RowNumbers::n_vectors; ++v) result.vector[v] += a * x.vector[v];
}

// result + x y
WEAKLEARN_INLINE void add(const RowNumbers& x, const RowNumbers& y, RowNumbers& result) {
  for (std::size_t v = 0; v < RowNumbers::n_vectors; ++v) result.vector[v] += x.vector[v] * y.vector[v];
}

// a / b, or 0 where b is not above 0
WEAKLEARN_INLINE void divide(const RowNumbers& a, const RowNumbers& b, RowNumbers& result) {
  for (std::size_t v = 0; v < RowNumbers::n_vectors; ++v)
    result.vector[v] = b.vector[v] > 0.0 ? a.vector[v] / b.vector[v] : parallel::FourDoubles{};
}

// `above` where x is greater than the bound, and `other` elsewhere
WEAKLEARN_INLINE void choose(const RowNumbers& x, double bound, double above, double other, RowNumbers& result) {
  for (std::size_t v = 0; v < RowNumbers::n_vectors; ++v)
    result.vector[v] = x.vector[v] > bound ? parallel::FourDoubles{} + above : parallel::FourDoubles{} + other;
}

// `result` where x is greater than the bound, and `other` elsewhere
WEAKLEARN_INLINE void keep_above(const RowNumbers& x, double bound, double other, RowNumbers& result) {
  for (std::size_t v = 0; v < RowNumbers::n_vectors; ++v)
    result.vector[v] = x.vector[v] > bound ? result.vector[v] : parallel::FourDoubles{} + other;
}

// (hot - cold) x where hot is above 0, and -y elsewhere
WEAKLEARN_INLINE void gain_of(const RowNumbers& hot, const RowNumbers& cold, const RowNumbers& x, const RowNumbers& y,
                              RowNumbers& result) {
  for (std::size_t v = 0; v < RowNumbers::n_vectors; ++v)
    result.vector[v] = hot.vector[v] > 0.0 ? (hot.vector[v] - cold.vector[v]) * x.vector[v] : -y.vector[v];
}

#else

template <class Compute>
void for_each_row(RowNumbers& result, const Compute& compute) {
  for (std::size_t row = 0; row < rows_per_block; ++row) result[row] = compute(row);
}

inline void fill(double number, RowNumbers& result) {
  for_each_row(result, [&](std::size_t) { return number; });
}

inline void multiply(const RowNumbers& a, const RowNumbers& b, RowNumbers& result) {
  for_each_row(result, [&](std::size_t i) { return a[i] * b[i]; });
}

inline void combine(double a, const RowNumbers& x, double b, const RowNumbers& y, RowNumbers& result) {
  for_each_row(result, [&](std::size_t i) { return a * x[i] + b * y[i]; });
}

inline void add(double a, const RowNumbers& x, RowNumbers& result) {
  for_each_row(result, [&](std::size_t i) { return result[i] + a * x[i]; });
}

inline void add(const RowNumbers& x, const RowNumbers& y, RowNumbers& result) {
  for_each_row(result, [&](std::size_t i) { return result[i] + x[i] * y[i]; });
}

inline void divide(const RowNumbers& a, const RowNumbers& b, RowNumbers& result) {
  for_each_row(result, [&](std::size_t i) { return b[i] > 0.0 ? a[i] / b[i] : 0.0; });
}

inline void choose(const RowNumbers& x, double bound, double above, double other, RowNumbers& result) {
  for_each_row(result, [&](std::size_t i) { return x[i] > bound ? above : other; });
}

inline void keep_above(const RowNumbers& x, double bound, double other, RowNumbers& result) {
  for_each_row(result, [&](std::size_t i) { return x[i] > bound ? result[i] : other; });
}

inline void gain_of(const RowNumbers& hot, const RowNumbers& cold, const RowNumbers& x, const RowNumbers& y,
                    RowNumbers& result) {
  for_each_row(result, [&](std::size_t i) { return hot[i] > 0.0 ? (hot[i] - cold[i]) * x[i] : -y[i]; });
}

#endif

}  // namespace weaklearn::explain
