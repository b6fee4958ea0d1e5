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

constexpr std::uint32_t block_rows = 64;

// Rows by code count the classes present only, lists all that are declared.
inline std::uint32_t class_of(const CodedRow& element, const NodeView&) { return element.local_class; }
inline std::uint32_t class_of(const data::Entry& element, const NodeView& node) {
  return node.tagging.class_of(element.tag);
}
inline std::uint32_t row_of(const CodedRow& element, const NodeView&) { return element.row; }
inline std::uint32_t row_of(const data::Entry& element, const NodeView& node) { return node.tagging.row(element.tag); }

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
    const Weights weights = weights_;
    const Count first = first_;
    const Count second = second_;
    Count low = low_;
    Count second_low = second_low_;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      second_low += class_of(rows[i], node_);
      const Count first_low = ++low - second_low;
      block.low[i] = low;
      block.parts[i] =
          weights.impurity(weights.term(first_low) + weights.term(second_low), low) +
          weights.impurity(weights.term(first - first_low) + weights.term(second - second_low), first + second - low);
    }
    low_ = low;
    second_low_ = second_low;
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
    const Weights weights = weights_;
    Count* const low_of = sides_.low.data();
    Count* const high_of = sides_.high.data();
    const Count known = sides_.known;
    Count low = low_;
    double low_sum = low_sum_;
    double high_sum = high_sum_;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t k = class_of(rows[i], node_);
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
    double changed[4 * block_rows];
    std::uint32_t class_number[block_rows];
    const std::size_t n = rows.size();
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t k = class_of(rows[i], node_);
      const double w = weights_.weight_of(row_of(rows[i], node_));
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

// All rows of a value at once, by their table of weights per class.
template <class Weights>
class TableWalk {
 public:
  using Count = typename Weights::Count;

  TableWalk(const Weights& weights, Sides<Count>& sides) : weights_(weights), sides_(sides), high_sum_(sides.high_sum) {}

  Count low() const { return low_; }
  double parts() const { return parts_; }

  void move(std::span<const Count> row, Count weight) {
    low_ += weight;
    if constexpr (Weights::whole) {
      for (std::size_t k = 0; k < row.size(); ++k) {
        sides_.low[k] += row[k];
        sides_.high[k] -= row[k];
      }
      parts_ = weights_.impurity(sum_of_terms(sides_.low), low_) +
               weights_.impurity(sum_of_terms(sides_.high), sides_.known - low_);
    } else {
      auto& changed = sides_.changed;
      auto& which = sides_.which;
      which.clear();
      for (std::size_t k = 0; k < row.size(); ++k)
        if (row[k] != 0) which.push_back(static_cast<std::uint32_t>(k));
      const std::size_t n = which.size();
      changed.resize(2 * n + 2);
      for (std::size_t i = 0; i < n; ++i) {
        sides_.move(which[i], row[which[i]]);
        changed[i] = sides_.low[which[i]];
        changed[n + i] = sides_.high[which[i]];
      }
      changed[2 * n] = low_;
      changed[2 * n + 1] = std::max(sides_.known - low_, 0.0);
      Weights::Criterion::terms(changed.data(), Weights::total_is_term ? 2 * n + 2 : 2 * n);
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t k = which[i];
        low_sum_ += changed[i] - sides_.low_term[k];
        high_sum_ += changed[n + i] - sides_.high_term[k];
        sides_.low_term[k] = changed[i];
        sides_.high_term[k] = changed[n + i];
      }
      parts_ = weights_.impurity_of(low_sum_, changed[2 * n]) + weights_.impurity_of(high_sum_, changed[2 * n + 1]);
    }
  }

 private:
  // Several sums side by side: each addition has to wait for the one before.
  double sum_of_terms(std::span<const Count> counts) const {
    double sums[4] = {};
    std::size_t k = 0;
    for (; k + 4 <= counts.size(); k += 4)
      for (std::size_t i = 0; i < 4; ++i) sums[i] += weights_.term(counts[k + i]);
    for (; k < counts.size(); ++k) sums[0] += weights_.term(counts[k]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  const Weights& weights_;
  Sides<Count>& sides_;
  Count low_ = 0;
  double low_sum_ = 0.0;
  double high_sum_;
  double parts_ = 0.0;
};

}  // namespace weaklearn::splitters
