// The codes of numbers in a column that is cut into bins. cut_into_bins.hpp makes the bins of a column in memory,
// bin_summary.hpp those of a column that is read in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/numbers.hpp"

namespace weaklearn::data {

struct Bins {
  std::vector<double> tops;      // the greatest number of each bin, ascending
  bool single_precision = true;  // whether numbers are rounded to float32 before they are compared with the tops

  std::uint32_t n_codes() const { return static_cast<std::uint32_t>(tops.size()); }
};

// Returns whether ascending numbers stay finite and different when they are rounded to float32.
bool fits_single(const std::vector<double>& values);

// Returns bins with these greatest numbers. They are rounded to float32 if `single`, or if they stay different and need
// not be `exact`.
Bins make_bins(std::vector<double> tops, bool single, bool exact);

// Writes the code of each number: the first bin whose top is not less, or n_codes() for NaN. A number above the last
// top gets the last bin.
void find_bins(const Bins& bins, Numbers numbers, std::size_t n_rows, std::uint8_t* codes);
void find_bins(const Bins& bins, Numbers numbers, std::size_t n_rows, std::uint16_t* codes);
void find_bins(const Bins& bins, Numbers numbers, std::size_t n_rows, std::uint32_t* codes);

}  // namespace weaklearn::data
