// The rows of one fit: a dataset, the weight of each row, and what follows from them once for the whole tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::tree {

struct TrainingRows {
  TrainingRows(const data::Dataset& dataset, std::span<const double> weights);

  const data::Dataset& dataset;
  std::vector<double> weights;         // per row
  std::vector<std::uint32_t> present;  // rows of weight > 0, ascending
  double total = 0.0;
  bool unit = true;                    // all present rows weigh 1
  bool may_be_fractional = false;      // some weight is not 1, or a missing value may make it so

  // The largest number of rows of weight 1 that a node can have.
  std::uint32_t largest_count() const { return unit ? static_cast<std::uint32_t>(present.size()) : 0; }

  // Returns the code of C4.5's threshold for a cut between two codes. It is the greatest value of all present rows that
  // does not exceed the midpoint.
  std::uint32_t cut_between(std::size_t column, std::uint32_t low_code, std::uint32_t high_code) const;

 private:
  std::vector<std::vector<bool>> occurs_;  // per column and code; empty if all rows are present
};

}  // namespace weaklearn::tree
