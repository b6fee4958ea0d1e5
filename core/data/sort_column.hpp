// The numbers of a column in ascending order.
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::data {

// Of the rows with a known value, by ascending value, then row.
struct SortedNumbers {
  std::vector<std::uint32_t> rows;
  std::vector<double> numbers;
};

// With `single`, numbers are rounded to float32 first. There is no -0 among the sorted ones.
SortedNumbers sorted_numbers(Numbers numbers, std::uint32_t n_rows, std::uint32_t n_known, bool single,
                             EncodingScratch& scratch);

}  // namespace weaklearn::data
