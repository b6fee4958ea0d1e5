// The split of a nominal column into one branch per value. If rows of missing value take a branch of their own, it is
// the last one.
#pragma once

#include "splits/value_table.hpp"

namespace weaklearn::splits {

// Adds up the impurity of a multiway split value by value.
template <class Weights>
class MultiwaySum {
 public:
  using Count = typename Weights::Count;

  // `factors` are those of the classes of `known`.
  MultiwaySum(const Weights& weights, const NodeView& node, std::vector<Count>& known, std::span<const double> factors)
      : weights_(weights), node_(node), known_(known), factors_(factors) {}

  void start_value() {
    sum_ = 0.0;
    weight_ = 0;
    squares_ = 0.0;
  }
  void add(std::size_t k, Count x) {
    sum_ += weights_.term(x);
    weight_ += x;
    known_[k] += x;
    if constexpr (!Weights::unit)
      if (!factors_.empty()) squares_ += x * factors_[k];
  }
  // For a criterion that is not a sum of terms.
  void add_all(std::span<const Count> classes) {
    for (std::size_t k = 0; k < classes.size(); ++k) {
      weight_ += classes[k];
      known_[k] += classes[k];
      if (!factors_.empty()) squares_ += classes[k] * factors_[k];
    }
    sum_ = weights_.criterion.of(classes, weight_);
  }
  void end_value() {
    if (weight_ == 0) return;
    impurity_ += weights_.impurity(sum_, weight_);
    info_ += weights_.x_log2_x(static_cast<double>(weight_));
    const double weight = static_cast<double>(weight_);
    n_large_ += at_least(factors_.empty() ? weight : weight * weight / squares_, node_.min_objects);
    total_ += weight_;
  }

  Split split(std::uint32_t n_values, std::uint32_t n_declared) const {
    Split split;
    const double known = static_cast<double>(total_);
    if (n_large_ < 2 || at_most(known, 0.0)) return split;
    double sum = 0.0;
    if constexpr (Weights::additive)
      for (const Count x : known_) sum += weights_.term(x);
    else
      sum = weights_.criterion.of(known_, total_);
    split.gain = (weights_.impurity(sum, total_) - impurity_) / node_.total;
    split.split_info = (weights_.x_log2_x(node_.total) - weights_.x_log2_x(node_.total - known) - info_) / node_.total;
    split.kind = graph::SplitKind::multiway;
    split.n_branches = n_values;
    if (n_values > n_declared) split.missing_branch = static_cast<std::int32_t>(n_declared);
    return split;
  }

 private:
  const Weights& weights_;
  const NodeView& node_;
  std::vector<Count>& known_;  // per class
  double sum_ = 0.0;
  Count weight_ = 0;
  std::span<const double> factors_;
  double squares_ = 0.0;  // with factors: of this value, each weight times the factor of its class
  Count total_ = 0;
  double impurity_ = 0.0;
  double info_ = 0.0;
  std::uint32_t n_large_ = 0;  // values of at least min_objects rows
};

// Handles one value at a time and reads only the classes that occur with it. This is used if the full table would be
// mostly empty.
template <class Weights>
Split multiway_by_rows(const Weights& weights, const NodeView& node, const data::Column& column, Scratch& scratch) {
  auto& counts = scratch.counts<typename Weights::Count>();
  counts.sides.high.assign(node.class_weights.size(), 0);
  MultiwaySum<Weights> sum(weights, node, counts.sides.high, node.factors);
  const auto entries = rows_by_code(node, column, scratch, node.missing_takes_branch);
  counts.sides.low.assign(node.class_weights.size(), 0);
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t end = i;
    for (; end < entries.size() && entries[end].code == entries[i].code; ++end)
      counts.sides.low[static_cast<std::size_t>(node.class_of[entries[end].row])] +=
          weights.weight_of(entries[end].row);
    sum.start_value();
    for (; i < end; ++i) {
      const auto k = static_cast<std::size_t>(node.class_of[entries[i].row]);
      if (counts.sides.low[k] == 0) continue;
      sum.add(k, counts.sides.low[k]);
      counts.sides.low[k] = 0;
    }
    sum.end_value();
  }
  const bool some_missing = !entries.empty() && entries.back().code == column.n_codes;
  return sum.split(column.n_codes + some_missing, column.n_codes);
}

template <class Weights>
Split multiway(const Weights& weights, const NodeView& node, const data::Column& column, Scratch& scratch) {
  if constexpr (Weights::additive)
    if (!table_is_cheap(node, column)) return multiway_by_rows(weights, node, column, scratch);
  auto& known = scratch.counts<typename Weights::Count>().sides.high;
  const std::size_t n_local = node.n_local;
  known.assign(n_local, 0);
  MultiwaySum<Weights> sum(weights, node, known, node.local_factors);
  const auto cells = fill_table(weights, node, column, scratch);
  const std::uint32_t n_values = n_values_at(node, column, cells);
  for (std::size_t value = 0; value < n_values; ++value) {
    const auto classes = cells.subspan(value * n_local, n_local);
    sum.start_value();
    if constexpr (Weights::additive) {
      for (std::size_t k = 0; k < n_local; ++k)
        if (classes[k] != 0) sum.add(k, classes[k]);
    } else {
      sum.add_all(classes);
    }
    sum.end_value();
  }
  return sum.split(n_values, column.n_codes);
}

}  // namespace weaklearn::splits
