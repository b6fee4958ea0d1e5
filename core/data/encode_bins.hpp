// Encodes columns of numbers that are cut into bins (cut_into_bins.hpp).
//
// Columns are read together (row_blocks.hpp), and no column is copied:
//
//     1. ranges     all rows, block by block
//     2. bins       the sampled rows of each column
//     3. codes      all rows, block by block
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "data/bins.hpp"
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

// Codes in the narrowest type that also holds the code of missing values.
using CodeVector = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

// Return the codes of columns that have these bins (BinFinder::find); without a pool in this thread.
std::vector<CodeVector> codes_by_bins(std::span<const Numbers> columns, std::span<const Bins> bins,
                                      std::uint32_t n_rows, parallel::ThreadPool& pool);
std::vector<CodeVector> codes_by_bins(std::span<const Numbers> columns, std::span<const Bins> bins,
                                      std::uint32_t n_rows);

// Returns the columns with at most `max_bins` codes each. With `single`, numbers are rounded to float32 first. Throws
// std::invalid_argument, with the index of the column, on an infinite value.
std::vector<Column> encode_by_bins(std::span<const NumbersToBin> columns, std::uint32_t n_rows, bool single,
                                   std::uint32_t max_bins, parallel::ThreadPool& pool);

}  // namespace weaklearn::data
