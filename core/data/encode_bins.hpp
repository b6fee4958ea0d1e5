// Encodes columns of numbers that are cut into bins (cut_into_bins.hpp).
//
// Tables are often arrays row by row, so columns are read together, a block of rows at a time. No column is copied:
//
//     1. ranges     all rows, block by block
//     2. bins       the sampled rows of each column
//     3. codes      all rows, block by block
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "data/numbers.hpp"

namespace weaklearn::parallel {
class ThreadPool;
}

namespace weaklearn::data {

struct NumbersToBin {
  Numbers numbers;
  bool exact = false;  // keep double precision, as dates need it
  std::size_t index = 0;  // of the column in its table, for messages
};

// Returns the columns with at most `max_bins` codes each. With `single`, numbers are rounded to float32 first. Throws
// std::invalid_argument, with the index of the column, on an infinite value.
std::vector<Column> encode_by_bins(std::span<const NumbersToBin> columns, std::uint32_t n_rows, bool single,
                                   std::uint32_t max_bins, parallel::ThreadPool& pool);

}  // namespace weaklearn::data
