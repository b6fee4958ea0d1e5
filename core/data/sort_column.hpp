// Sorting the numbers of a column.
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::data {

// The rows with a known value and their numbers, by ascending number, then by row.
struct SortedNumbers {
  std::vector<std::uint32_t> rows;
  std::vector<double> numbers;
};

// Sorts the numbers of a column. With `single`, numbers are rounded to float32 first. -0 becomes 0.
SortedNumbers sorted_numbers(Numbers numbers, std::uint32_t n_rows, std::uint32_t n_known, bool single,
                             EncodingScratch& scratch);

}  // namespace weaklearn::data
