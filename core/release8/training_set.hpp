// The training rows as C4.5 Release 8 stores them: float32 values, and -999 for a missing value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::release8 {

// A genuine value of -999 counts as missing, too, as in the original.
inline constexpr float missing_value = -999.0F;

struct Column {
  bool nominal = false;
  bool ignored = false;                // a nominal column with fewer than two values
  std::uint32_t n_values = 0;          // nominal: declared values
  std::vector<std::uint32_t> codes;    // nominal, per row: 1, 2, ... for the values, 0 for a missing value
  std::vector<float> values;           // continuous, per row
  std::vector<std::uint32_t> ranks;    // continuous, per row: the position of the value among all values
  std::vector<float> rank_values;      // continuous: the value of each rank
  std::vector<float> distinct_values;  // continuous: the values of rows with weight, ascending

  bool is_missing(std::uint32_t row) const { return nominal ? codes[row] == 0 : values[row] == missing_value; }
  // Returns the largest value in the whole training set that is <= bound. There must be such a value.
  float largest_value_up_to(float bound) const;
};

struct TrainingSet {
  TrainingSet(const data::Dataset& dataset, std::span<const double> weights);

  std::uint32_t n_classes;
  std::span<const std::int32_t> classes;  // per row
  std::vector<Column> columns;
  std::vector<float> weights;       // per row; a row of weight 0 is absent
  std::vector<std::uint32_t> rows;  // the rows that are present, in file order
  double total_weight = 0.0;
  bool unit_weights = true;  // every row present has weight 1
  // If no value is missing and all weights are integers, every float32 sum is exact in any order.
  bool order_matters = false;
};

}  // namespace weaklearn::release8
