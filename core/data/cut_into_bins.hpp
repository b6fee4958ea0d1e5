// Bins: the numbers of a column cut into intervals of about equally many rows, so that a column has few codes. The
// value of a bin is the greatest number in it, so every threshold is a number of the table. The greatest is that of the
// sample from which the bins are made, except for the last bin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/bins.hpp"
#include "data/numbers.hpp"
#include "data/sort_column.hpp"
#include "parallel/seeded_random.hpp"

namespace weaklearn::data {

// The bins of a column are made from all rows that have a value, if these are few. Of more they are made from those
// whose hash is lowest: about as many, and the same ones in whatever order or in how many parts the table is read.
constexpr std::uint32_t rows_for_bins = 1U << 16;

// Returns the hash of the row at this position.
inline std::uint64_t hash_of_row(std::uint64_t row) { return parallel::SeededRandom::seed_of(0, row); }

// Decides which of the rows that have a value the bins are made from. With more such rows, fewer hashes are included.
class HashLimit {
 public:
  explicit HashLimit(std::uint64_t n_known);
  bool includes(std::uint64_t hash) const { return all_ || hash < limit_; }
  // Returns the limit that includes more.
  static HashLimit looser(const HashLimit& a, const HashLimit& b) {
    return a.all_ || (!b.all_ && a.limit_ >= b.limit_) ? a : b;
  }

 private:
  bool all_;
  std::uint64_t limit_ = 0;
};

// Returns the tops of at most `max_bins` bins. They are made from the numbers of the sampled rows, which ascend. The
// last one is `highest`, the greatest number of all rows. Without sampled rows there is one bin.
BinTops tops_of_bins(std::span<const double> sampled, double highest, std::uint32_t max_bins);

// Return the rows that the bins of a column are made from, ascending: of a column without missing values, and of one
// with `n_known` values that are not NaN.
std::vector<std::uint32_t> sampled_rows(std::uint32_t n_rows);
std::vector<std::uint32_t> sampled_rows(Numbers numbers, std::uint32_t n_rows, std::uint32_t n_known);

// Returns the distinct numbers of a column if there are at most `max_bins`. Otherwise it returns the tops of at most
// `max_bins` bins. A number that occurs in more rows than a bin would have gets a bin of its own.
// NaN is missing, and there must be a number. `sampled` are the rows of sampled_rows(), `highest` is the greatest
// number. With `single`, numbers are rounded to float32 first.
BinTops cut_into_bins(Numbers numbers, std::uint32_t n_rows, std::span<const std::uint32_t> sampled, double highest,
                      bool single, std::uint32_t max_bins, SortScratch& scratch);

}  // namespace weaklearn::data
