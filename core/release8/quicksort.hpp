// The original's quicksort. What it does to the order of equal values is part of the result.
#pragma once

#include <cstdint>
#include <span>

namespace weaklearn::release8 {

struct SortItem {
  float value = 0.0F;
  float weight = 0.0F;
  std::uint32_t row = 0;
  std::uint32_t class_number = 0;
};

// Ascending by value. Quadratic on descending values, like the original: where the order of equal
// values cannot matter, sort otherwise.
void sort_release8(std::span<SortItem> items);

}  // namespace weaklearn::release8
