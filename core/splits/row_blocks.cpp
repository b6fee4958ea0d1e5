#include "splits/row_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "parallel/simd.hpp"

namespace weaklearn::splits {

WEAKLEARN_WIDE Gaps count_gaps(const data::Entry* entries, std::uint32_t n, float rounding) {
  std::uint32_t apart = 0;
  std::uint32_t close = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Gaps gap = gap_between(entries[i], entries[i + 1], rounding);
    apart += gap.apart;
    close += gap.close;
  }
  return {apart, close};
}

WEAKLEARN_WIDE std::uint32_t uncertain_gaps(const data::Entry* entries, std::uint32_t n, float rounding) {
  std::uint32_t uncertain = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Gaps gap = gap_between(entries[i], entries[i + 1], rounding);
    uncertain |= (1U - gap.apart - gap.close) << i;
  }
  return uncertain;
}

// Uses four sums per class, because each addition waits for the one before. Weights of the other class are masked out:
// a branch would be predicted wrongly for every other row.
WEAKLEARN_WIDE std::array<double, 2> sum_by_class(std::span<const data::Entry> rows, const double* weights,
                                                  data::Tagging tagging) {
  using parallel::FourDoubles, parallel::FourWords;
  // Read as one 64-bit integer, an entry has its tag in the upper half. The class is in the upper bits of the tag.
  static_assert(std::endian::native == std::endian::little);
  const std::uint64_t tag_shift = 32 + tagging.row_bits();
  FourDoubles first = {};
  FourDoubles second = {};
  const data::Entry* row = rows.data();
  const data::Entry* const end = row + rows.size();
  for (; row + 4 <= end; row += 4) {
    FourWords k;
    static_assert(sizeof(k) == 4 * sizeof(data::Entry));
    std::memcpy(&k, row, sizeof(k));
    k >>= tag_shift;
    const FourDoubles w = {weights[tagging.row(row[0].tag)], weights[tagging.row(row[1].tag)],
                           weights[tagging.row(row[2].tag)], weights[tagging.row(row[3].tag)]};
    const FourWords of_first = k - 1;  // all bits set for the first class, none for the second
    parallel::add_masked(first, w, of_first);
    parallel::add_masked(second, w, ~of_first);
  }
  std::array<double, 2> sums = {(first[0] + first[1]) + (first[2] + first[3]),
                                (second[0] + second[1]) + (second[2] + second[3])};
  for (; row < end; ++row) sums[tagging.class_of(row->tag)] += weights[tagging.row(row->tag)];
  return sums;
}

WEAKLEARN_WIDE bool any_below(const double* numbers, std::size_t n, double bound) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < n; ++i) any |= numbers[i] < bound ? 1U : 0U;
  return any != 0;
}

WEAKLEARN_WIDE float least_of(const float* numbers, std::size_t n) {
  float least = std::numeric_limits<float>::infinity();
  parallel::EightFloats eight = {least, least, least, least, least, least, least, least};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    parallel::EightFloats next;
    std::memcpy(&next, numbers + i, sizeof(next));
    parallel::keep_lowest(eight, next);
  }
  for (std::size_t j = 0; j < 8; ++j) least = std::min(least, eight[j]);
  for (; i < n; ++i) least = std::min(least, numbers[i]);
  return least;
}

}  // namespace weaklearn::splits
