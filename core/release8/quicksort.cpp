#include "release8/quicksort.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace weaklearn::release8 {
namespace {

struct Parts {
  std::size_t lower_end;    // items [0, lower_end) are less than the pivot
  std::size_t upper_start;  // items [upper_start, size) are greater; those between are equal to it
};

Parts partition_by_last(std::span<SortItem> items) {
  const std::size_t last = items.size() - 1;
  const float pivot = items[last].value;
  std::size_t middle = 0;
  for (std::size_t i = 0; i < last; ++i)
    if (items[i].value <= pivot) std::swap(items[middle++], items[i]);
  std::size_t lower_end = middle;
  for (std::size_t i = middle; i-- > 0;)
    if (items[i].value == pivot) std::swap(items[--lower_end], items[i]);
  std::swap(items[middle], items[last]);
  return {lower_end, middle + 1};
}

// The number of items in front of the longest sorted rear part in which each is greater than all in
// front of it. On that part the quicksort would only swap items with themselves, in quadratic time.
std::size_t before_settled(std::span<const SortItem> items) {
  std::size_t start = 0;
  float largest = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const float value = items[i].value;
    if (value < largest || (i == start && value == largest)) start = i + 1;
    largest = std::max(largest, value);
  }
  return start;
}

}  // namespace

// The original sorts the lower part before it moves the pivot into place. These steps touch
// different items, so their order is free: recursing into the smaller part bounds the stack.
void sort_release8(std::span<SortItem> items) {
  while (items.size() > 1) {
    const Parts parts = partition_by_last(items);
    const std::span<SortItem> lower = items.first(parts.lower_end);
    const std::span<SortItem> upper = items.subspan(parts.upper_start);
    if (upper.empty()) {  // the last was the largest: perhaps more of the rear is in place
      items = lower.first(before_settled(lower));
      continue;
    }
    const bool lower_is_smaller = lower.size() < upper.size();
    sort_release8(lower_is_smaller ? lower : upper);
    items = lower_is_smaller ? upper : lower;
  }
}

}  // namespace weaklearn::release8
