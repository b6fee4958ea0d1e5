// The stump that AdaBoost for real-valued hypotheses adds to a separator. It says -1 or 1: on one side of a cut
// and the other for a continuous attribute; for each value of a nominal one what most of its weight says, which
// is the best of all groupings and as quick to find as any. It says 0, abstains, where the value is unknown or
// favours neither. A constant is a stump as well: a lopsided sample asks for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/presorted_rows.hpp"

namespace weaklearn::separators {

struct SignStump {
  static constexpr std::int32_t constant = -1;
  static constexpr std::int32_t none = -2;

  double edge = 0.0;                   // the sum of w y h
  std::int32_t attribute = none;
  double sign = 1.0;                   // of a constant, or above the cut
  std::uint32_t low = 0;               // codes on both sides of the cut
  std::uint32_t high = 0;
  std::vector<std::int8_t> of_value;   // nominal: -1, 0 or 1
};

// Memory that a thread uses again for every column.
struct SignScratch {
  std::vector<double> of_code;
};

// The best stump on one column: of edges that are equal (`slack`) the lowest cut. `signed_weights` holds w y of
// each of the rows, `sum` their sum.
SignStump sign_stump(const data::Dataset& dataset, const data::PresortedRows& rows, std::uint32_t column,
                     std::span<const double> signed_weights, double sum, double slack, SignScratch& scratch);

// What a stump says to each of the rows.
void say(const SignStump& stump, const data::Dataset& dataset, const data::PresortedRows& rows,
         std::span<double> outputs);

}  // namespace weaklearn::separators
