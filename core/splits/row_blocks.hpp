// Loops over a block of rows that use wide instructions: which adjacent values are far enough apart for a cut, and
// whether any cut of the block can be the best.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "data/node_rows.hpp"

namespace weaklearn::splits {

constexpr std::uint32_t block_rows = 32;
constexpr double smallest_gap = 1e-5;  // C4.5 separates only values that are further apart

// Numbers of gaps that are certainly large enough for a cut, and certainly too small. If rounded values decide neither,
// the values of the column must be compared.
struct Gaps {
  std::uint32_t apart;
  std::uint32_t close;
};

// Classifies one gap. The relative error of a value is at most `rounding`.
inline Gaps gap_between(const data::Entry& below, const data::Entry& above, float rounding) {
  const float gap = above.value - below.value;
  const float off = rounding * (std::abs(below.value) + std::abs(above.value)) + 1e-11F;
  constexpr auto smallest = static_cast<float>(smallest_gap);
  return {gap > smallest + off ? 1U : 0U, gap < smallest - off ? 1U : 0U};
}

// Classifies the n gaps between n + 1 entries.
Gaps count_gaps(const data::Entry* entries, std::uint32_t n, float rounding);

// Returns a bit for each of at most 32 gaps: 1 if rounded values do not decide.
std::uint32_t uncertain_gaps(const data::Entry* entries, std::uint32_t n, float rounding);

// Returns the weight of the rows of each of two classes.
std::array<double, 2> sum_by_class(std::span<const data::Entry> rows, const double* weights, data::Tagging tagging);

// Returns whether any of n numbers is below the bound.
bool any_below(const double* numbers, std::size_t n, double bound);

// Returns the least of n numbers, or infinity if n is 0.
float least_of(const float* numbers, std::size_t n);

}  // namespace weaklearn::splits
