#include "data/sort_column.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

namespace weaklearn::data {
namespace {

// Maps float32 numbers to unsigned integers in the same order.
std::uint32_t sortable_bits(double number) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
  return bits & 0x80000000U ? ~bits : bits | 0x80000000U;
}

// The upper half of a key is the rounded number, the lower half its owner: a row, or a position in a bucket.
std::uint64_t key_of(double number, std::uint32_t owner) { return std::uint64_t{sortable_bits(number)} << 32 | owner; }
std::uint32_t owner_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

// Sorts by stable counting passes of n_bits each over the bits of the keys from `first_bit` on. Passes alternate
// between two buffers, so after an even number of passes the keys are back in the first one.
template <int n_bits, int n_passes, int first_bit = 32>
void sort_by_counting(std::uint64_t* from, std::uint64_t* to, std::size_t n) {
  static_assert(n_passes % 2 == 0);
  constexpr std::size_t buckets = std::size_t{1} << n_bits;
  std::uint32_t counts[n_passes][buckets] = {};
  const auto bucket_of = [=](std::uint64_t key, int pass) {
    return (key >> (first_bit + n_bits * pass)) & (buckets - 1);
  };
  for (std::size_t i = 0; i < n; ++i)
    for (int pass = 0; pass < n_passes; ++pass) ++counts[pass][bucket_of(from[i], pass)];
  for (int pass = 0; pass < n_passes; ++pass) {
    std::uint32_t start = 0;
    for (std::uint32_t& count : counts[pass]) start += std::exchange(count, start);
    for (std::size_t i = 0; i < n; ++i) to[counts[pass][bucket_of(from[i], pass)]++] = from[i];
    std::swap(from, to);
  }
}

// Sorts runs of numbers that are equal in float32 but not in double.
template <class NumberOf>
void sort_equal_in_single(std::span<std::uint64_t> keys, const NumberOf& number_of) {
  for (std::size_t i = 0, end = 0; i < keys.size(); i = end) {
    bool equal = true;
    for (end = i + 1; end < keys.size() && keys[end] >> 32 == keys[i] >> 32; ++end)
      equal = equal && number_of(keys[end]) == number_of(keys[i]);
    if (!equal) std::ranges::stable_sort(keys.subspan(i, end - i), {}, number_of);
  }
}

// Sorts keys by the lowest n_bits * n_passes bits of their upper halves and appends their rows and numbers to `sorted`.
// The other bits of the upper halves must be equal, and owners must ascend.
template <int n_bits, int n_passes, class RowOf, class NumberOf>
void add_sorted(std::span<std::uint64_t> keys, std::uint64_t* other, const RowOf& row_of, const NumberOf& number_of,
                SortedNumbers& sorted) {
  constexpr std::size_t worth_counting = 1024;
  if (keys.size() < worth_counting)
    std::sort(keys.begin(), keys.end());
  else
    sort_by_counting<n_bits, n_passes>(keys.data(), other, keys.size());
  sort_equal_in_single(keys, number_of);
  const std::size_t first = sorted.rows.size();
  sorted.rows.resize(first + keys.size());
  sorted.numbers.resize(first + keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    sorted.rows[first + i] = row_of(keys[i]);
    sorted.numbers[first + i] = number_of(keys[i]);
  }
}

// The known numbers of a column in the precision in which they are sorted.
struct KnownNumbers {
  Numbers given;
  std::uint32_t n_rows;
  bool single;

  double number_at(std::uint32_t row) const {
    const double number = single ? static_cast<double>(static_cast<float>(given[row])) : given[row];
    return number + 0.0;  // -0 becomes 0
  }
  template <class Use>
  void for_each(const Use& use) const {
    for (std::uint32_t row = 0; row < n_rows; ++row)
      if (!std::isnan(given[row])) use(number_at(row), row);
  }
};

std::span<std::uint64_t> resize_keys(SortScratch& scratch, std::size_t n) {
  scratch.keys.resize(std::max(scratch.keys.size(), n));
  scratch.other_keys.resize(scratch.keys.size());
  return std::span(scratch.keys).first(n);
}

void sort_in_one_pass(const KnownNumbers& known, std::uint32_t n_known, SortScratch& scratch, SortedNumbers& sorted) {
  const auto keys = resize_keys(scratch, n_known);
  std::size_t n = 0;
  known.for_each([&](double number, std::uint32_t row) { keys[n++] = key_of(number, row); });
  const auto number_of = [&](std::uint64_t key) { return known.number_at(owner_of(key)); };
  add_sorted<8, 4>(keys, scratch.other_keys.data(), owner_of, number_of, sorted);
}

// Distributes numbers and rows into buckets by the uppermost bits. From then on they stay in the cache.
void sort_by_buckets(const KnownNumbers& known, std::uint32_t n_known, SortScratch& scratch, SortedNumbers& sorted) {
  constexpr int n_upper = 12;
  const auto bucket_of = [](double number) { return sortable_bits(number) >> (32 - n_upper); };
  std::vector<std::uint32_t> ends(std::size_t{1} << n_upper, 0);
  known.for_each([&](double number, std::uint32_t) { ++ends[bucket_of(number)]; });
  const auto all_keys = resize_keys(scratch, *std::ranges::max_element(ends));
  std::uint32_t start = 0;
  for (std::uint32_t& end : ends) start += std::exchange(end, start);
  scratch.rows.resize(std::max<std::size_t>(scratch.rows.size(), n_known));
  scratch.numbers.resize(scratch.rows.size());
  known.for_each([&](double number, std::uint32_t row) {
    const std::uint32_t position = ends[bucket_of(number)]++;
    scratch.rows[position] = row;
    scratch.numbers[position] = number;
  });
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    const std::uint32_t* const rows = scratch.rows.data() + begin;
    const double* const numbers = scratch.numbers.data() + begin;
    const auto keys = all_keys.first(end - std::exchange(begin, end));
    for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = key_of(numbers[i], i);
    const auto row_of = [=](std::uint64_t key) { return rows[owner_of(key)]; };
    const auto number_of = [=](std::uint64_t key) { return numbers[owner_of(key)]; };
    add_sorted<(32 - n_upper) / 2, 2>(keys, scratch.other_keys.data(), row_of, number_of, sorted);
  }
}

}  // namespace

SortedNumbers sorted_numbers(Numbers numbers, std::uint32_t n_rows, std::uint32_t n_known, bool single,
                             SortScratch& scratch) {
  constexpr std::uint32_t numbers_that_stay_in_cache = 1U << 17;
  SortedNumbers sorted;
  sorted.rows.reserve(n_known);
  sorted.numbers.reserve(n_known);
  const KnownNumbers known{numbers, n_rows, single};
  if (n_known <= numbers_that_stay_in_cache)
    sort_in_one_pass(known, n_known, scratch, sorted);
  else
    sort_by_buckets(known, n_known, scratch, sorted);
  return sorted;
}

void sort_numbers(std::span<double> numbers, SortScratch& scratch) {
  constexpr std::size_t worth_counting = 4096;
  if (numbers.size() < worth_counting) {
    std::ranges::sort(numbers);
    return;
  }
  // Unsigned integers in the order of the numbers.
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto keys = resize_keys(scratch, numbers.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(numbers[i]);
    keys[i] = (bits & sign) != 0 ? ~bits : bits | sign;
  }
  sort_by_counting<11, 6, 0>(keys.data(), scratch.other_keys.data(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    numbers[i] = std::bit_cast<double>((keys[i] & sign) != 0 ? keys[i] & ~sign : ~keys[i]);
}

}  // namespace weaklearn::data
