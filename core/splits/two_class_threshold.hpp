// The cuts of rows of two classes, in blocks. Most need not be worked out: it can be told which may be the best.
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

// The number where the condition is 1, 0 where it is 0. Written as a choice it becomes a jump, which is guessed wrong
// for every other row.
inline double only_if(double x, std::uint32_t condition) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & -std::uint64_t{condition});
}
inline std::uint32_t only_if(std::uint32_t x, std::uint32_t condition) { return x & -condition; }

// Some cuts, one after another, each after a row.
template <class Count>
struct TwoClassBlock {
  static constexpr std::size_t room = 4 * block_rows;
  std::size_t begin = 0;  // the first row
  std::size_t n = 0;
  Count first[room];   // weight of each class below
  Count second[room];
  float parts[room];   // as screened

  Count low(std::size_t i) const { return first[i] + second[i]; }
};

// Impurities are those of both sides, times their weights; as screened, over the weight of all.
template <class Weights, class Element>
class TwoClassCuts {
 public:
  using Count = typename Weights::Count;
  using Block = TwoClassBlock<Count>;

  TwoClassCuts(const Weights& weights, const NodeView& node, const Sides<Count>& sides, std::span<const Element> rows,
               Survey<Count>& survey)
      : weights_(weights),
        tagging_(node.tagging),
        rows_(rows),
        all_{sides.high[0], sides.high[1]},
        survey_(survey) {
    for (std::uint32_t k = 0; k < 2; ++k) {
      last_[k] = rows.size() - 1;
      while (last_[k] > 0 && class_of(rows[last_[k]], tagging_) != k) --last_[k];
    }
  }

  // To be called before anything is asked of a block by its number. Calls see(b) for each block as it passes.
  template <class See>
  void survey(const See& see) {
    n_blocks_ = (rows_.size() - 1 + block_rows - 1) / block_rows;
    survey_.make_room(n_blocks_ + 1 + screened_at_once);
    Count* const first = survey_.first.data();
    Count* const second = survey_.second.data();
    first[0] = second[0] = 0;
    for (std::size_t b = 0; b < n_blocks_; ++b) {
      const auto moved = sum_by_class(rows_.subspan(b * block_rows, n_cuts(b)));
      first[b + 1] = first[b] + moved[0];
      second[b + 1] = second[b] + moved[1];
      see(b);
    }
    fill_up(first, n_blocks_ + 1);
    fill_up(second, n_blocks_ + 1);
    screen_at(first, second, n_blocks_ + 1, survey_.at_end.data());
    screen_at(first, second + 1, n_blocks_, survey_.corner.data());
    screen_at(first + 1, second, n_blocks_, survey_.other_corner.data());
  }

  std::size_t n_blocks() const { return n_blocks_; }
  std::size_t n_cuts(std::size_t b) const {
    return std::min<std::size_t>(block_rows, rows_.size() - 1 - b * block_rows);
  }
  std::size_t last_row(std::size_t b) const { return b * block_rows + n_cuts(b) - 1; }
  // The weight below a block's first row; of the number of blocks, that below the last cut.
  Count low_at(std::size_t b) const { return survey_.first[b] + survey_.second[b]; }
  float at_end(std::size_t b) const { return survey_.at_end[b + 1]; }
  // No cut of the block has less. The weights after each of its rows lie in a rectangle: between those before the first
  // and those after the last. Impurity is concave, so nowhere in there is it less than at the corners.
  float least(std::size_t b) const {
    return std::min({survey_.at_end[b], survey_.at_end[b + 1], survey_.corner[b], survey_.other_corner[b]});
  }

  // The cuts of a block that was surveyed, or those of all rows where they find room.
  void look_into(std::size_t b, Block& block) const {
    move_rows(b * block_rows, n_cuts(b), survey_.first[b], survey_.second[b], block);
  }
  void look_into_all(Block& block) const { move_rows(0, rows_.size() - 1, 0, 0, block); }

  // Of the i-th cut, worked out.
  double parts(const Block& block, std::size_t i) const {
    return parts_after(block.begin + i, block.first[i], block.second[i]);
  }
  double parts_at_end(std::size_t b) const {
    return parts_after(last_row(b), survey_.first[b + 1], survey_.second[b + 1]);
  }

 private:
  // Up to this count, terms are looked up; the table of more does not stay in the cache.
  static constexpr std::uint32_t most_looked_up = 1U << 15;

  void move_rows(std::size_t begin, std::size_t n, Count first, Count second, Block& block) const {
    block.begin = begin;
    block.n = n;
    for (std::size_t i = 0; i < n; ++i) {
      const Element& row = rows_[begin + i];
      const std::uint32_t k = class_of(row, tagging_);
      const Count w = weights_.weight_of(row_of(row, tagging_));
      block.first[i] = first += only_if(w, 1 - k);
      block.second[i] = second += only_if(w, k);
    }
    fill_up(block.first, n);
    fill_up(block.second, n);
    screen_at(block.first, block.second, n, block.parts);
  }

  // Several cuts are screened at once.
  static void fill_up(Count* numbers, std::size_t n) {
    for (; n % screened_at_once != 0; ++n) numbers[n] = 0;
  }

  void screen_at(const Count* first, const Count* second, std::size_t n, float* parts) const {
    if constexpr (Weights::whole) {
      if (all_[0] + all_[1] > most_looked_up) {
        screen_counts(first, second, n, parts);
        return;
      }
      const double scale = 1.0 / (all_[0] + all_[1]);
      for (std::size_t i = 0; i < n; ++i)
        parts[i] = static_cast<float>(scale * parts_of(first[i], second[i], all_[0] - first[i], all_[1] - second[i]));
    } else {
      screen(weights_.criterion, first, second, n, all_, parts);
    }
  }

  void screen_counts(const Count* first, const Count* second, std::size_t n, float* parts) const {
    const double all[2] = {static_cast<double>(all_[0]), static_cast<double>(all_[1])};
    double numbers[2][block_rows] = {};
    for (std::size_t i = 0; i < n; i += block_rows) {
      const std::size_t size = std::min<std::size_t>(block_rows, n - i);
      std::copy_n(first + i, size, numbers[0]);
      std::copy_n(second + i, size, numbers[1]);
      screen(weights_.criterion, numbers[0], numbers[1], size, all, parts + i);
    }
  }

  std::array<Count, 2> sum_by_class(std::span<const Element> rows) const {
    if constexpr (Weights::whole) {
      Count n_second = 0;
      for (const Element& row : rows) n_second += class_of(row, tagging_);
      return {static_cast<Count>(rows.size()) - n_second, n_second};
    } else if constexpr (std::is_same_v<Element, data::Entry>) {
      return splits::sum_by_class(rows, weights_.weights, tagging_);
    } else {
      std::array<Count, 2> sums{};
      for (const Element& row : rows) sums[class_of(row, tagging_)] += weights_.weight_of(row_of(row, tagging_));
      return sums;
    }
  }

  double parts_of(Count low_first, Count low_second, Count high_first, Count high_second) const {
    return weights_.impurity(weights_.term(low_first) + weights_.term(low_second), low_first + low_second) +
           weights_.impurity(weights_.term(high_first) + weights_.term(high_second), high_first + high_second);
  }

  // Where the last row of a class is below the cut, rounding would leave a little of it above.
  double parts_after(std::size_t row, Count first, Count second) const {
    return parts_of(first, second, row < last_[0] && all_[0] > first ? all_[0] - first : Count{0},
                    row < last_[1] && all_[1] > second ? all_[1] - second : Count{0});
  }

  const Weights& weights_;
  data::Tagging tagging_;
  std::span<const Element> rows_;
  Count all_[2];         // weight by class
  std::size_t last_[2];  // the last row of each
  std::size_t n_blocks_ = 0;
  Survey<Count>& survey_;
};

}  // namespace weaklearn::splits
