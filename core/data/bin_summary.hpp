// What the bins of a column need to know of its numbers, for a column that is read in parts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "data/bins.hpp"
#include "data/cut_into_bins.hpp"
#include "data/number_range.hpp"
#include "data/numbers.hpp"
#include "data/sort_column.hpp"

namespace weaklearn::data {

// Parts may be added and merged in any order. The result is that of cut_into_bins() for the whole column. A summary
// takes at most about 1.5 MB, and 8 bytes for each bin.
class BinSummary {
 public:
  // `n_known` is the number of rows of the whole column that have a value, or 0 if it is not known. With it, the
  // summary of a part keeps only those of its rows that the bins are made from.
  explicit BinSummary(std::uint32_t max_bins, std::uint64_t n_known = 0);

  // Adds a part of the column. Its rows have the positions first_row, first_row + 1, ... in the whole column. NaN is
  // missing. Throws std::invalid_argument for an infinite number; the summary must not be used then.
  void add(Numbers numbers, std::size_t n_rows, std::uint64_t first_row);
  // The same for several columns, which are read together (row_blocks.hpp). `ranges` are those of the columns, or empty
  // if they are not known.
  static void add(std::span<BinSummary* const> summaries, std::span<const Numbers> columns, std::size_t n_rows,
                  std::uint64_t first_row, std::span<const NumberRange> ranges = {});

  // Adds the rows of another summary, which must be others than those added so far. Throws std::invalid_argument if
  // its max_bins or n_known differs.
  void merge(const BinSummary& other);
  // Returns the summary of the rows of all parts, of which there must be one or more.
  static BinSummary merged(std::span<const BinSummary* const> parts);

  // Returns the tops of the bins, as cut_into_bins() does; none if every row is missing.
  // Throws std::invalid_argument if n_known was given and is not the number of rows with a value.
  BinTops tops() const;
  // Returns the bins of several columns (make_bins). `parts[c]` are the summaries of the parts of a column.
  static std::vector<Bins> bins(std::span<const std::vector<const BinSummary*>> parts, const std::vector<bool>& exact,
                                std::uint32_t n_threads = 1);

  std::uint32_t max_bins() const { return max_bins_; }
  std::uint64_t n_rows() const { return n_rows_; }
  std::uint64_t n_missing() const { return n_missing_; }

  // All of a summary, to send it to another process.
  struct State {
    std::uint32_t max_bins = 2;
    std::uint64_t n_known = 0;
    std::uint64_t n_rows = 0;
    std::uint64_t n_missing = 0;
    double highest = -std::numeric_limits<double>::infinity();
    std::vector<double> distinct;
    std::vector<std::uint64_t> hashes;  // of the sampled rows; none if n_known is given
    std::vector<double> numbers;
  };
  State state() const;
  // Throws std::invalid_argument for a state that no summary has.
  static BinSummary from_state(State state);

 private:
  std::uint64_t n_known() const { return n_rows_ - n_missing_; }
  BinTops tops(SortScratch& scratch) const;
  bool has_many() const { return distinct_.size() > max_bins_; }
  bool knows_limit() const { return n_known_in_all_ > 0; }
  HashLimit limit() const { return HashLimit(knows_limit() ? n_known_in_all_ : n_known()); }
  void count(const NumberRange& range, std::size_t n_rows);
  void note_distinct(Numbers numbers, std::uint32_t n_rows);
  void add_distinct(double number);
  void drop_unneeded();

  std::uint32_t max_bins_;
  std::uint64_t n_known_in_all_;  // 0 if it is not known
  std::uint64_t n_rows_ = 0;
  std::uint64_t n_missing_ = 0;
  double highest_ = -std::numeric_limits<double>::infinity();
  std::vector<double> distinct_;  // ascending; with max_bins + 1 numbers it is complete no longer
  // The sampled rows, among them all that the bins are made from: their hashes, unless the limit is known, and numbers.
  std::vector<std::uint64_t> hashes_;
  std::vector<double> numbers_;
};

}  // namespace weaklearn::data
