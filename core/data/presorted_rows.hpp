// Some rows of a dataset, numbered anew, with each column in the form in which cuts are looked for again and
// again: by ascending value if it has many, as codes if it has few. Made once, read in every round of boosting.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::parallel {
class Pool;
}

namespace weaklearn::data {

struct OrderedColumn {
  static constexpr std::uint32_t same = 1U << 31;  // marks a row whose value is that of the one before

  bool listed = false;               // whether `order` holds the rows; else `codes` does
  std::vector<std::uint32_t> order;  // rows of known value by ascending value
  Codes codes;                       // per row
  std::vector<bool> occurs;          // per code, unknown left out
};

struct OrderedRows {
  std::vector<std::uint32_t> rows;  // of the dataset, ascending; all else speaks of places in this list
  std::vector<OrderedColumn> columns;
};

// `rows` ascend.
OrderedRows ordered_rows(const Dataset& dataset, std::vector<std::uint32_t> rows, parallel::Pool& pool);

// Those of the second side and the others, first the others.
std::pair<OrderedRows, OrderedRows> divide(const Dataset& dataset, const OrderedRows& rows,
                                           const std::vector<bool>& second_side, parallel::Pool& pool);

}  // namespace weaklearn::data
