// The stump that AdaBoost for real-valued hypotheses adds to a separator. Its output is -1 or 1: by a cut for a
// continuous column, per value for a nominal column. The output of a nominal value is the sign of its weight; no other
// choice of signs has a larger edge. The output is 0 if the value is missing or its weight favours neither sign. A
// constant is a stump as well: it is the best one if most of the weight has one sign.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/presorted_rows.hpp"

namespace weaklearn::separators {

struct SignStump {
  static constexpr std::int32_t constant = -1;  // as `column`: the stump is a constant
  static constexpr std::int32_t none = -2;      // as `column`: there is no stump

  double edge = 0.0;  // the sum of signed weight times output
  std::int32_t column = none;
  double sign = 1.0;       // the output of a constant, or above the cut
  std::uint32_t low = 0;   // the greatest code below the cut
  std::uint32_t high = 0;  // the least code above the cut
  std::vector<std::int8_t> value_sign;  // nominal: the output of each value
};

// Memory that a thread reuses for every column.
struct SignScratch {
  std::vector<double> sum_of_code;  // signed weight per code; the last one is that of missing values
};

// Returns the best stump of one column. Edges that differ by at most `slack` are equal, and ties go to the lowest cut.
// `signed_weights` holds one weight per row, and `sum` is their sum.
SignStump sign_stump(const data::Dataset& dataset, const data::PresortedRows& rows, std::uint32_t column,
                     std::span<const double> signed_weights, double sum, double slack, SignScratch& scratch);

// Computes the output of a stump for each row.
void compute_outputs(const SignStump& stump, const data::Dataset& dataset, const data::PresortedRows& rows,
                     std::span<double> outputs);

}  // namespace weaklearn::separators
