#include "data/number_range.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "data/row_blocks.hpp"
#include "parallel/simd.hpp"
#include "parallel/thread_pool.hpp"

namespace weaklearn::data {

void NumberRange::add(const NumberRange& other) {
  lowest = std::min(lowest, other.lowest);
  highest = std::max(highest, other.highest);
  n_known += other.n_known;
  all_integers = all_integers && other.all_integers;
}

// Works on four numbers at a time. Comparisons with NaN are false, so NaN is neither the lowest nor the highest number.
// A function that is compiled for several instruction sets must not throw.
WEAKLEARN_WIDE NumberRange range_of(Numbers numbers, std::uint32_t n_rows) {
  using parallel::FourDoubles, parallel::FourCounts;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double round_to_integer = 6755399441055744.0;  // 1.5 * 2^52: adding and subtracting it rounds to an integer
  NumberRange range;
  FourDoubles lowest = FourDoubles{} + range.lowest;
  FourDoubles highest = FourDoubles{} + range.highest;
  FourCounts missing = {};
  FourCounts changed = {};  // numbers that rounding changes, and missing ones
  for (std::size_t row = 0; row < n_rows; row += 4) {
    FourDoubles x = {nan, nan, nan, nan};
    if (row + 4 <= n_rows)
      x = FourDoubles{numbers[row], numbers[row + 1], numbers[row + 2], numbers[row + 3]};
    else
      for (std::size_t i = 0; row + i < n_rows; ++i) x[i] = numbers[row + i];
    parallel::keep_lowest(lowest, x);
    parallel::keep_highest(highest, x);
    missing -= x != x;  // a true comparison is -1
    changed -= (x + round_to_integer) - round_to_integer != x;
  }
  std::uint32_t n_missing = 0;
  for (int i = 0; i < 4; ++i) {
    range.lowest = std::min(range.lowest, lowest[i]);
    range.highest = std::max(range.highest, highest[i]);
    range.all_integers = range.all_integers && changed[i] == missing[i];
    n_missing += static_cast<std::uint32_t>(missing[i]);
  }
  const std::uint32_t n_added = 3 - (n_rows + 3) % 4;  // NaNs that fill the last group of four
  range.n_known = n_rows + n_added - n_missing;
  return range;
}

std::vector<NumberRange> ranges_of(std::span<const Numbers> columns, std::uint32_t n_rows, parallel::ThreadPool& pool) {
  std::vector<std::vector<NumberRange>> of_threads(pool.n_threads(), std::vector<NumberRange>(columns.size()));
  for_each_block(n_rows, pool, [&](std::uint32_t first, std::uint32_t n, std::uint32_t thread) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      of_threads[thread][c].add(range_of(from_row(columns[c], first), n));
  });
  for (std::size_t t = 1; t < of_threads.size(); ++t)
    for (std::size_t c = 0; c < columns.size(); ++c) of_threads[0][c].add(of_threads[t][c]);
  return std::move(of_threads[0]);
}

std::vector<NumberRange> ranges_of(std::span<const Numbers> columns, std::uint32_t n_rows) {
  parallel::ThreadPool this_thread(1);
  return ranges_of(columns, n_rows, this_thread);
}

void check(const NumberRange& range, bool single) {
  if (range.n_known == 0) return;
  if (std::isinf(range.lowest) || std::isinf(range.highest)) throw std::invalid_argument("infinite value");
  if (single && std::max(-range.lowest, range.highest) > std::numeric_limits<float>::max())
    throw std::invalid_argument("value beyond single precision");
}

}  // namespace weaklearn::data
