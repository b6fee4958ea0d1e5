// The quicksort of the original. Its order of equal values changes results, so it is reproduced exactly.
#pragma once

#include <cstdint>
#include <span>

namespace weaklearn::release8 {

struct SortedRow {
  float value = 0.0F;
  float weight = 0.0F;
  std::uint32_t row = 0;
  std::uint32_t class_index = 0;
};

// Sorts by ascending value. It takes quadratic time on descending values, like the original. Use another sort if the
// order of equal values cannot matter.
void sort_release8(std::span<SortedRow> rows);

}  // namespace weaklearn::release8
