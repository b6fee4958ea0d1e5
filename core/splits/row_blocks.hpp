// What can be told of a block of rows at once: which neighbours are far enough apart for a cut between them,
// and whether any cut is good enough to be looked at.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "data/node_rows.hpp"

namespace weaklearn::splits {

constexpr std::uint32_t block_rows = 32;
constexpr double closest = 1e-5;  // C4.5 separates only values further apart

// What rounded values say; where they say neither, the values themselves have to be looked up.
struct Gaps {
  std::uint32_t apart;
  std::uint32_t close;
};

// Of one gap. A value may be off by `rounding` times its size.
inline Gaps gap_between(const data::Entry& below, const data::Entry& above, float rounding) {
  const float gap = above.value - below.value;
  const float off = rounding * (std::abs(below.value) + std::abs(above.value)) + 1e-11F;
  return {gap > static_cast<float>(closest) + off ? 1U : 0U, gap < static_cast<float>(closest) - off ? 1U : 0U};
}

// Of the n gaps between n + 1 entries.
Gaps count_gaps(const data::Entry* entries, std::uint32_t n, float rounding);

// A bit for each of at most 32 gaps: whether it is neither apart nor close.
std::uint32_t doubtful_gaps(const data::Entry* entries, std::uint32_t n, float rounding);

// What rows weigh, of two classes.
std::array<double, 2> sum_by_class(std::span<const data::Entry> rows, const double* weights, data::Tagging tagging);

// Whether one of n numbers is below the bound.
bool any_below(const double* numbers, std::size_t n, double bound);

// The least of n numbers; infinite of none.
float least_of(const float* numbers, std::size_t n);

}  // namespace weaklearn::splits
