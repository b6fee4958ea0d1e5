#include "graph/powers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "parallel/simd.hpp"

namespace weaklearn::graph {
namespace {

constexpr std::size_t per_block = 64;  // numbers, so that all of them stay in registers and the nearest cache

WEAKLEARN_WIDE void raise_block(const double* numbers, std::uint32_t whole, const std::vector<bool>& digits,
                                double* results) {
  double roots[per_block];
  for (std::size_t i = 0; i < per_block; ++i) roots[i] = std::sqrt(numbers[i]);
  for (std::size_t i = 0; i < per_block; ++i) results[i] = 1.0;
  for (const bool digit : digits) {
    for (std::size_t i = 0; i < per_block; ++i) results[i] = std::sqrt(results[i]);
    if (!digit) continue;
    for (std::size_t i = 0; i < per_block; ++i) results[i] *= roots[i];
  }
  for (std::uint32_t w = 0; w < whole; ++w)
    for (std::size_t i = 0; i < per_block; ++i) results[i] *= numbers[i];
}

}  // namespace

std::vector<double> powers(std::span<const double> numbers, std::uint32_t whole, const std::vector<bool>& digits) {
  std::vector<double> results(numbers.size());
  double in[per_block];
  double out[per_block];
  for (std::size_t first = 0; first < numbers.size(); first += per_block) {
    const std::size_t n = std::min(per_block, numbers.size() - first);
    std::fill(in, in + per_block, 1.0);
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(first), n, in);
    raise_block(in, whole, digits, out);
    std::copy_n(out, n, results.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return results;
}

}  // namespace weaklearn::graph
