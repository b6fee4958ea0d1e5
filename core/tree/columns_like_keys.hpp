// Columns like keys: nominal columns whose values hardly repeat, such as order numbers and names. Groups of such values
// separate the rows of a node perfectly, and say nothing about other rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/tolerance.hpp"
#include "data/dataset.hpp"
#include "tree/weight_unit.hpp"

namespace weaklearn::tree {

// `total` is the weight of all rows.
inline bool is_like_key(const data::Column& column, double total) {
  constexpr std::uint32_t few_values = 20;
  return column.nominal && column.n_codes >= few_values && criteria::more(column.n_codes, 0.2 * total);
}

// Rows that are counted elsewhere (counted_rows.hpp): behind the tables of a node are, of each column that may be like
// a key, the rows of each value, whatever they weigh. The parts of the rows do not know the total, but its least value.
class RowsOfKeys {
 public:
  RowsOfKeys(const data::Dataset& dataset, const WeightUnit& unit) : starts_{0} {
    for (const data::Column& column : dataset.columns)
      starts_.push_back(starts_.back() + (is_like_key(column, unit.least_total()) ? column.n_codes : 0));
  }

  std::size_t n_cells() const { return starts_.back(); }
  // Returns the cells of a column; none if it is not like a key. `cells` are those of all columns.
  template <class Cell>
  std::span<Cell> of_column(std::span<Cell> cells, std::size_t column) const {
    return cells.subspan(starts_[column], starts_[column + 1] - starts_[column]);
  }

 private:
  std::vector<std::size_t> starts_;  // per column: its first cell; then the number of cells
};

}  // namespace weaklearn::tree
