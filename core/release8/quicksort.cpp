#include "release8/quicksort.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace weaklearn::release8 {
namespace {

struct Parts {
  std::size_t lower_end;    // rows [0, lower_end) are less than the pivot
  std::size_t upper_start;  // rows [upper_start, size) are greater; the rows between are equal to it
};

Parts partition_by_last(std::span<SortedRow> rows) {
  const std::size_t last = rows.size() - 1;
  const float pivot = rows[last].value;
  std::size_t middle = 0;
  for (std::size_t i = 0; i < last; ++i)
    if (rows[i].value <= pivot) std::swap(rows[middle++], rows[i]);
  std::size_t lower_end = middle;
  for (std::size_t i = middle; i-- > 0;)
    if (rows[i].value == pivot) std::swap(rows[--lower_end], rows[i]);
  std::swap(rows[middle], rows[last]);
  return {lower_end, middle + 1};
}

// Finds the longest sorted part at the end in which each value is greater than all values before it, and returns the
// number of rows before that part. In that part the quicksort would only swap rows with themselves, in quadratic time.
std::size_t n_before_sorted_end(std::span<const SortedRow> rows) {
  std::size_t start = 0;
  float largest = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float value = rows[i].value;
    if (value < largest || (i == start && value == largest)) start = i + 1;
    largest = std::max(largest, value);
  }
  return start;
}

}  // namespace

// The original sorts the lower part before it moves the pivot to its position. These steps touch different rows, so
// their order does not matter. Recursion into the smaller part bounds the stack.
void sort_release8(std::span<SortedRow> rows) {
  while (rows.size() > 1) {
    const Parts parts = partition_by_last(rows);
    const std::span<SortedRow> lower = rows.first(parts.lower_end);
    const std::span<SortedRow> upper = rows.subspan(parts.upper_start);
    if (upper.empty()) {  // the last row was the largest; more of the end may be sorted already
      rows = lower.first(n_before_sorted_end(lower));
      continue;
    }
    const bool lower_is_smaller = lower.size() < upper.size();
    sort_release8(lower_is_smaller ? lower : upper);
    rows = lower_is_smaller ? upper : lower;
  }
}

}  // namespace weaklearn::release8
