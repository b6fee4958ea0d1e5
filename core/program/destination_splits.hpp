// Binary splits that are scored by the groups that their branches lead to. The score depends on what other nodes send
// to these groups, so all thresholds and all orderly groups of values of a column are tried one by one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "splits/threshold.hpp"
#include "splits/two_groups.hpp"
#include "splits/value_table.hpp"

namespace weaklearn::program {

using Branches = std::array<std::vector<double>, 2>;  // class weights

struct RowWeights {
  const double* weights = nullptr;  // per row of the dataset; null: all weigh 1
  double weight_of(std::uint32_t row) const { return weights == nullptr ? 1.0 : weights[row]; }
};

// Rows of missing value take both branches in proportion to the known weight there.
inline void share_missing(Branches& branches, std::span<const double> missing) {
  double known[2] = {};
  for (std::size_t b = 0; b < 2; ++b)
    for (const double x : branches[b]) known[b] += x;
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t k = 0; k < missing.size(); ++k) branches[b][k] += known[b] / (known[0] + known[1]) * missing[k];
}

// Returns the class weights of the branches of a split.
inline Branches branches_of(const splits::NodeView& node, RowWeights weights, const data::Column& column,
                            const splits::Split& split) {
  Branches branches;
  branches.fill(std::vector<double>(node.class_weights.size(), 0.0));
  std::vector<double> missing(node.class_weights.size(), 0.0);
  const std::uint32_t low = split.known_together ? column.n_codes
                            : split.by_row       ? code_of(column, split.low)
                                                 : split.low;
  for (const std::uint32_t row : node.rows) {
    const std::uint32_t code = code_of(column, row);
    std::int32_t branch = split.missing_branch;
    if (code < column.n_codes) branch = split.kind == graph::SplitKind::subset ? split.value_branch[code] : code > low;
    auto& side = branch < 0 ? missing : branches[static_cast<std::size_t>(branch)];
    side[static_cast<std::size_t>(node.class_of[row])] += weights.weight_of(row);
  }
  share_missing(branches, missing);
  return branches;
}

struct DestinationSplit {
  double score = std::numeric_limits<double>::infinity();
  splits::Split split;   // its gain is not filled in
  Branches branches;
  bool swapped = false;  // the first branch leads to the second group
};

// Finds the split of a column with the least score below a limit. Ties, up to the noise, go to the lowest cut.
// score(a, b) is the score if class weights a go to the first group and b to the second. All declared classes count as
// present at the node. Where rows of missing value take one branch, they are one more value of a nominal column, and a
// continuous column has the cuts of splits/best_cut.hpp.
template <class Score>
class DestinationSearch {
 public:
  DestinationSearch(const splits::NodeView& node, RowWeights weights, const data::Column& column, Score& score,
                    double limit, double noise)
      : node_(node), column_(column), score_(score), below_(limit), noise_(noise), missing_(node.n_local, 0.0) {
    splits::Scratch scratch;
    const bool is_value = column.nominal && node.missing_takes_branch;
    for (const splits::CodedRow& entry : splits::rows_by_code(node, column, scratch, is_value)) {
      if (code_of_.empty() || code_of_.back() != entry.code) {
        code_of_.push_back(entry.code);
        cells_.resize(cells_.size() + node.n_local, 0.0);
      }
      cells_[cells_.size() - node.n_local + entry.local_class] += weights.weight_of(entry.row);
    }
    if (column.n_missing > 0 && !is_value)
      for (std::size_t i = 0; i < node.rows.size(); ++i)
        if (code_of(column, node.rows[i]) == column.n_codes)
          missing_[node.local_class[i]] += weights.weight_of(node.rows[i]);
    for (std::uint32_t v = 0; v < code_of_.size(); ++v) {
      weight_of_.push_back(0.0);
      for (const double x : classes_of(v)) weight_of_.back() += x;
      known_ += weight_of_.back();
      if (weight_of_.back() > 0.0) present_.push_back(v);
    }
    if (node.missing_takes_branch)
      for (const double x : missing_) on_one_side_ += x;
  }

  DestinationSplit best() {
    if (present_.empty()) return {};
    std::vector<double> known = sum_of_known();
    std::vector<double> counted = known;
    if (on_one_side_ > 0.0) add(counted, missing_);
    const double rows = rows_in(counted, known_ + on_one_side_);
    if (criteria::less(rows, 2 * node_.min_objects)) return {};
    if (column_.nominal) {
      try_groups();
    } else {
      const double least_rows = splits::least_side(node_, rows);
      try_cuts_of(present_, least_rows);
      if (on_one_side_ > 0.0) try_known_against_missing(std::move(known), least_rows);
    }
    finish();
    return std::move(best_);
  }

 private:
  // Returns the rows with these class weights: their weight, or the effective number of rows.
  double rows_in(std::span<const double> classes, double weight) const {
    return node_.local_factors.empty() ? weight : criteria::effective_rows(classes, node_.local_factors);
  }

  std::vector<double> sum_of_known() const {
    std::vector<double> sum(node_.n_local, 0.0);
    for (const std::uint32_t v : present_)
      for (std::size_t k = 0; k < node_.n_local; ++k) sum[k] += classes_of(v)[k];
    return sum;
  }

  std::span<const double> classes_of(std::uint32_t value) const {
    return std::span(cells_).subspan(std::size_t{value} * node_.n_local, node_.n_local);
  }

  bool may_be_cut(std::uint32_t below, std::uint32_t above) const {
    return column_.nominal || column_.values[code_of_[below]] < column_.values[code_of_[above]] - splits::smallest_gap;
  }

  static void add(std::vector<double>& sum, std::span<const double> weights) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += weights[k];
  }

  bool are_enough(std::span<const double> low, double low_weight, std::span<const double> high,
                  double least_rows) const {
    if (!node_.local_factors.empty())
      return !criteria::less(rows_in(low, 0.0), least_rows) && !criteria::less(rows_in(high, 0.0), least_rows);
    return !criteria::less(low_weight, least_rows) && !criteria::more(low_weight, known_ + on_one_side_ - least_rows);
  }

  void try_groups() {
    std::vector<std::size_t> classes;
    for (std::size_t k = 0; k < node_.n_local; ++k)
      if (node_.class_weights[k] != 0.0) classes.push_back(k);
    if (classes.size() == 2) classes.pop_back();  // the other class gives the same order, reversed
    for (const std::size_t k : classes) {
      std::vector<std::uint32_t> order = present_;
      splits::order_by_share(order, [&](std::uint32_t v) { return classes_of(v)[k] / weight_of_[v]; });
      try_cuts_of(order, node_.min_objects);
    }
  }

  void try_cuts_of(const std::vector<std::uint32_t>& order, double least_rows) {
    // Both sides are summed and none is subtracted, so that an absent class has exactly no weight.
    const std::size_t n_local = node_.n_local;
    std::vector<double> above(order.size() * n_local, 0.0);
    for (std::size_t i = order.size(); i-- > 0;)
      for (std::size_t k = 0; k < n_local; ++k)
        above[i * n_local + k] = classes_of(order[i])[k] + (i + 1 < order.size() ? above[(i + 1) * n_local + k] : 0.0);
    std::vector<double> low(n_local, 0.0);
    double low_weight = 0.0;
    Branches sides;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      add(low, classes_of(order[i]));
      low_weight += weight_of_[order[i]];
      if (!may_be_cut(order[i], order[i + 1])) continue;
      const std::span<const double> high(above.data() + (i + 1) * n_local, n_local);
      if (on_one_side_ > 0.0) {
        const bool heavier = criteria::less(low_weight, known_ - low_weight);
        for (const bool branch : {heavier, !heavier}) {
          sides[0] = low;
          sides[1].assign(high.begin(), high.end());
          add(sides[branch], missing_);
          if (are_enough(sides[0], branch ? low_weight : low_weight + on_one_side_, sides[1], least_rows))
            try_split(sides, [&] { return split_at(order, i, branch); });
        }
      } else if (are_enough(low, low_weight, high, least_rows)) {
        sides[0] = low;
        sides[1].assign(high.begin(), high.end());
        share_missing(sides, missing_);
        try_split(sides, [&] { return split_at(order, i, splits::share_missing_rows); });
      }
    }
  }

  void try_known_against_missing(std::vector<double> known, double least_rows) {
    const Branches sides{std::move(known), missing_};
    if (!are_enough(sides[0], known_, sides[1], least_rows)) return;
    try_split(sides, [] {
      splits::Split split;
      split.kind = graph::SplitKind::threshold;
      split.n_branches = 2;
      split.known_together = true;
      split.missing_branch = 1;
      return split;
    });
  }

  // Tries both ways to the groups. `make_split()` returns the split.
  template <class MakeSplit>
  void try_split(const Branches& sides, const MakeSplit& make_split) {
    for (const bool swapped : {false, true}) {
      const double score = score_(sides[swapped], sides[!swapped]);
      if (!(score < below_)) continue;
      below_ = score - noise_;
      best_ = {score, make_split(), sides, swapped};
    }
  }

  splits::Split split_at(const std::vector<std::uint32_t>& order, std::size_t i, std::int32_t missing_branch) const {
    splits::Split split;
    split.n_branches = 2;
    if (!column_.nominal) {
      split.kind = graph::SplitKind::threshold;
      split.low = code_of_[order[i]];
      split.high = code_of_[order[i + 1]];
      split.missing_branch = missing_branch;
      return split;
    }
    split.kind = graph::SplitKind::subset;
    split.value_branch.assign(std::max(column_.n_codes, code_of_.back() + 1), -1);  // the code of missing is n_codes
    for (std::size_t j = 0; j < order.size(); ++j) split.value_branch[code_of_[order[j]]] = j > i;
    return split;
  }

  void finish() {
    splits::Split& split = best_.split;
    // The first value present always takes the first branch, so that the order of the classes does not matter.
    if (split.kind == graph::SplitKind::subset && split.value_branch[code_of_[present_.front()]] == 1) {
      for (std::int32_t& branch : split.value_branch)
        if (branch >= 0) branch = 1 - branch;
      std::swap(best_.branches[0], best_.branches[1]);
      best_.swapped = !best_.swapped;
    }
    split.take_missing_branch(column_.n_codes);
    if (node_.missing_takes_branch && split.missing_branch == splits::share_missing_rows)
      split.missing_branch = splits::to_heaviest_branch;
  }

  const splits::NodeView& node_;
  const data::Column& column_;
  Score& score_;
  double below_;  // a score must be below this to beat the best
  double noise_;
  std::vector<double> missing_;         // per class
  std::vector<std::uint32_t> code_of_;  // per value that occurs, ascending
  std::vector<double> cells_;           // weight by value and class
  std::vector<double> weight_of_;       // per value
  std::vector<std::uint32_t> present_;  // the values that have weight
  double known_ = 0.0;
  double on_one_side_ = 0.0;  // the weight of the missing rows that a cut has on one of its sides
  DestinationSplit best_;
};

}  // namespace weaklearn::program
