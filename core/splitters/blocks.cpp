#include "splitters/blocks.hpp"

#include <cmath>

#include "parallel/wide.hpp"

namespace weaklearn::splitters {

WEAKLEARN_WIDE Gaps count_gaps(const data::Entry* entries, std::uint32_t n, float rounding) {
  std::uint32_t apart = 0;
  std::uint32_t close = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const float below = entries[i].value;
    const float above = entries[i + 1].value;
    const float gap = above - below;
    const float off = rounding * (std::abs(below) + std::abs(above)) + 1e-11F;
    apart += gap > static_cast<float>(closest) + off ? 1U : 0U;
    close += gap < static_cast<float>(closest) - off ? 1U : 0U;
  }
  return {apart, close};
}

WEAKLEARN_WIDE bool any_below(const double* numbers, std::size_t n, double bound) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < n; ++i) any |= numbers[i] < bound ? 1U : 0U;
  return any != 0;
}

}  // namespace weaklearn::splitters
