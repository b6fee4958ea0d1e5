// Walks over rows of two classes, which can pass over most blocks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

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

  // Passes over a whole block if no cut in it can come below the limit.
  template <class Element>
  bool skip(std::span<const Element> rows, Count lowest, Count highest, double limit) {
    const Count low_after = low_ + static_cast<Count>(rows.size());
    if (low_ < lowest || low_after > highest) return false;
    const data::Tagging tagging = node_.tagging;
    Count n_second = 0;
    for (const Element& row : rows) n_second += class_of(row, tagging);
    const Count first_low = low_ - second_low_;
    const Rectangle<Count> around = {{first_low, low_after - second_low_ - n_second},
                                     {second_low_, second_low_ + n_second}};
    for (const Count first : around.first)
      for (const Count second : around.second) {
        const Count low = first + second;
        const double low_sum = weights_.term(first) + weights_.term(second);
        const double high_sum = weights_.term(first_ - first) + weights_.term(second_ - second);
        if (weights_.impurity(low_sum, low) + weights_.impurity(high_sum, first_ + second_ - low) < limit) return false;
      }
    low_ = low_after;
    second_low_ += n_second;
    return true;
  }

 private:
  const Weights& weights_;
  const NodeView& node_;
  Count first_;
  Count second_;
  Count low_ = 0;
  Count second_low_ = 0;
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
      high_[k] = sides.high[k];
      left_[k] = sides.left[k];
      high_term_[k] = sides.high_term[k];
    }
  }

  template <class Element>
  void next(std::span<const Element> rows, Block<double>& block) {
    const data::Tagging tagging = node_.tagging;
    double changed[4 * block_rows];
    std::uint32_t class_number[block_rows];
    const std::size_t n = rows.size();
    double low[2] = {low_[0], low_[1]};
    double high[2] = {high_[0], high_[1]};
    std::uint32_t left[2] = {left_[0], left_[1]};
    double all_low = all_low_;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t k = class_of(rows[i], tagging);
      const double w = weights_.weight_of(row_of(rows[i], tagging));
      const double of_second = only_if(w, k);
      const double of_first = only_if(w, 1 - k);
      left[0] -= 1 - k;
      left[1] -= k;
      low[0] += of_first;
      low[1] += of_second;
      high[0] = only_if(std::max(high[0] - of_first, 0.0), left[0] != 0);
      high[1] = only_if(std::max(high[1] - of_second, 0.0), left[1] != 0);
      all_low += w;
      class_number[i] = k;
      changed[i] = one_of(low, k);
      changed[n + i] = one_of(high, k);
      changed[2 * n + i] = block.low[i] = all_low;
      changed[3 * n + i] = std::max(known_ - all_low, 0.0);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      low_[k] = low[k];
      high_[k] = high[k];
      left_[k] = left[k];
    }
    all_low_ = all_low;
    Weights::Criterion::terms(changed, Weights::total_is_term ? 4 * n : 2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      low_term_[class_number[i]] = changed[i];
      high_term_[class_number[i]] = changed[n + i];
      block.parts[i] = weights_.impurity_of(low_term_[0] + low_term_[1], changed[2 * n + i]) +
                       weights_.impurity_of(high_term_[0] + high_term_[1], changed[3 * n + i]);
    }
  }

  template <class Element>
  bool skip(std::span<const Element> rows, double lowest, double highest, double limit) {
    if (all_low_ < lowest) return false;
    const data::Tagging tagging = node_.tagging;
    // Sums side by side: each addition has to wait for the one before.
    constexpr std::size_t lanes = 4;
    double first[lanes] = {};
    double second[lanes] = {};
    std::uint32_t n_second = 0;
    for (std::size_t start = 0; start < block_rows; start += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Element& row = rows[start + lane];
        const std::uint32_t k = class_of(row, tagging);
        const double w = weights_.weight_of(row_of(row, tagging));
        first[lane] += only_if(w, 1 - k);
        second[lane] += only_if(w, k);
        n_second += k;
      }
    const std::uint32_t n_first = block_rows - n_second;
    const double moved[2] = {(first[0] + first[1]) + (first[2] + first[3]),
                             (second[0] + second[1]) + (second[2] + second[3])};
    const double all_low = all_low_ + (moved[0] + moved[1]);
    if (all_low > highest) return false;
    const std::uint32_t left[2] = {left_[0] - n_first, left_[1] - n_second};
    double high[2];
    for (std::size_t k = 0; k < 2; ++k) high[k] = left[k] == 0 ? 0.0 : std::max(high_[k] - moved[k], 0.0);
    const Rectangle<double> below = {{low_[0], low_[0] + moved[0]}, {low_[1], low_[1] + moved[1]}};
    const Rectangle<double> above = {{high_[0], high[0]}, {high_[1], high[1]}};

    // Of both sides: a term per class before and after, then one per corner for all.
    double terms[16];
    for (std::size_t i = 0; i < 2; ++i) {
      terms[i] = below.first[i];
      terms[2 + i] = below.second[i];
      terms[4 + i] = above.first[i];
      terms[6 + i] = above.second[i];
      for (std::size_t j = 0; j < 2; ++j) {
        terms[8 + 2 * i + j] = below.first[i] + below.second[j];
        terms[12 + 2 * i + j] = above.first[i] + above.second[j];
      }
    }
    Weights::Criterion::terms(terms, Weights::total_is_term ? 16 : 8);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        if (weights_.impurity_of(terms[i] + terms[2 + j], terms[8 + 2 * i + j]) +
                weights_.impurity_of(terms[4 + i] + terms[6 + j], terms[12 + 2 * i + j]) <
            limit)
          return false;
    all_low_ = all_low;
    for (std::size_t k = 0; k < 2; ++k) {
      low_[k] += moved[k];
      high_[k] = high[k];
      left_[k] = left[k];
    }
    low_term_[0] = terms[1];
    low_term_[1] = terms[3];
    high_term_[0] = terms[5];
    high_term_[1] = terms[7];
    return true;
  }

 private:
  const Weights& weights_;
  const NodeView& node_;
  double known_;
  double all_low_ = 0.0;
  double low_[2] = {};
  double high_[2];
  std::uint32_t left_[2];  // rows of each class above the cut: after the last one nothing is left
  double low_term_[2] = {};
  double high_term_[2];
};

}  // namespace weaklearn::splitters
