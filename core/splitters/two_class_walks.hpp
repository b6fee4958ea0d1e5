// Walks over rows of two classes, which can pass over most blocks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "splitters/blocks.hpp"
#include "splitters/walks.hpp"

namespace weaklearn::splitters {

// With two classes, the weights after each row of a block lie in a rectangle: between those before its first
// and those after its last row. Impurity is concave, so nowhere in there is it less than at the corners; a
// block whose corners are all above the best cut found need not be looked into.
template <class T>
struct Rectangle {
  T first[2];   // weight of the first class below the cut: before the block, and after it
  T second[2];  // of the second class
};

// Passing over blocks, as many at once as seems possible: twice as many after each success, fewer after each failure.
// What a block moves from above the cut to below it is summed up once and kept until the block is behind.
template <class Moved>
class BlocksAhead {
 public:
  // Of the b-th block from here.
  const Moved& operator[](std::size_t b) const { return moved_[(first_ + b) % most]; }

  // Tells how many of the next n_blocks were passed over; none means that the first one has to be walked.
  // moved_by(b) sums up a block; try_to_pass(n) passes over n blocks or says that it cannot.
  template <class MovedBy, class TryToPass>
  std::size_t pass(std::size_t n_blocks, const MovedBy& moved_by, const TryToPass& try_to_pass) {
    for (std::size_t n = std::min(next_, n_blocks); n > 0; n /= 2) {
      for (; size_ < n; ++size_) moved_[(first_ + size_) % most] = moved_by(size_);
      if (!try_to_pass(n)) continue;
      drop(n);
      next_ = std::min(2 * n, most);
      return n;
    }
    if (size_ > 0) drop(1);
    next_ = 1;
    return 0;
  }

 private:
  static constexpr std::size_t most = 16;

  void drop(std::size_t n) {
    first_ += n;
    size_ -= n;
  }

  Moved moved_[most];
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::size_t next_ = 1;
};

// Rows of weight one and of two classes: the counts say all, no sum has to be carried along.
template <class Weights>
class TwoClassWalk {
 public:
  using Count = typename Weights::Count;
  static_assert(Weights::whole);

  TwoClassWalk(const Weights& weights, const NodeView& node, const Sides<Count>& sides)
      : weights_(weights), node_(node), first_(sides.high[0]), second_(sides.high[1]) {}

  template <class Element>
  void next(std::span<const Element> rows, Block<Count>& block) {
    const data::Tagging tagging = node_.tagging;
    const Weights weights = weights_;
    const Count first = first_;
    const Count second = second_;
    Count low = low_;
    Count second_low = second_low_;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      second_low += class_of(rows[i], tagging);
      const Count first_low = ++low - second_low;
      block.low[i] = low;
      block.parts[i] =
          weights.impurity(weights.term(first_low) + weights.term(second_low), low) +
          weights.impurity(weights.term(first - first_low) + weights.term(second - second_low), first + second - low);
    }
    low_ = low;
    second_low_ = second_low;
  }

  // Passes over some whole blocks, the first of those given, if no cut in them can come below the limit, and tells
  // over how many.
  std::size_t pass(std::span<const data::Entry> rows, Count lowest, Count highest, double limit) {
    return ahead_.pass(
        rows.size() / block_rows, [&](std::size_t b) { return moved_by(rows.subspan(b * block_rows, block_rows)); },
        [&](std::size_t n) { return pass_over(n, lowest, highest, limit); });
  }

 private:
  using Moved = Count;  // rows of the second class

  Moved moved_by(std::span<const data::Entry> rows) const {
    const data::Tagging tagging = node_.tagging;
    Moved n_second = 0;
    for (const data::Entry& row : rows) n_second += class_of(row, tagging);
    return n_second;
  }

  bool pass_over(std::size_t n, Count lowest, Count highest, double limit) {
    const Count low_after = low_ + static_cast<Count>(n * block_rows);
    if (low_ < lowest || low_after > highest) return false;
    Count second_after = second_low_;
    for (std::size_t b = 0; b < n; ++b) second_after += ahead_[b];
    const Rectangle<Count> around = {{low_ - second_low_, low_after - second_after}, {second_low_, second_after}};
    for (const Count first : around.first)
      for (const Count second : around.second) {
        const Count low = first + second;
        const double low_sum = weights_.term(first) + weights_.term(second);
        const double high_sum = weights_.term(first_ - first) + weights_.term(second_ - second);
        if (weights_.impurity(low_sum, low) + weights_.impurity(high_sum, first_ + second_ - low) < limit) return false;
      }
    low_ = low_after;
    second_low_ = second_after;
    return true;
  }

  const Weights& weights_;
  const NodeView& node_;
  Count first_;
  Count second_;
  Count low_ = 0;
  Count second_low_ = 0;
  BlocksAhead<Moved> ahead_;
};

// The number where the condition is 1, 0 where it is 0. Written as a choice it becomes a jump, which is guessed wrong
// for every other row.
inline double only_if(double x, std::uint32_t condition) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & -std::uint64_t{condition});
}

inline double one_of(const double (&pair)[2], std::uint32_t k) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(only_if(pair[0], 1 - k)) |
                               std::bit_cast<std::uint64_t>(only_if(pair[1], k)));
}

// Rows of any weight and of two classes: the sums of both stay in registers, and no jump depends on the
// class.
template <class Weights>
class TwoClassWeightWalk {
 public:
  static_assert(!Weights::whole);

  TwoClassWeightWalk(const Weights& weights, const NodeView& node, const Sides<double>& sides)
      : weights_(weights), node_(node), known_(sides.known) {
    for (std::size_t k = 0; k < 2; ++k) {
      here_.high[k] = sides.high[k];
      here_.left[k] = sides.left[k];
      here_.high_term[k] = sides.high_term[k];
    }
  }

  template <class Element>
  void next(std::span<const Element> rows, Block<double>& block) {
    const data::Tagging tagging = node_.tagging;
    double changed[4 * block_rows];
    std::uint32_t class_number[block_rows];
    const std::size_t n = rows.size();
    Cut cut = here_;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t k = class_of(rows[i], tagging);
      const double w = weights_.weight_of(row_of(rows[i], tagging));
      const double of_second = only_if(w, k);
      const double of_first = only_if(w, 1 - k);
      cut.left[0] -= 1 - k;
      cut.left[1] -= k;
      cut.low[0] += of_first;
      cut.low[1] += of_second;
      cut.high[0] = only_if(std::max(cut.high[0] - of_first, 0.0), cut.left[0] != 0);
      cut.high[1] = only_if(std::max(cut.high[1] - of_second, 0.0), cut.left[1] != 0);
      cut.all_low += w;
      class_number[i] = k;
      changed[i] = one_of(cut.low, k);
      changed[n + i] = one_of(cut.high, k);
      changed[2 * n + i] = block.low[i] = cut.all_low;
      changed[3 * n + i] = std::max(known_ - cut.all_low, 0.0);
    }
    Weights::Criterion::terms(changed, Weights::total_is_term ? 4 * n : 2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      cut.low_term[class_number[i]] = changed[i];
      cut.high_term[class_number[i]] = changed[n + i];
      block.parts[i] = weights_.impurity_of(cut.low_term[0] + cut.low_term[1], changed[2 * n + i]) +
                       weights_.impurity_of(cut.high_term[0] + cut.high_term[1], changed[3 * n + i]);
    }
    here_ = cut;
  }

  std::size_t pass(std::span<const data::Entry> rows, double lowest, double highest, double limit) {
    return ahead_.pass(
        rows.size() / block_rows,
        [&](std::size_t b) { return sum_by_class(rows.data() + b * block_rows, weights_.weights, node_.tagging); },
        [&](std::size_t n) { return pass_over(rows.first(n * block_rows), lowest, highest, limit); });
  }

 private:
  // Where the walk is: the weights on both sides of a cut.
  struct Cut {
    double all_low = 0.0;
    double low[2] = {};
    double high[2];
    std::uint32_t left[2];  // rows of each class above: after the last one nothing is left
    double low_term[2] = {};
    double high_term[2];
  };

  bool pass_over(std::span<const data::Entry> rows, double lowest, double highest, double limit) {
    if (here_.all_low < lowest) return false;
    Cut after = here_;
    for (std::size_t b = 0; b < rows.size() / block_rows; ++b) {
      const ClassSums& moved = ahead_[b];
      after.all_low += moved.weight[0] + moved.weight[1];
      for (std::size_t k = 0; k < 2; ++k) {
        after.left[k] -= moved.rows[k];
        after.low[k] += moved.weight[k];
        after.high[k] = after.left[k] == 0 ? 0.0 : std::max(after.high[k] - moved.weight[k], 0.0);
      }
    }
    if (after.all_low > highest) return false;

    // Of both sides: a term per class after the blocks, those before being known, then one per corner for all.
    double terms[12] = {after.low[0], after.low[1], after.high[0], after.high[1]};
    const Cut* const corners[2] = {&here_, &after};
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        terms[4 + 2 * i + j] = corners[i]->low[0] + corners[j]->low[1];
        terms[8 + 2 * i + j] = corners[i]->high[0] + corners[j]->high[1];
      }
    Weights::Criterion::terms(terms, Weights::total_is_term ? 12 : 4);
    for (std::size_t k = 0; k < 2; ++k) {
      after.low_term[k] = terms[k];
      after.high_term[k] = terms[2 + k];
    }
    const auto parts_at = [&](std::size_t i, std::size_t j) {
      return weights_.impurity_of(corners[i]->low_term[0] + corners[j]->low_term[1], terms[4 + 2 * i + j]) +
             weights_.impurity_of(corners[i]->high_term[0] + corners[j]->high_term[1], terms[8 + 2 * i + j]);
    };
    if (parts_at(0, 0) < limit || parts_at(1, 1) < limit) return false;
    // Where the last row of a class is among them, rounding would leave a little of it above.
    const bool worth_a_look = rows.size() == block_rows && after.left[0] > 0 && after.left[1] > 0;
    if ((parts_at(0, 1) < limit || parts_at(1, 0) < limit) && !(worth_a_look && runs_stay_above(rows, limit))) return false;
    here_ = after;
    return true;
  }

  // Whether no cut in a block comes below the limit, its ends being known not to: while rows of one class move,
  // impurity is concave, so that it is least where the class changes.
  bool runs_stay_above(std::span<const data::Entry> rows, double limit) const {
    const data::Tagging tagging = node_.tagging;
    double of_class[2 * block_rows];
    double of_all[2 * block_rows];
    std::uint32_t class_number[block_rows];
    double low[2] = {here_.low[0], here_.low[1]};
    std::size_t n = 0;
    std::uint32_t k = class_of(rows[0], tagging);
    for (std::size_t i = 0; i + 1 < block_rows; ++i) {
      const double w = weights_.weight_of(row_of(rows[i], tagging));
      const std::uint32_t next_class = class_of(rows[i + 1], tagging);
      low[0] += only_if(w, 1 - k);
      low[1] += only_if(w, k);
      const double high[2] = {std::max(here_.high[0] - (low[0] - here_.low[0]), 0.0),
                              std::max(here_.high[1] - (low[1] - here_.low[1]), 0.0)};
      // Written after every row, kept where the class changes.
      class_number[n] = k;
      of_class[2 * n] = one_of(low, k);
      of_class[2 * n + 1] = one_of(high, k);
      of_all[2 * n] = low[0] + low[1];
      of_all[2 * n + 1] = high[0] + high[1];
      n += next_class ^ k;
      k = next_class;
    }
    Weights::Criterion::terms(of_class, 2 * n);
    if constexpr (Weights::total_is_term) Weights::Criterion::terms(of_all, 2 * n);
    double low_term[2] = {here_.low_term[0], here_.low_term[1]};
    double high_term[2] = {here_.high_term[0], here_.high_term[1]};
    for (std::size_t i = 0; i < n; ++i) {
      low_term[class_number[i]] = of_class[2 * i];
      high_term[class_number[i]] = of_class[2 * i + 1];
      if (weights_.impurity_of(low_term[0] + low_term[1], of_all[2 * i]) +
              weights_.impurity_of(high_term[0] + high_term[1], of_all[2 * i + 1]) <
          limit)
        return false;
    }
    return true;
  }

  const Weights& weights_;
  const NodeView& node_;
  double known_;
  Cut here_;
  BlocksAhead<ClassSums> ahead_;
};

}  // namespace weaklearn::splitters
