// The best cut of a continuous attribute, by C4.5's rules: between values more than 1e-5 apart, with at
// least `minsplit` on each side, the lowest of the cuts of greatest gain, and a charge for having had
// a choice (the penalty of Release 8).
#pragma once

#include <cmath>

#include "splitters/node_view.hpp"

namespace weaklearn::splitters {

// Walks the cuts upwards, keeping class weights and sums of terms on both sides.
template <class Weights>
class CutSearch {
 public:
  using Count = typename Weights::Count;

  // `high` holds the known weight per class, `low` zeros.
  CutSearch(const Weights& weights, const NodeView& node, const data::Column& column, Count* low, Count* high,
            std::size_t n, std::uint32_t n_declared)
      : weights_(weights), node_(node), values_(column.values.data()), low_(low), high_(high) {
    for (std::size_t k = 0; k < n; ++k) {
      known_ += high[k];
      high_sum_ += weights.term(high[k]);
    }
    high_weight_ = known_;
    whole_ = weights.impurity(high_sum_, known_);
    const double known = static_cast<double>(known_);
    double minsplit = 0.10 * known / n_declared;
    if (minsplit <= node.min_objects + slack)
      minsplit = node.min_objects;
    else if (minsplit > 25.0)
      minsplit = 25.0;
    lowest_ = minsplit - slack;
    highest_ = known - minsplit + slack;
    // Splits that gain nothing are no splits: start as if one of gain zero were held.
    below_ = whole_ - slack * node.total;
  }

  bool possible() const { return static_cast<double>(known_) >= 2 * node_.min_objects - slack; }
  bool too_few() const { return static_cast<double>(low_weight_) < lowest_; }
  bool too_many() const { return static_cast<double>(low_weight_) > highest_; }

  void move(std::uint32_t k, Count w) {
    low_sum_ += weights_.step_up(low_[k], w);
    high_sum_ -= weights_.step_down(high_[k], w);
    low_[k] += w;
    high_[k] -= w;
    low_weight_ += w;
    high_weight_ -= w;
  }

  // Several rows of a class at once.
  void move_all(std::uint32_t k, Count w) {
    low_sum_ -= weights_.term(low_[k]);
    high_sum_ -= weights_.term(high_[k]);
    low_[k] += w;
    high_[k] -= w;
    low_sum_ += weights_.term(low_[k]);
    high_sum_ += weights_.term(high_[k]);
    low_weight_ += w;
    high_weight_ -= w;
  }

  void consider(std::uint32_t low_code, std::uint32_t high_code) {
    if (low_code == high_code || !(values_[low_code] < values_[high_code] - 1e-5)) return;
    ++tries_;
    const double parts = weights_.impurity(low_sum_, low_weight_) + weights_.impurity(high_sum_, high_weight_);
    if (parts >= below_) return;
    if (static_cast<double>(low_weight_) < node_.min_objects - slack ||
        static_cast<double>(high_weight_) < node_.min_objects - slack)
      return;
    best_parts_ = parts;
    best_low_ = low_code;
    best_high_ = high_code;
    best_weight_ = low_weight_;
    below_ = parts - slack * std::max(node_.total, whole_ - parts);
  }

  Split best() const {
    Split split;
    if (best_low_ == best_high_) return split;
    double gain = (whole_ - best_parts_) / node_.total;
    if (node_.threshold_penalty) gain -= std::log2(static_cast<double>(tries_)) / node_.total;
    if (gain <= slack) return split;
    const double known = static_cast<double>(known_);
    const double low = static_cast<double>(best_weight_);
    split.gain = gain;
    split.split_info = (criteria::x_log2_x(node_.total) - criteria::x_log2_x(node_.total - known) -
                        criteria::x_log2_x(low) - criteria::x_log2_x(known - low)) /
                       node_.total;
    split.test = graph::Test::threshold;
    split.low_code = best_low_;
    split.high_code = best_high_;
    split.n_branches = 2;
    return split;
  }

 private:
  const Weights& weights_;
  const NodeView& node_;
  const double* values_;
  Count* low_;
  Count* high_;
  Count known_ = 0;
  Count low_weight_ = 0;
  Count high_weight_ = 0;
  double low_sum_ = 0.0;
  double high_sum_ = 0.0;
  double whole_ = 0.0;    // impurity of all known rows, times their weight
  double below_ = 0.0;    // what the parts must stay below to beat the best
  double lowest_ = 0.0;
  double highest_ = 0.0;
  double best_parts_ = 0.0;
  std::uint32_t best_low_ = 0;
  std::uint32_t best_high_ = 0;
  Count best_weight_ = 0;
  std::uint64_t tries_ = 0;
};

// Over a node's rows in ascending order of value.
template <class Weights>
Split best_cut_of_list(const Weights& weights, const NodeView& node, const data::Column& column,
                       std::span<const data::Entry> list, Scratch& scratch) {
  using Count = typename Weights::Count;
  auto& counts = scratch.counts<Count>();
  const std::size_t n_classes = node.class_weights.size();
  counts.low.assign(n_classes, 0);
  if (list.size() == node.rows.size()) {
    counts.high.resize(n_classes);
    for (std::size_t k = 0; k < n_classes; ++k) counts.high[k] = static_cast<Count>(node.class_weights[k]);
  } else {
    counts.high.assign(n_classes, 0);
    for (const data::Entry& entry : list)
      counts.high[static_cast<std::size_t>(node.class_of[entry.row])] += weights.weight_of(entry.row);
  }
  CutSearch<Weights> search(weights, node, column, counts.low.data(), counts.high.data(), n_classes,
                            static_cast<std::uint32_t>(n_classes));
  if (!search.possible()) return {};
  const auto move = [&](const data::Entry& entry) {
    search.move(static_cast<std::uint32_t>(node.class_of[entry.row]), weights.weight_of(entry.row));
  };
  std::size_t i = 0;
  for (; i + 1 < list.size(); ++i) {
    move(list[i]);
    if (!search.too_few()) break;
  }
  for (; i + 1 < list.size() && !search.too_many(); move(list[++i]))
    search.consider(list[i].code, list[i + 1].code);
  return search.best();
}

// Over the weights of a node by code and class, of a column of few values.
template <class Weights>
Split best_cut_of_table(const Weights& weights, const NodeView& node, const data::Column& column,
                        std::span<const typename Weights::Count> cells, Scratch& scratch) {
  using Count = typename Weights::Count;
  auto& counts = scratch.counts<Count>();
  const std::size_t n_local = node.n_local;
  counts.low.assign(n_local, 0);
  counts.high.assign(n_local, 0);
  for (std::uint32_t code = 0; code < column.n_codes; ++code)
    for (std::size_t k = 0; k < n_local; ++k) counts.high[k] += cells[code * n_local + k];
  CutSearch<Weights> search(weights, node, column, counts.low.data(), counts.high.data(), n_local,
                            static_cast<std::uint32_t>(node.class_weights.size()));
  if (!search.possible()) return {};
  bool any = false;  // whether a value below has been seen, and which was the last
  std::uint32_t last = 0;
  for (std::uint32_t code = 0; code < column.n_codes; ++code) {
    const Count* row = cells.data() + code * n_local;
    if (std::all_of(row, row + n_local, [](Count x) { return x == 0; })) continue;
    if (any && !search.too_few()) {
      if (search.too_many()) break;
      search.consider(last, code);
    }
    for (std::uint32_t k = 0; k < n_local; ++k)
      if (row[k] != 0) search.move_all(k, row[k]);
    any = true;
    last = code;
  }
  return search.best();
}

}  // namespace weaklearn::splitters
