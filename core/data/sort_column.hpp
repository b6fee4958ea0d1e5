// Sorting the numbers of a column.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/numbers.hpp"

namespace weaklearn::data {

// Memory that a thread reuses for every column. Fresh pages would cost as much as the sorting.
struct SortScratch {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> other_keys;
  std::vector<std::uint32_t> rows;
  std::vector<double> numbers;
};

// The rows with a known value and their numbers, by ascending number, then by row.
struct SortedNumbers {
  std::vector<std::uint32_t> rows;
  std::vector<double> numbers;
};

// Sorts the numbers of a column. With `single`, numbers are rounded to float32 first. -0 becomes 0.
SortedNumbers sorted_numbers(Numbers numbers, std::uint32_t n_rows, std::uint32_t n_known, bool single,
                             SortScratch& scratch);

// Sorts numbers, none of which is NaN or -0.
void sort_numbers(std::span<double> numbers, SortScratch& scratch);

}  // namespace weaklearn::data
