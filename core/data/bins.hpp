// The codes of numbers in a column that is cut into bins. cut_into_bins.hpp makes the bins of a column in memory,
// bin_summary.hpp those of a column that is read in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "data/numbers.hpp"

namespace weaklearn::data {

// The numbers that share a bin with other numbers, among the rows that the bins are made from. They tell how many cuts
// a column would have without bins.
struct SharedBins {
  std::uint32_t n_numbers = 0;  // distinct numbers
  double share = 0.0;           // the share of the rows that have such a number

  bool operator==(const SharedBins&) const = default;
};

struct BinTops {
  std::vector<double> numbers;  // the greatest number of each bin, ascending
  SharedBins shared;
};

struct Bins {
  std::vector<double> tops;      // the greatest number of each bin, ascending
  bool single_precision = true;  // whether numbers are rounded to float32 before they are compared with the tops
  SharedBins shared;

  std::uint32_t n_codes() const { return static_cast<std::uint32_t>(tops.size()); }
};

// Returns whether ascending numbers stay finite and different when they are rounded to float32.
bool fits_single(const std::vector<double>& values);

// Returns bins with these tops. They are rounded to float32 if `single`, or if they stay different and need
// not be `exact`.
Bins make_bins(BinTops tops, bool single, bool exact);

// Finds the bins of numbers. The bins must exist as long as the finder.
class BinFinder {
 public:
  // `n_rows` says how many numbers there will be: with many, a grid of the bins pays.
  BinFinder(const Bins& bins, std::size_t n_rows);
  ~BinFinder();
  BinFinder(BinFinder&&) noexcept;

  // Writes the code of each number: the first bin whose top is not less, or n_codes() for NaN. A number above the last
  // top gets the last bin.
  template <class Code>
  void find(Numbers numbers, std::size_t n_rows, Code* codes) const;

 private:
  class Grid;

  double as_compared(double number) const {
    return bins_.single_precision ? static_cast<double>(static_cast<float>(number)) : number;
  }
  template <std::size_t most_in_cell, class Code>
  void find_by_grid(Numbers numbers, std::size_t n_rows, Code* codes) const;
  template <class Code>
  void find_by_search(Numbers numbers, std::size_t n_rows, Code* codes) const;

  const Bins& bins_;
  std::unique_ptr<const Grid> grid_;  // null if it does not pay
};

}  // namespace weaklearn::data
