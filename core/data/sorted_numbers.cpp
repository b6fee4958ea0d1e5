#include "data/sorted_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

namespace weaklearn::data {
namespace {

constexpr std::size_t worth_counting = 1024;     // fewer keys are sorted sooner by comparing them
constexpr std::size_t stay_in_cache = 1U << 17;  // so many keys do
constexpr int n_upper = 12;                      // bits by which more are divided at first

// The order of float32 numbers as the order of unsigned integers.
std::uint32_t sortable(double number) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
  return bits & 0x80000000U ? ~bits : bits | 0x80000000U;
}

// The upper half of a key is a number, rounded, the lower half tells whose it is.
std::uint64_t key_of(double number, std::uint32_t owner) { return std::uint64_t{sortable(number)} << 32 | owner; }
std::uint32_t owner_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

// Stable counting passes of n_bits each over the upper halves, to and fro between two places: after an even number of
// them the keys are where they were.
template <int n_bits, int n_passes>
void sort_by_counting(std::uint64_t* from, std::uint64_t* to, std::size_t n) {
  static_assert(n_passes % 2 == 0);
  constexpr std::size_t buckets = std::size_t{1} << n_bits;
  std::uint32_t counts[n_passes][buckets] = {};
  const auto bucket_of = [=](std::uint64_t key, int pass) { return (key >> (32 + n_bits * pass)) & (buckets - 1); };
  for (std::size_t i = 0; i < n; ++i)
    for (int pass = 0; pass < n_passes; ++pass) ++counts[pass][bucket_of(from[i], pass)];
  for (int pass = 0; pass < n_passes; ++pass) {
    std::uint32_t start = 0;
    for (std::uint32_t& count : counts[pass]) start += std::exchange(count, start);
    for (std::size_t i = 0; i < n; ++i) to[counts[pass][bucket_of(from[i], pass)]++] = from[i];
    std::swap(from, to);
  }
}

// Numbers that are equal in float32 but not in double are put right run by run.
template <class NumberOf>
void sort_equal_halves(std::span<std::uint64_t> keys, const NumberOf& number_of) {
  for (std::size_t i = 0, end = 0; i < keys.size(); i = end) {
    bool equal = true;
    for (end = i + 1; end < keys.size() && keys[end] >> 32 == keys[i] >> 32; ++end)
      equal = equal && number_of(keys[end]) == number_of(keys[i]);
    if (!equal) std::ranges::stable_sort(keys.subspan(i, end - i), {}, number_of);
  }
}

// Sorts by n_bits of the upper halves in so many passes, whose other bits are the same and whose owners ascend, and
// adds what they stand for to the sorted numbers.
template <int n_bits, int n_passes, class RowOf, class NumberOf>
void add_sorted(std::span<std::uint64_t> keys, std::uint64_t* other, const RowOf& row_of, const NumberOf& number_of,
                SortedNumbers& sorted) {
  if (keys.size() < worth_counting)
    std::sort(keys.begin(), keys.end());
  else
    sort_by_counting<n_bits, n_passes>(keys.data(), other, keys.size());
  sort_equal_halves(keys, number_of);
  const std::size_t first = sorted.rows.size();
  sorted.rows.resize(first + keys.size());
  sorted.numbers.resize(first + keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    sorted.rows[first + i] = row_of(keys[i]);
    sorted.numbers[first + i] = number_of(keys[i]);
  }
}

}  // namespace

SortedNumbers sorted_numbers(Numbers given, std::uint32_t n_rows, std::uint32_t n_known, bool single,
                             EncodingScratch& scratch) {
  SortedNumbers sorted;
  sorted.rows.reserve(n_known);
  sorted.numbers.reserve(n_known);
  const auto number_at = [&](std::uint32_t row) {
    const double number = single ? static_cast<double>(static_cast<float>(given[row])) : given[row];
    return number + 0.0;  // -0 becomes 0
  };
  const auto for_each_known = [&](const auto& use) {
    for (std::uint32_t row = 0; row < n_rows; ++row)
      if (!std::isnan(given[row])) use(number_at(row), row);
  };
  const auto make_room = [&](std::size_t n) {
    scratch.keys.resize(std::max(scratch.keys.size(), n));
    scratch.other_keys.resize(scratch.keys.size());
  };
  if (n_known <= stay_in_cache) {
    make_room(n_known);
    std::size_t n = 0;
    for_each_known([&](double number, std::uint32_t row) { scratch.keys[n++] = key_of(number, row); });
    add_sorted<8, 4>(std::span(scratch.keys).first(n), scratch.other_keys.data(), owner_of,
                     [&](std::uint64_t key) { return number_at(owner_of(key)); }, sorted);
    return sorted;
  }
  // Divided by their uppermost bits as they come, so that whatever follows stays in the cache.
  scratch.rows.resize(std::max<std::size_t>(scratch.rows.size(), n_known));
  scratch.numbers.resize(scratch.rows.size());
  const auto bucket_of = [](double number) { return sortable(number) >> (32 - n_upper); };
  std::vector<std::uint32_t> ends(std::size_t{1} << n_upper, 0);
  for_each_known([&](double number, std::uint32_t) { ++ends[bucket_of(number)]; });
  make_room(*std::ranges::max_element(ends));
  std::uint32_t start = 0;
  for (std::uint32_t& end : ends) start += std::exchange(end, start);
  for_each_known([&](double number, std::uint32_t row) {
    const std::uint32_t place = ends[bucket_of(number)]++;
    scratch.rows[place] = row;
    scratch.numbers[place] = number;
  });
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    const std::uint32_t* const rows = scratch.rows.data() + begin;
    const double* const numbers = scratch.numbers.data() + begin;
    const std::uint32_t n = end - std::exchange(begin, end);
    for (std::uint32_t i = 0; i < n; ++i) scratch.keys[i] = key_of(numbers[i], i);
    add_sorted<(32 - n_upper) / 2, 2>(
        std::span(scratch.keys).first(n), scratch.other_keys.data(), [=](std::uint64_t key) { return rows[owner_of(key)]; },
        [=](std::uint64_t key) { return numbers[owner_of(key)]; }, sorted);
  }
  return sorted;
}

}  // namespace weaklearn::data
