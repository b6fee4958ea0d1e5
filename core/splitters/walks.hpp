// Walks over a node's rows by ascending value, moving one after the other from above a cut to below it.
// They go by blocks: first where the weights are after each row, then the impurities of all of them,
// so that the processor can take several at a time and nothing waits for a jump.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "splitters/node_view.hpp"

namespace weaklearn::splitters {

constexpr std::uint32_t block_rows = 32;

// With two classes, the weights after each row of a block lie in a rectangle: between those before its first
// and those after its last row. Impurity is concave, so nowhere in there is it less than at the corners; a
// block whose corners are all above the best cut found need not be looked into.
template <class T>
struct Rectangle {
  T first[2];   // weight of the first class below the cut: before the block, and after it
  T second[2];  // of the second class
};

// Rows by code count the classes present only, lists all that are declared.
inline std::uint32_t class_of(const CodedRow& element, data::Tagging) { return element.local_class; }
inline std::uint32_t class_of(const data::Entry& element, data::Tagging tagging) { return tagging.class_of(element.tag); }
inline std::uint32_t row_of(const CodedRow& element, data::Tagging) { return element.row; }
inline std::uint32_t row_of(const data::Entry& element, data::Tagging tagging) { return tagging.row(element.tag); }

// After each row of a block: the weight below the cut, and the impurity of both sides, times their weights.
template <class Count>
struct Block {
  Count low[block_rows];
  double parts[block_rows];
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

// Rows of weight one and any classes.
template <class Weights>
class CountWalk {
 public:
  using Count = typename Weights::Count;
  static_assert(Weights::whole);

  CountWalk(const Weights& weights, const NodeView& node, Sides<Count>& sides)
      : weights_(weights), node_(node), sides_(sides), high_sum_(sides.high_sum) {}

  template <class Element>
  void next(std::span<const Element> rows, Block<Count>& block) {
    // Local copies: the compiler could not keep members in registers beside writes to the counts.
    const data::Tagging tagging = node_.tagging;
    const Weights weights = weights_;
    Count* const low_of = sides_.low.data();
    Count* const high_of = sides_.high.data();
    const Count known = sides_.known;
    Count low = low_;
    double low_sum = low_sum_;
    double high_sum = high_sum_;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t k = class_of(rows[i], tagging);
      low_sum += weights.step(low_of[k]++);
      high_sum -= weights.step(--high_of[k]);
      block.low[i] = ++low;
      block.parts[i] = weights.impurity(low_sum, low) + weights.impurity(high_sum, known - low);
    }
    low_ = low;
    low_sum_ = low_sum;
    high_sum_ = high_sum;
  }

 private:
  const Weights& weights_;
  const NodeView& node_;
  Sides<Count>& sides_;
  Count low_ = 0;
  double low_sum_ = 0.0;
  double high_sum_;
};

// Rows of any weight and any classes.
template <class Weights>
class WeightWalk {
 public:
  static_assert(!Weights::whole);

  WeightWalk(const Weights& weights, const NodeView& node, Sides<double>& sides)
      : weights_(weights), node_(node), sides_(sides), high_sum_(sides.high_sum) {}

  template <class Element>
  void next(std::span<const Element> rows, Block<double>& block) {
    // The weights that change with each row: those of its class, and those of all, below and above the cut.
    const data::Tagging tagging = node_.tagging;
    double changed[4 * block_rows];
    std::uint32_t class_number[block_rows];
    const std::size_t n = rows.size();
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t k = class_of(rows[i], tagging);
      const double w = weights_.weight_of(row_of(rows[i], tagging));
      sides_.move(k, w);
      low_ += w;
      class_number[i] = k;
      changed[i] = sides_.low[k];
      changed[n + i] = sides_.high[k];
      changed[2 * n + i] = block.low[i] = low_;
      changed[3 * n + i] = std::max(sides_.known - low_, 0.0);
    }
    Weights::Criterion::terms(changed, 2 * n);
    if constexpr (Weights::total_is_term) Weights::Criterion::terms(changed + 2 * n, 2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t k = class_number[i];
      low_sum_ += changed[i] - sides_.low_term[k];
      high_sum_ += changed[n + i] - sides_.high_term[k];
      sides_.low_term[k] = changed[i];
      sides_.high_term[k] = changed[n + i];
      block.parts[i] = weights_.impurity_of(low_sum_, changed[2 * n + i]) + weights_.impurity_of(high_sum_, changed[3 * n + i]);
    }
  }

 private:
  const Weights& weights_;
  const NodeView& node_;
  Sides<double>& sides_;
  double low_ = 0.0;
  double low_sum_ = 0.0;
  double high_sum_;
};

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
    bool second[block_rows];
    const std::size_t n = rows.size();
    double low[2] = {low_[0], low_[1]};
    double high[2] = {high_[0], high_[1]};
    std::uint32_t left[2] = {left_[0], left_[1]};
    double all_low = all_low_;
    for (std::size_t i = 0; i < n; ++i) {
      const bool k = class_of(rows[i], tagging) != 0;
      const double w = weights_.weight_of(row_of(rows[i], tagging));
      const double of_first = k ? 0.0 : w;
      const double of_second = k ? w : 0.0;
      left[0] -= !k;
      left[1] -= k;
      low[0] += of_first;
      low[1] += of_second;
      high[0] = left[0] == 0 ? 0.0 : std::max(high[0] - of_first, 0.0);
      high[1] = left[1] == 0 ? 0.0 : std::max(high[1] - of_second, 0.0);
      all_low += w;
      second[i] = k;
      changed[i] = k ? low[1] : low[0];
      changed[n + i] = k ? high[1] : high[0];
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
    double low_term[2] = {low_term_[0], low_term_[1]};
    double high_term[2] = {high_term_[0], high_term_[1]};
    for (std::size_t i = 0; i < n; ++i) {
      low_term[0] = second[i] ? low_term[0] : changed[i];
      low_term[1] = second[i] ? changed[i] : low_term[1];
      high_term[0] = second[i] ? high_term[0] : changed[n + i];
      high_term[1] = second[i] ? changed[n + i] : high_term[1];
      block.parts[i] = weights_.impurity_of(low_term[0] + low_term[1], changed[2 * n + i]) +
                       weights_.impurity_of(high_term[0] + high_term[1], changed[3 * n + i]);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      low_term_[k] = low_term[k];
      high_term_[k] = high_term[k];
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
        const bool k = class_of(row, tagging) != 0;
        const double w = weights_.weight_of(row_of(row, tagging));
        first[lane] += k ? 0.0 : w;
        second[lane] += k ? w : 0.0;
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

// All rows of a value at once, by their table of weights per class: the values that occur, each with what
// is so far moved below the cut. Impurities are worked out where the weight below is within the bounds, and
// the last step is the first one beyond them.
template <class Weights>
class TableWalk {
 public:
  using Count = typename Weights::Count;

  TableWalk(const Weights& weights, Sides<Count>& sides, Count lowest, Count highest)
      : weights_(weights), sides_(sides), lowest_(lowest), highest_(highest) {}

  std::span<const TableStep<Count>> steps(std::span<const Count> cells, std::uint32_t n_codes, std::size_t n_local) {
    sides_.steps.clear();
    if constexpr (!Weights::whole) sides_.make_room(cells.size() + n_codes);
    Count low = 0;
    for (std::uint32_t code = 0; code < n_codes && low <= highest_; ++code) {
      const std::span<const Count> row = cells.subspan(code * n_local, n_local);
      Count weight = 0;
      for (const Count x : row) weight += x;
      if (weight == 0) continue;
      low += weight;
      sides_.steps.push_back({code, low, 0.0});
      if constexpr (Weights::whole)
        move_counts(row, sides_.steps.back());
      else
        move_weights(row, sides_.steps.back());
    }
    if constexpr (!Weights::whole) add_up_weights();
    return sides_.steps;
  }

 private:
  void move_counts(std::span<const Count> row, TableStep<Count>& step) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      sides_.low[k] += row[k];
      sides_.high[k] -= row[k];
    }
    if (step.low < lowest_ || step.low > highest_) return;
    step.parts = weights_.impurity(sum_of_terms(sides_.low), step.low) +
                 weights_.impurity(sum_of_terms(sides_.high), sides_.known - step.low);
  }

  // Several sums side by side: each addition has to wait for the one before.
  double sum_of_terms(std::span<const Count> counts) const {
    double sums[4] = {};
    std::size_t k = 0;
    for (; k + 4 <= counts.size(); k += 4)
      for (std::size_t i = 0; i < 4; ++i) sums[i] += weights_.term(counts[k + i]);
    for (; k < counts.size(); ++k) sums[0] += weights_.term(counts[k]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  // Notes the weights that change, below and above; their terms are taken all at once in the end. What does
  // not change is written too and then overwritten: a jump would be guessed wrong too often.
  void move_weights(std::span<const Count> row, TableStep<Count>& step) {
    double* const low = sides_.low.data();
    double* const high = sides_.high.data();
    std::uint32_t* const left = sides_.left.data();
    std::uint32_t n = n_changed_;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double w = row[k];
      left[k] -= w != 0.0;
      low[k] += w;
      const double rest = std::max(high[k] - w, 0.0);
      high[k] = left[k] == 0 ? 0.0 : rest;
      sides_.which[n] = static_cast<std::uint32_t>(k);
      sides_.changed[2 * n] = low[k];
      sides_.changed[2 * n + 1] = high[k];
      n += w != 0.0;
    }
    n_changed_ = n;
    step.end = n;
  }

  void add_up_weights() {
    auto& steps = sides_.steps;
    auto& changed = sides_.changed;
    const std::size_t n_changed = 2 * std::size_t{n_changed_};
    for (std::size_t s = 0; s < steps.size(); ++s) {
      changed[n_changed + 2 * s] = steps[s].low;
      changed[n_changed + 2 * s + 1] = std::max(sides_.known - steps[s].low, 0.0);
    }
    const std::size_t n_all = n_changed + 2 * steps.size();
    Weights::Criterion::terms(changed.data(), Weights::total_is_term ? n_all : n_changed);
    double low_sum = 0.0;
    double high_sum = sides_.high_sum;
    std::uint32_t i = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (; i < steps[s].end; ++i) {
        const std::uint32_t k = sides_.which[i];
        low_sum += changed[2 * i] - sides_.low_term[k];
        high_sum += changed[2 * i + 1] - sides_.high_term[k];
        sides_.low_term[k] = changed[2 * i];
        sides_.high_term[k] = changed[2 * i + 1];
      }
      steps[s].parts = weights_.impurity_of(low_sum, changed[n_changed + 2 * s]) +
                       weights_.impurity_of(high_sum, changed[n_changed + 2 * s + 1]);
    }
  }

  const Weights& weights_;
  Sides<Count>& sides_;
  Count lowest_;
  Count highest_;
  std::uint32_t n_changed_ = 0;  // classes, counted once for every value that changes them
};

}  // namespace weaklearn::splitters
