// The best cut of a continuous attribute, by C4.5's rules: between values more than 1e-5 apart, with at
// least `minsplit` on each side, the lowest of the cuts of greatest gain, and a charge for having had
// a choice (the penalty of Release 8).
#pragma once

#include <cmath>

#include "splitters/node_view.hpp"

namespace weaklearn::splitters {

// Rows by code count the classes present only, lists all that are declared.
inline std::uint32_t class_of(const CodedRow& element, const NodeView&) { return element.local_class; }
inline std::uint32_t class_of(const data::Entry& element, const NodeView& node) {
  return node.tagging.class_of(element.tag);
}
inline std::uint32_t row_of(const CodedRow& element, const NodeView&) { return element.row; }
inline std::uint32_t row_of(const data::Entry& element, const NodeView& node) { return node.tagging.row(element.tag); }

// Walks the cuts upwards, keeping class weights and sums of terms on both sides.
template <class Weights>
class CutSearch {
 public:
  using Count = typename Weights::Count;

  // `high` holds the known weight per class, `low` zeros; `parts` in how many parts the weight per class
  // will be moved, so that what is left after the last one is nothing, not a rounding error.
  CutSearch(const Weights& weights, const NodeView& node, const data::Column& column, std::span<Count> low,
            std::span<Count> high, std::span<std::uint32_t> parts)
      : weights_(weights), node_(node), column_(column), low_(low.data()), high_(high.data()), parts_(parts.data()) {
    for (const Count x : high) {
      known_ += x;
      high_sum_ += weights.term(x);
    }
    whole_ = weights.impurity(high_sum_, known_);
    const double known = static_cast<double>(known_);
    double minsplit = 0.10 * known / static_cast<double>(node.class_weights.size());
    if (at_most(minsplit, node.min_objects))
      minsplit = node.min_objects;
    else if (minsplit > 25.0)
      minsplit = 25.0;
    lowest_ = Weights::least(minsplit - slack_at(minsplit));
    highest_ = Weights::greatest(known - minsplit + slack_at(known - minsplit));
    if (less(known, 2 * node.min_objects)) highest_ = 0;  // no cut is possible
    // Splits that gain nothing are no splits: start as if one of gain zero were held.
    below_ = whole_ - criteria::slack * node.total;
    if (column.values.empty()) return;
    // How far the difference of two rounded values can be from that of the values themselves.
    const double largest = std::max(std::abs(column.values.front()), std::abs(column.values.back()));
    const double rounding = largest * (column.single_precision ? 1e-15 : 2.5e-7);
    clearly_apart_ = closest_ + rounding;
    clearly_close_ = closest_ - rounding;
  }

  // Over a node's rows in ascending order of value.
  template <class Element>
  void scan(std::span<const Element> list) {
    // Local copies: the compiler could not keep members in registers beside writes to the counts.
    const Weights weights = weights_;
    Count* const low = low_;
    Count* const high = high_;
    std::uint32_t* const parts = parts_;
    const Count lowest = lowest_;
    const Count highest = highest_;
    Count low_weight = 0;
    double low_sum = 0.0;
    double high_sum = high_sum_;
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
      const std::uint32_t k = class_of(list[i], node_);
      const Count w = weights.weight_of(row_of(list[i], node_));
      const Count rest = Weights::rest(high[k], w, parts, k);
      low_sum += weights.step_up(low[k], w);
      high_sum -= weights.step_down(high[k], rest);
      low[k] += w;
      high[k] = rest;
      low_weight += w;
      if (low_weight < lowest) continue;
      if (low_weight > highest) break;
      consider(list[i], list[i + 1], low_weight, low_sum, high_sum);
    }
  }

  // Over the weights of a node by code and class.
  void scan(std::span<const Count> cells, std::uint32_t n_codes, std::size_t n_local) {
    Count low_weight = 0;
    double low_sum = 0.0;
    double high_sum = high_sum_;
    bool any = false;  // whether a value below has been seen, and which was the last
    std::uint32_t last = 0;
    for (std::uint32_t code = 0; code < n_codes; ++code) {
      const Count* row = cells.data() + code * n_local;
      Count weight = 0;
      for (std::size_t k = 0; k < n_local; ++k) weight += row[k];
      if (weight == 0) continue;
      if (any && low_weight >= lowest_) {
        if (low_weight > highest_) break;
        consider(CodedRow{last, 0, 0}, CodedRow{code, 0, 0}, low_weight, low_sum, high_sum);
      }
      for (std::size_t k = 0; k < n_local; ++k) {
        if (row[k] == 0) continue;
        // One addition to each sum: the next one has to wait for it.
        const Count rest = Weights::rest(high_[k], row[k], parts_, static_cast<std::uint32_t>(k));
        low_sum += weights_.term(low_[k] + row[k]) - weights_.term(low_[k]);
        high_sum += weights_.term(rest) - weights_.term(high_[k]);
        low_[k] += row[k];
        high_[k] = rest;
      }
      low_weight += weight;
      any = true;
      last = code;
    }
  }

  Split best() const {
    Split split;
    if (best_low_ == best_high_) return split;
    double gain = (whole_ - best_parts_) / node_.total;
    if (node_.threshold_penalty) gain -= std::log2(static_cast<double>(tries_)) / node_.total;
    if (at_most(gain, 0.0)) return split;
    const double known = static_cast<double>(known_);
    const double low = static_cast<double>(best_weight_);
    split.gain = gain;
    split.split_info = (weights_.x_log2_x(node_.total) - weights_.x_log2_x(node_.total - known) -
                        weights_.x_log2_x(low) - weights_.x_log2_x(known - low)) /
                       node_.total;
    split.test = graph::Test::threshold;
    split.low_code = best_low_;
    split.high_code = best_high_;
    split.n_branches = 2;
    return split;
  }

 private:
  static constexpr double closest_ = 1e-5;  // C4.5 separates only values further apart

  std::uint32_t code(const CodedRow& element) const { return element.code; }
  std::uint32_t code(const data::Entry& element) const { return code_of(column_, row_of(element, node_)); }


  bool apart(const CodedRow& below, const CodedRow& above) const {
    return column_.values[below.code] < column_.values[above.code] - closest_;
  }
  bool apart(const data::Entry& below, const data::Entry& above) const {
    const double gap = static_cast<double>(above.value) - static_cast<double>(below.value);
    if (gap > clearly_apart_) return true;
    if (gap < clearly_close_) return false;
    return apart(CodedRow{code(below), 0, 0}, CodedRow{code(above), 0, 0});
  }

  template <class Element>
  void consider(const Element& below, const Element& above, Count low_weight, double low_sum, double high_sum) {
    if (!apart(below, above)) return;
    ++tries_;
    const Count high_weight = known_ - low_weight;
    const double parts = weights_.impurity(low_sum, low_weight) + weights_.impurity(high_sum, high_weight);
    if (parts >= below_) return;
    if (less(static_cast<double>(low_weight), node_.min_objects) ||
        less(static_cast<double>(high_weight), node_.min_objects))
      return;
    best_parts_ = parts;
    best_low_ = code(below);
    best_high_ = code(above);
    best_weight_ = low_weight;
    below_ = parts - criteria::slack * std::max(node_.total, whole_ - parts);
  }

  const Weights& weights_;
  const NodeView& node_;
  const data::Column& column_;
  Count* low_;
  Count* high_;
  std::uint32_t* parts_;
  double clearly_apart_ = 0.0;
  double clearly_close_ = 0.0;
  Count known_ = 0;
  Count lowest_ = 0;   // bounds of the weight below a cut
  Count highest_ = 0;
  double high_sum_ = 0.0;
  double whole_ = 0.0;  // impurity of all known rows, times their weight
  double below_ = 0.0;  // what the parts must stay below to beat the best
  double best_parts_ = 0.0;
  std::uint32_t best_low_ = 0;
  std::uint32_t best_high_ = 0;
  Count best_weight_ = 0;
  std::uint64_t tries_ = 0;
};

template <class Weights, class Element>
Split best_cut_of_list(const Weights& weights, const NodeView& node, const data::Column& column,
                       std::span<const Element> list, Scratch& scratch) {
  using Count = typename Weights::Count;
  auto& counts = scratch.counts<Count>();
  constexpr bool local = std::is_same_v<Element, CodedRow>;
  const std::size_t n_classes = local ? node.n_local : node.class_weights.size();
  counts.low.assign(n_classes, 0);
  if (!local && Weights::whole && list.size() == node.rows.size()) {
    counts.high.resize(n_classes);
    for (std::size_t k = 0; k < n_classes; ++k) counts.high[k] = static_cast<Count>(node.class_weights[k]);
  } else {
    counts.high.assign(n_classes, 0);
    counts.parts.assign(n_classes, 0);
    for (const Element& element : list) {
      const std::uint32_t k = class_of(element, node);
      counts.high[k] += weights.weight_of(row_of(element, node));
      ++counts.parts[k];
    }
  }
  CutSearch<Weights> search(weights, node, column, counts.low, counts.high, counts.parts);
  search.scan(list);
  return search.best();
}

template <class Weights>
Split best_cut_of_table(const Weights& weights, const NodeView& node, const data::Column& column,
                        std::span<const typename Weights::Count> cells, Scratch& scratch) {
  auto& counts = scratch.counts<typename Weights::Count>();
  const std::size_t n_local = node.n_local;
  counts.low.assign(n_local, 0);
  counts.high.assign(n_local, 0);
  counts.parts.assign(n_local, 0);
  for (std::uint32_t code = 0; code < column.n_codes; ++code)
    for (std::size_t k = 0; k < n_local; ++k) {
      counts.high[k] += cells[code * n_local + k];
      if constexpr (!Weights::whole) counts.parts[k] += cells[code * n_local + k] != 0;
    }
  CutSearch<Weights> search(weights, node, column, counts.low, counts.high, counts.parts);
  search.scan(cells, column.n_codes, n_local);
  return search.best();
}

}  // namespace weaklearn::splitters
