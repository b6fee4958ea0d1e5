// Bins: the numbers of a column cut into intervals of about equally many rows, so that a column has few codes. The
// value of a bin is the greatest number in it, so every threshold is a number of the table. The greatest is that of the
// sample from which the bins are made, except for the last bin.
#pragma once

#include <cstdint>
#include <vector>

#include "data/numbers.hpp"
#include "data/sort_column.hpp"

namespace weaklearn::data {

// The rows that bins are made from are all rows of a small table. Of a larger one they are those whose hash is lowest:
// about as many, and the same ones in whatever order or in how many parts the table is read.
constexpr std::uint32_t rows_for_bins = 1U << 16;

// Returns the distinct numbers of a column if there are at most `max_bins`. Otherwise it returns the value of each of
// at most `max_bins` bins. Both ascend. A number that occurs in more rows than a bin would have gets a bin of its own.
// NaN is missing, and there must be a number. `highest` is the greatest number. With `single`, numbers are rounded to
// float32 first.
std::vector<double> cut_into_bins(Numbers numbers, std::uint32_t n_rows, double highest, bool single,
                                  std::uint32_t max_bins, SortScratch& scratch);

}  // namespace weaklearn::data
