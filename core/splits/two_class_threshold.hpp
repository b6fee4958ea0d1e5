// Finds the best threshold for rows of two classes. The search works on blocks of rows and skips blocks that cannot
// contain the best cut:
//   1. A survey sums the weights of each block and estimates the impurity at its corners (see lower_bound).
//   2. Blocks whose lower bound is above the best impurity so far are skipped.
//   3. The cuts of the other blocks are estimated in single precision, and only the good ones are computed exactly.
// CutSearch in threshold.hpp decides which cuts are good enough. This file computes weights and impurities.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "splits/float_screen.hpp"
#include "splits/row_blocks.hpp"
#include "splits/sorted_scan.hpp"

namespace weaklearn::splits {

// Returns x if the condition is 1, and 0 if it is 0. A conditional expression would become a branch, which is predicted
// wrongly for every other row.
inline double value_if(double x, std::uint32_t condition) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & -std::uint64_t{condition});
}
inline std::uint32_t value_if(std::uint32_t x, std::uint32_t condition) { return x & -condition; }

// Consecutive cuts, one after each row from `begin` on.
template <class Count>
struct TwoClassBlock {
  static constexpr std::size_t room = 4 * block_rows;
  std::size_t begin = 0;  // the first row
  std::size_t n = 0;  // the number of cuts
  Count first[room];  // weight of the first class below each cut
  Count second[room];  // weight of the second class below each cut
  float impurity[room];  // estimated, divided by the known weight

  Count low(std::size_t i) const { return first[i] + second[i]; }
};

// Computes the impurities of cuts: exactly as double, or estimated as float. Estimates are divided by the known weight.
template <class Weights, class Element>
class TwoClassCuts {
 public:
  using Count = typename Weights::Count;
  using Block = TwoClassBlock<Count>;

  TwoClassCuts(const Weights& weights, const NodeView& node, const Sides<Count>& sides, std::span<const Element> rows,
               BlockSurvey<Count>& survey)
      : weights_(weights), tagging_(node.tagging), rows_(rows), all_{sides.high[0], sides.high[1]}, survey_(survey) {
    for (std::uint32_t k = 0; k < 2; ++k) {
      last_[k] = rows.size() - 1;
      while (last_[k] > 0 && class_of(rows[last_[k]], tagging_) != k) --last_[k];
    }
  }

  // Surveys all blocks. The functions that take a block index need this first. Calls visit(b) while the rows of block b
  // are in the cache.
  template <class Visit>
  void survey(const Visit& visit) {
    n_blocks_ = (rows_.size() - 1 + block_rows - 1) / block_rows;
    survey_.reserve(n_blocks_ + 1 + screened_at_once);
    Count* const first = survey_.first.data();
    Count* const second = survey_.second.data();
    first[0] = second[0] = 0;
    for (std::size_t b = 0; b < n_blocks_; ++b) {
      const auto moved = sum_by_class(rows_.subspan(b * block_rows, n_cuts(b)));
      first[b + 1] = first[b] + moved[0];
      second[b + 1] = second[b] + moved[1];
      visit(b);
    }
    pad_with_zeros(first, n_blocks_ + 1);
    pad_with_zeros(second, n_blocks_ + 1);
    screen_at(first, second, n_blocks_ + 1, survey_.at_start.data());
    screen_at(first, second + 1, n_blocks_, survey_.second_moved.data());
    screen_at(first + 1, second, n_blocks_, survey_.first_moved.data());
  }

  std::size_t n_blocks() const { return n_blocks_; }
  std::size_t n_cuts(std::size_t b) const {
    return std::min<std::size_t>(block_rows, rows_.size() - 1 - b * block_rows);
  }
  std::size_t last_row(std::size_t b) const { return b * block_rows + n_cuts(b) - 1; }
  // The weight below the first row of block b. low_at(n_blocks()) is the weight below the last cut.
  Count low_at(std::size_t b) const { return survey_.first[b] + survey_.second[b]; }
  float at_end(std::size_t b) const { return survey_.at_start[b + 1]; }
  // The estimated impurity of every cut in the block is at least this. Each cut is a point (weight of the first class
  // below, weight of the second class below). All cuts of the block lie in the rectangle between the points before and
  // after the block. Impurity is concave, so its least value in the rectangle is at one of the four corners:
  //
  //     second  second_moved +-----------+ at_start[b + 1]
  //       ^                  |   cuts    |
  //       |                  |           |
  //       |      at_start[b] +-----------+ first_moved
  //       +--------> first
  float lower_bound(std::size_t b) const {
    return std::min({survey_.at_start[b], survey_.at_start[b + 1], survey_.second_moved[b], survey_.first_moved[b]});
  }

  // Fills a TwoClassBlock with the cuts of a surveyed block, or of all rows if they fit.
  void load_block(std::size_t b, Block& block) const {
    move_rows(b * block_rows, n_cuts(b), survey_.first[b], survey_.second[b], block);
  }
  void load_all(Block& block) const { move_rows(0, rows_.size() - 1, 0, 0, block); }

  // The exact impurity of the i-th cut.
  double impurity(const Block& block, std::size_t i) const {
    return impurity_after(block.begin + i, block.first[i], block.second[i]);
  }
  double impurity_at_end(std::size_t b) const {
    return impurity_after(last_row(b), survey_.first[b + 1], survey_.second[b + 1]);
  }

 private:
  // The table of terms up to this count stays in the cache. Beyond it, estimates are faster than the table.
  static constexpr std::uint32_t largest_cached_count = 1U << 15;

  void move_rows(std::size_t begin, std::size_t n, Count first, Count second, Block& block) const {
    block.begin = begin;
    block.n = n;
    const Weights weights = weights_;  // a local copy stays in registers
    for (std::size_t i = 0; i < n; ++i) {
      const Element& row = rows_[begin + i];
      const std::uint32_t k = class_of(row, tagging_);
      const Count w = weights.weight_of(row_of(row, tagging_));
      block.first[i] = first += value_if(w, 1 - k);
      block.second[i] = second += value_if(w, k);
    }
    pad_with_zeros(block.first, n);
    pad_with_zeros(block.second, n);
    screen_at(block.first, block.second, n, block.impurity);
  }

  // Several cuts are estimated per instruction, so the arrays are filled to a multiple of that.
  static void pad_with_zeros(Count* numbers, std::size_t n) {
    for (; n % screened_at_once != 0; ++n) numbers[n] = 0;
  }

  void screen_at(const Count* first, const Count* second, std::size_t n, float* impurity) const {
    if constexpr (Weights::unit) {
      if (all_[0] + all_[1] > largest_cached_count) {
        screen_counts(first, second, n, impurity);
        return;
      }
      const double scale = 1.0 / (all_[0] + all_[1]);
      for (std::size_t i = 0; i < n; ++i)
        impurity[i] =
            static_cast<float>(scale * impurity_of_sides(first[i], second[i], all_[0] - first[i], all_[1] - second[i]));
    } else {
      screen(weights_.criterion, first, second, n, all_, impurity);
    }
  }

  void screen_counts(const Count* first, const Count* second, std::size_t n, float* impurity) const {
    const double all[2] = {static_cast<double>(all_[0]), static_cast<double>(all_[1])};
    double numbers[2][block_rows] = {};
    for (std::size_t i = 0; i < n; i += block_rows) {
      const std::size_t size = std::min<std::size_t>(block_rows, n - i);
      std::copy_n(first + i, size, numbers[0]);
      std::copy_n(second + i, size, numbers[1]);
      screen(weights_.criterion, numbers[0], numbers[1], size, all, impurity + i);
    }
  }

  std::array<Count, 2> sum_by_class(std::span<const Element> rows) const {
    if constexpr (Weights::unit) {
      Count n_second = 0;
      for (const Element& row : rows) n_second += class_of(row, tagging_);
      return {static_cast<Count>(rows.size()) - n_second, n_second};
    } else if constexpr (std::is_same_v<Element, data::Entry>) {
      return splits::sum_by_class(rows, weights_.weights.numbers(), tagging_);
    } else {
      std::array<Count, 2> sums{};
      for (const Element& row : rows) sums[class_of(row, tagging_)] += weights_.weight_of(row_of(row, tagging_));
      return sums;
    }
  }

  double impurity_of_sides(Count low_first, Count low_second, Count high_first, Count high_second) const {
    return weights_.impurity(weights_.term(low_first) + weights_.term(low_second), low_first + low_second) +
           weights_.impurity(weights_.term(high_first) + weights_.term(high_second), high_first + high_second);
  }

  // The weight above of a class whose last row is below the cut is 0. A difference would contain a rounding error.
  double impurity_after(std::size_t row, Count first, Count second) const {
    return impurity_of_sides(first, second, row < last_[0] && all_[0] > first ? all_[0] - first : Count{0},
                             row < last_[1] && all_[1] > second ? all_[1] - second : Count{0});
  }

  const Weights& weights_;
  data::Tagging tagging_;
  std::span<const Element> rows_;
  Count all_[2];  // per class: its known weight
  std::size_t last_[2];  // per class: its last row
  std::size_t n_blocks_ = 0;
  BlockSurvey<Count>& survey_;
};

}  // namespace weaklearn::splits
