// The split of the values of a nominal column into two groups. For two classes the result is exact: sort the values by
// their share of one class; then one of the cuts of this order is the best of all splits into two groups (Breiman et
// al. 1984). For more classes this is a heuristic: the values are sorted by the share of each class in turn, and the
// best of all these cuts is taken.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "splits/value_table.hpp"

namespace weaklearn::splits {

// Sorts values by ascending share of a class. Values whose shares are equal up to rounding stay in declared order.
template <class Share>
void order_by_share(std::vector<std::uint32_t>& values, const Share& share) {
  std::ranges::sort(values, {}, share);
  for (auto run = values.begin(); run != values.end();) {
    auto end = run + 1;
    while (end != values.end() && share(*end) - share(*(end - 1)) <= criteria::slack) ++end;
    std::sort(run, end);
    run = end;
  }
}

template <class Weights>
class TwoGroupsSearch {
 public:
  using Criterion = std::remove_cvref_t<decltype(Weights::criterion)>;

  // `cells` is a value table.
  TwoGroupsSearch(const Criterion& criterion, const NodeView& node, std::span<const double> cells,
                  std::uint32_t n_values, TwoGroupsScratch& scratch)
      : criterion_(criterion),
        node_(node),
        cells_(cells),
        weight_of_(scratch.weight_of),
        present_(scratch.present),
        scratch_(scratch) {
    weight_of_.assign(n_values, 0.0);
    present_.clear();
    scratch_.low.assign(node.n_local, 0.0);
    scratch_.first_group.clear();
    std::vector<double>& all = scratch_.low;
    for (std::uint32_t v = 0; v < n_values; ++v) {
      const auto row = classes_of(v);
      for (std::size_t k = 0; k < row.size(); ++k) {
        weight_of_[v] += row[k];
        all[k] += row[k];
      }
      if (weight_of_[v] > 0.0) present_.push_back(v);
      known_ += weight_of_[v];
    }
    node_impurity_ = criteria::impurity_of(criterion_, all, known_);
    bound_ = node_impurity_ - (node.least_gain + criteria::slack) * node.total;
  }

  Split best() {
    const std::uint32_t n_orders = node_.n_local == 2 ? 1 : node_.n_local;
    for (std::uint32_t k = 0; k < n_orders; ++k) try_cuts_by_share_of(k);
    return split();
  }

 private:
  std::span<const double> classes_of(std::uint32_t value) const {
    return cells_.subspan(std::size_t{value} * node_.n_local, node_.n_local);
  }

  void try_cuts_by_share_of(std::size_t k) {
    auto& [weight_of, weight_above, above, low, present, order, first_group] = scratch_;
    order = present;
    order_by_share(order, [&](std::uint32_t v) { return classes_of(v)[k] / scratch_.weight_of[v]; });
    // Both sides are sums, not differences, so the weight of a class without rows is exactly 0.
    const std::size_t n_local = node_.n_local;
    above.assign((order.size() + 1) * n_local, 0.0);
    weight_above.assign(order.size() + 1, 0.0);
    for (std::size_t i = order.size(); i-- > 0;) {
      for (std::size_t c = 0; c < n_local; ++c)
        above[i * n_local + c] = above[(i + 1) * n_local + c] + classes_of(order[i])[c];
      weight_above[i] = weight_above[i + 1] + weight_of[order[i]];
    }
    low.assign(n_local, 0.0);
    double low_weight = 0.0;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      for (std::size_t c = 0; c < n_local; ++c) low[c] += classes_of(order[i])[c];
      low_weight += weight_of[order[i]];
      const std::span<const double> high(above.data() + (i + 1) * n_local, n_local);
      const double high_weight = weight_above[i + 1];
      if (less(node_.rows_in(low, low_weight), node_.min_objects) ||
          less(node_.rows_in(high, high_weight), node_.min_objects))
        continue;
      const double impurity =
          criteria::impurity_of(criterion_, low, low_weight) + criteria::impurity_of(criterion_, high, high_weight);
      if (impurity >= bound_) continue;
      best_impurity_ = impurity;
      bound_ = impurity - criteria::slack * std::max(node_.total, node_impurity_ - impurity);
      best_low_weight_ = low_weight;
      first_group.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  Split split() const {
    Split split;
    const std::vector<std::uint32_t>& first_group = scratch_.first_group;
    if (first_group.empty()) return split;
    split.gain = (node_impurity_ - best_impurity_) / node_.total;
    split.split_info = (criteria::x_log2_x(node_.total) - criteria::x_log2_x(node_.total - known_) -
                        criteria::x_log2_x(best_low_weight_) - criteria::x_log2_x(known_ - best_low_weight_)) /
                       node_.total;
    split.kind = graph::SplitKind::subset;
    split.n_branches = 2;
    // The first value present always goes to the first branch, so that the order of the classes does not matter.
    const bool swapped = std::ranges::find(first_group, present_.front()) == first_group.end();
    split.value_branch.assign(weight_of_.size(), -1);
    for (const std::uint32_t v : present_) split.value_branch[v] = !swapped;
    for (const std::uint32_t v : first_group) split.value_branch[v] = swapped;
    return split;
  }

  const Criterion& criterion_;
  const NodeView& node_;
  std::span<const double> cells_;
  std::vector<double>& weight_of_;
  std::vector<std::uint32_t>& present_;
  TwoGroupsScratch& scratch_;
  double known_ = 0.0;
  double node_impurity_ = 0.0;
  double bound_ = 0.0;
  double best_impurity_ = 0.0;
  double best_low_weight_ = 0.0;
};

template <class Weights>
Split best_two_groups(const Weights& weights, const NodeView& node, const data::Column& column, Scratch& scratch) {
  const auto cells = fill_table(weights, node, column, scratch);
  const auto search = [&](std::span<const double> as_double) {
    const std::uint32_t n_values = n_values_at(node, column, cells);
    Split split = TwoGroupsSearch<Weights>(weights.criterion, node, as_double, n_values, scratch.two_groups).best();
    split.take_missing_branch(column.n_codes);
    return split;
  };
  if constexpr (Weights::unit)
    return search(std::vector<double>(cells.begin(), cells.end()));
  else
    return search(cells);
}

}  // namespace weaklearn::splits
