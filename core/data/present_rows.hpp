// The rows that a fit uses: those of positive weight.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::data {

struct PresentRows {
  PresentRows(const Dataset& dataset, std::span<const double> all_weights) {
    for (std::uint32_t row = 0; row < dataset.n_rows; ++row) {
      if (!(all_weights[row] > 0.0)) continue;
      rows.push_back(row);
      weights.push_back(all_weights[row]);
    }
  }

  std::vector<std::uint32_t> rows;  // ascending
  std::vector<double> weights;      // of each of them
};

}  // namespace weaklearn::data
