// What the bins of a column need to know of its numbers, for a column that is read in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "data/numbers.hpp"

namespace weaklearn::data {

// Parts may be added and merged in any order. The result is that of cut_into_bins() for the whole column. A summary
// takes at most about 1.5 MB, and 8 bytes for each bin.
class BinSummary {
 public:
  // A row that the bins may be made from: its hash and its number.
  struct Sampled {
    std::uint64_t hash;
    double number;
  };

  explicit BinSummary(std::uint32_t max_bins);

  // Adds a part of the column. Its rows have the positions first_row, first_row + 1, ... in the whole column. NaN is
  // missing. Throws std::invalid_argument for an infinite number; the summary must not be used then.
  void add(Numbers numbers, std::size_t n_rows, std::uint64_t first_row);

  // Adds the rows of another summary, which must be others than those added so far. Throws std::invalid_argument if
  // its max_bins differs.
  void merge(const BinSummary& other);

  // Returns the greatest number of each bin, ascending, as cut_into_bins() does; nothing if every row is missing.
  std::vector<double> tops() const;

  std::uint32_t max_bins() const { return max_bins_; }
  std::uint64_t n_rows() const { return n_rows_; }
  std::uint64_t n_missing() const { return n_missing_; }

  // All of a summary, to send it to another process.
  struct State {
    std::uint32_t max_bins = 2;
    std::uint64_t n_rows = 0;
    std::uint64_t n_missing = 0;
    double highest = -std::numeric_limits<double>::infinity();
    std::vector<double> distinct;
    std::vector<std::uint64_t> hashes;
    std::vector<double> numbers;
  };
  State state() const;
  // Throws std::invalid_argument for a state that no summary has.
  static BinSummary from_state(const State& state);

 private:
  std::uint64_t n_known() const { return n_rows_ - n_missing_; }
  bool has_many() const { return distinct_.size() > max_bins_; }
  void add_distinct(double number);
  void drop_unneeded();

  std::uint32_t max_bins_;
  std::uint64_t n_rows_ = 0;
  std::uint64_t n_missing_ = 0;
  double highest_ = -std::numeric_limits<double>::infinity();
  std::vector<double> distinct_;  // ascending; with max_bins + 1 numbers it is complete no longer
  std::vector<Sampled> sample_;  // at least the rows of lowest hashes
};

}  // namespace weaklearn::data
