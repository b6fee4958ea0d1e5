// Some rows of a dataset, renumbered, with each column in the form in which cuts are searched again and again: rows by
// ascending value if the column has many values, codes if it has few. It is built once and read in every round of
// boosting.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::parallel {
class ThreadPool;
}

namespace weaklearn::data {

struct PresortedColumn {
  static constexpr std::uint32_t same = 1U << 31;  // marks a row with the same value as the row before

  bool listed = false;               // whether `order` is used; otherwise `codes` is
  std::vector<std::uint32_t> order;  // rows with a known value, by ascending value
  Codes codes;                       // per row
  std::vector<bool> occurs;          // per code: whether a row has it
};

struct PresortedRows {
  std::vector<std::uint32_t> rows;  // rows of the dataset, ascending; everything else refers to positions in this list
  std::vector<PresortedColumn> columns;
};

// Sorts the columns of the given rows, which must ascend.
PresortedRows presort_rows(const Dataset& dataset, std::vector<std::uint32_t> rows, parallel::ThreadPool& pool);

// Partitions rows into the first and the second side of a split.
std::pair<PresortedRows, PresortedRows> partition(const Dataset& dataset, const PresortedRows& rows,
                                                  const std::vector<bool>& second_side, parallel::ThreadPool& pool);

}  // namespace weaklearn::data
