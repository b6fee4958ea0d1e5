// What can be told of a block of rows at once: which neighbours are far enough apart for a cut between them,
// and whether any cut is good enough to be looked at.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/rows.hpp"

namespace weaklearn::splitters {

constexpr double closest = 1e-5;  // C4.5 separates only values further apart

// What rounded values say; where they say neither, the values themselves have to be looked up.
struct Gaps {
  std::uint32_t apart;
  std::uint32_t close;
};

// Of the n gaps between n + 1 entries. A value may be off by `rounding` times its size.
Gaps count_gaps(const data::Entry* entries, std::uint32_t n, float rounding);

// Whether one of n numbers is below the bound.
bool any_below(const double* numbers, std::size_t n, double bound);

}  // namespace weaklearn::splitters
