// The training rows as C4.5 Release 8 stores them: float32 values, -999 for unknown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::release8 {

// A genuine -999 is an unknown value, as in the original.
inline constexpr float unknown_value = -999.0F;

struct Attribute {
  bool nominal = false;
  bool ignored = false;                // a nominal attribute with fewer than two values
  std::uint32_t n_values = 0;          // nominal: declared values
  std::vector<std::uint32_t> numbers;  // nominal, per row: 1, 2, ... for the values, 0 for unknown
  std::vector<float> values;           // continuous, per row
  std::vector<float> distinct_values;  // continuous: ascending, those of rows with weight

  bool is_unknown(std::uint32_t row) const {
    return nominal ? numbers[row] == 0 : values[row] == unknown_value;
  }
  // The largest value in the whole training set that is <= bound. There must be one.
  float largest_value_up_to(float bound) const;
};

struct TrainingSet {
  TrainingSet(const data::Dataset& dataset, std::span<const double> weights);

  std::uint32_t n_classes;
  std::span<const std::int32_t> classes;  // per row
  std::vector<Attribute> attributes;
  std::vector<float> weights;       // per row; 0: the row is absent
  std::vector<std::uint32_t> rows;  // those present, in file order
  double total_weight = 0.0;
  bool unit_weights = true;  // every row present has weight 1
  // Without unknown values and with whole weights every float32 sum is exact, whatever its order.
  bool order_matters = false;
};

}  // namespace weaklearn::release8
