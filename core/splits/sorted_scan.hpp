// Scans of a sorted list: rows move one by one from above the cut to below it. The scans work in blocks. They first
// compute the weights after each row and then the impurities of all cuts of the block. So several impurities are
// computed per instruction, and there is no branch per row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "splits/node_view.hpp"
#include "splits/row_blocks.hpp"

namespace weaklearn::splits {

// The class index by which the sides of an element are counted: the local class of a CodedRow, the declared class of an
// Entry.
inline std::uint32_t class_of(const CodedRow& element, data::Tagging) { return element.local_class; }
inline std::uint32_t class_of(const data::Entry& element, data::Tagging tagging) {
  return tagging.class_of(element.tag);
}
inline std::uint32_t row_of(const CodedRow& element, data::Tagging) { return element.row; }
inline std::uint32_t row_of(const data::Entry& element, data::Tagging tagging) { return tagging.row(element.tag); }

// The cuts of a block, one after each row: the weight below the cut, and the impurity of the cut.
template <class Count>
struct Block {
  Count low[block_rows];
  double impurity[block_rows];
};

// A scan for unit weights and an additive criterion.
template <class Weights>
class CountScan {
 public:
  using Count = typename Weights::Count;
  static_assert(Weights::unit);

  CountScan(const Weights& weights, const NodeView& node, Sides<Count>& sides)
      : weights_(weights),
        node_(node),
        sides_(sides),
        low_(sides.low_weight),
        low_sum_(sides.low_sum),
        high_sum_(sides.high_sum) {}

  template <class Element>
  void next(std::span<const Element> rows, Block<Count>& block) {
    // Local copies are needed: the compiler cannot keep members in registers while it writes to the counts.
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
      block.impurity[i] = weights.impurity(low_sum, low) + weights.impurity(high_sum, known - low);
    }
    low_ = low;
    low_sum_ = low_sum;
    high_sum_ = high_sum;
  }

 private:
  const Weights& weights_;
  const NodeView& node_;
  Sides<Count>& sides_;
  Count low_;
  double low_sum_;
  double high_sum_;
};

// A scan for real weights and an additive criterion.
template <class Weights>
class WeightScan {
 public:
  static_assert(!Weights::unit);

  WeightScan(const Weights& weights, const NodeView& node, Sides<double>& sides)
      : weights_(weights),
        node_(node),
        sides_(sides),
        low_(sides.low_weight),
        low_sum_(sides.low_sum),
        high_sum_(sides.high_sum) {}

  template <class Element>
  void next(std::span<const Element> rows, Block<double>& block) {
    // `changed` holds the weights that change with each row: its class below and above the cut, all classes below and
    // above.
    const data::Tagging tagging = node_.tagging;
    const Weights weights = weights_;  // a local copy stays in registers
    double changed[4 * block_rows];
    std::uint32_t class_index[block_rows];
    const std::size_t n = rows.size();
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t k = class_of(rows[i], tagging);
      const double w = weights.weight_of(row_of(rows[i], tagging));
      sides_.move(k, w);
      low_ += w;
      class_index[i] = k;
      changed[i] = sides_.low[k];
      changed[n + i] = sides_.high[k];
      changed[2 * n + i] = block.low[i] = low_;
      changed[3 * n + i] = std::max(sides_.known - low_, 0.0);
    }
    Weights::Criterion::terms(changed, Weights::Criterion::total_is_term ? 4 * n : 2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t k = class_index[i];
      low_sum_ += changed[i] - sides_.low_term[k];
      high_sum_ += changed[n + i] - sides_.high_term[k];
      sides_.low_term[k] = changed[i];
      sides_.high_term[k] = changed[n + i];
      if constexpr (!Weights::Criterion::carries_sums) {
        low_sum_ = sum_of(sides_.low_term);
        high_sum_ = sum_of(sides_.high_term);
      }
      block.impurity[i] =
          weights_.impurity_of(low_sum_, changed[2 * n + i]) + weights_.impurity_of(high_sum_, changed[3 * n + i]);
    }
  }

 private:
  const Weights& weights_;
  const NodeView& node_;
  Sides<double>& sides_;
  double low_;
  double low_sum_;
  double high_sum_;
};

// A scan for a general criterion.
template <class Weights>
class GeneralScan {
 public:
  static_assert(!Weights::additive);

  GeneralScan(const Weights& weights, const NodeView& node, Sides<double>& sides)
      : weights_(weights), node_(node), sides_(sides), low_(sides.low_weight) {}

  template <class Element>
  void next(std::span<const Element> rows, Block<double>& block) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double w = weights_.weight_of(row_of(rows[i], node_.tagging));
      sides_.move(class_of(rows[i], node_.tagging), w);
      block.low[i] = low_ += w;
      block.impurity[i] = weights_.criterion.of(sides_.low, low_) +
                          weights_.criterion.of(sides_.high, std::max(sides_.known - low_, 0.0));
    }
  }

 private:
  const Weights& weights_;
  const NodeView& node_;
  Sides<double>& sides_;
  double low_;
};

}  // namespace weaklearn::splits
