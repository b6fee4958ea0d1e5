#include "program/prune_program.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "program/program_rows.hpp"
#include "program/share_errors.hpp"
#include "tree/leaf_errors.hpp"

namespace weaklearn::program {
namespace {

using graph::Draft;

struct ArrivingRow {
  std::uint32_t row;
  double weight;
};

class ProgramPruner {
 public:
  ProgramPruner(Draft& draft, const data::Dataset& dataset, std::span<const double> weights, double confidence,
                const criteria::ClassFactors& classes)
      : draft_(draft),
        dataset_(dataset),
        weights_(weights.begin(), weights.end()),
        leaf_errors_(confidence, classes, {draft.weights_of(0).begin(), draft.weights_of(0).end()},
                     tree::WeightUnit(dataset, weights)),
        refused_(draft),
        slot_of_(dataset.n_rows, 0) {
    for (double& weight : weights_) weight = leaf_errors_.unit().of_row(weight);
    const auto sends_one_way = [&](const Draft::Node& node) {
      return node.children.empty() || node.missing_branch >= 0 ||
             dataset.columns[static_cast<std::size_t>(node.column)].n_missing == 0;
    };
    rows_are_whole_ = std::ranges::all_of(draft.nodes, sends_one_way);
  }

  void prune() {
    propagate_rows();
    while (rows_are_whole_ ? prune_splits_of_whole_rows() : prune_splits()) propagate_rows();
    merge_equal_nodes();
    propagate_rows();
    for (std::uint32_t i = 0; i < draft_.nodes.size(); ++i)
      draft_.nodes[i].errors = draft_.nodes[i].weight > 0.0 ? as_leaf(i).estimate : 0.0;
    share_errors(draft_);
  }

 private:
  Leaf as_leaf(std::uint32_t index) const {
    return {draft_.weights_of(index), draft_.nodes[index].label, leaf_errors_};
  }

  // Propagates the training rows through the program, and notes the weights of the nodes and the estimate of all
  // errors. A split that no known value reaches becomes a leaf.
  void propagate_rows() {
    const std::size_t n_nodes = draft_.nodes.size();
    std::vector<std::vector<ArrivingRow>> arriving(n_nodes);
    std::vector<bool> reached(n_nodes, false);
    reached[0] = true;
    for (std::uint32_t row = 0; row < dataset_.n_rows; ++row)
      if (weights_[row] > 0.0) arriving[0].push_back({row, weights_[row]});
    double estimate = 0.0;
    std::vector<double> counts(draft_.n_classes);
    for (std::uint32_t i = 0; i < n_nodes; ++i) {
      if (!reached[i]) continue;
      const std::vector<ArrivingRow> rows = merged(std::move(arriving[i]));
      arriving[i].clear();
      std::ranges::fill(counts, 0.0);
      for (const ArrivingRow& row : rows) counts[static_cast<std::size_t>(dataset_.classes[row.row])] += row.weight;
      const Leaf leaf(counts, draft_.nodes[i].label, leaf_errors_);
      const std::vector<double> branch_weights = partition(i, rows, arriving);
      note(i, leaf, counts, branch_weights);
      if (branch_weights.empty())
        estimate += leaf.estimate;
      else
        for (const std::uint32_t branch : draft_.nodes[i].children) reached[branch] = true;
    }
    reached_ = std::move(reached);
    estimate_ = estimate;
  }

  // Adds up the shares of rows that have come by several branches.
  std::vector<ArrivingRow> merged(std::vector<ArrivingRow> rows) {
    std::size_t n = 0;
    for (const ArrivingRow& row : rows) {
      const std::uint32_t slot = slot_of_[row.row];
      if (slot < n && rows[slot].row == row.row) {
        rows[slot].weight += row.weight;
      } else {
        slot_of_[row.row] = static_cast<std::uint32_t>(n);
        rows[n++] = row;
      }
    }
    rows.resize(n);
    return rows;
  }

  // Passes the rows of a split on to its children and returns the weight of each branch. If no value is known, the
  // result is empty.
  std::vector<double> partition(std::uint32_t index, const std::vector<ArrivingRow>& rows,
                                std::vector<std::vector<ArrivingRow>>& arriving) const {
    const Draft::Node& node = draft_.nodes[index];
    if (node.children.empty()) return {};
    const data::Column& column = dataset_.columns[static_cast<std::size_t>(node.column)];
    std::vector<double> branch_weights(node.children.size(), 0.0);
    std::vector<bool> visited(node.children.size(), false);
    std::vector<ArrivingRow> missing;
    bool some = false;
    for (const ArrivingRow& row : rows) {
      const std::uint32_t b = node.branch_of(data::code_of(column, row.row), column.n_codes);
      if (b == node.children.size()) {
        missing.push_back(row);
        continue;
      }
      branch_weights[b] += row.weight;
      visited[b] = some = true;
      arriving[node.children[b]].push_back(row);
    }
    if (!some) return {};
    double known = 0.0;
    for (const double weight : branch_weights) known += weight;
    for (std::size_t b = 0; b < branch_weights.size(); ++b) {
      const double share = branch_weights[b] / known;
      if (!visited[b]) continue;
      for (const ArrivingRow& row : missing) {
        const double weight = leaf_errors_.unit().of_share(row.weight, share);
        if (!(weight > 0.0)) continue;
        branch_weights[b] += weight;
        arriving[node.children[b]].push_back({row.row, weight});
      }
    }
    return branch_weights;
  }

  void note(std::uint32_t index, const Leaf& leaf, const std::vector<double>& counts,
            const std::vector<double>& branch_weights) {
    Draft::Node& node = draft_.nodes[index];
    node.weight = leaf.weight;
    node.errors = leaf.errors;
    if (leaf.weight > 0.0) {  // an empty leaf keeps its label and its weights
      node.label = leaf.label;
      std::ranges::copy(counts, draft_.weights_of(index).begin());
    }
    if (branch_weights.empty())
      node.become_leaf();
    else
      node.branch_weights = branch_weights;
  }

  bool may_be_pruned(std::uint32_t i) {
    return reached_[i] && !draft_.nodes[i].children.empty() && draft_.nodes[i].weight > 0.0 && !refused_.is_refused(i);
  }

  // Tries to prune every split, from the last to the first. Returns whether anything has changed.
  bool prune_splits() {
    bool changed = false;
    ProgramRows rows(draft_, dataset_, weights_, leaf_errors_, refused_, estimate_);
    for (std::uint32_t i = static_cast<std::uint32_t>(draft_.nodes.size()); i-- > 0;)
      if (may_be_pruned(i) && rows.prune(i)) changed = true;
    return changed;
  }

  // The same where no row goes down several branches. Each row then ends in one leaf, and pruning a split changes only
  // the leaves of its rows.
  bool prune_splits_of_whole_rows() {
    const std::vector<std::vector<std::uint32_t>> rows_at = rows_of_splits();
    std::vector<std::uint32_t> n_rows(draft_.nodes.size(), 0);
    for (const std::uint32_t leaf : leaf_of_)
      if (leaf != none) ++n_rows[leaf];
    std::vector<double> counts(draft_.distribution.size(), 0.0);
    for (std::uint32_t row = 0; row < dataset_.n_rows; ++row)
      if (leaf_of_[row] != none) counts[place(leaf_of_[row], row)] += weights_[row];
    std::vector<double> remaining = counts;
    std::vector<std::uint32_t> n_remaining = n_rows;
    std::vector<std::uint32_t> touched;
    bool changed = false;
    for (std::uint32_t i = static_cast<std::uint32_t>(draft_.nodes.size()); i-- > 0;) {
      if (!may_be_pruned(i)) continue;
      touched.clear();
      for (const std::uint32_t row : rows_at[i]) {
        const std::uint32_t leaf = leaf_of_[row];
        if (n_remaining[leaf] == n_rows[leaf]) touched.push_back(leaf);
        --n_remaining[leaf];
        remaining[place(leaf, row)] -= weights_[row];
      }
      double estimate = estimate_ + as_leaf(i).estimate;
      for (const std::uint32_t leaf : touched) {
        if (n_remaining[leaf] == 0) std::ranges::fill(of(remaining, leaf), 0.0);
        estimate -= leaf_from(counts, leaf).estimate;
        estimate += leaf_from(remaining, leaf).estimate;
      }
      const bool accepted = criteria::at_most(estimate, estimate_);
      for (const std::uint32_t leaf : touched) {
        if (accepted) {
          draft_.nodes[leaf].label = leaf_from(remaining, leaf).label;
          refused_.note_change(leaf);
        }
        std::ranges::copy(of(accepted ? remaining : counts, leaf), of(accepted ? counts : remaining, leaf).begin());
        (accepted ? n_rows : n_remaining)[leaf] = (accepted ? n_remaining : n_rows)[leaf];
      }
      if (!accepted) {
        refused_.note_refusal(i);
        continue;
      }
      changed = true;
      refused_.note_change(i);
      estimate_ = estimate;
      draft_.nodes[i].become_leaf();
      draft_.nodes[i].label = as_leaf(i).label;
      for (const std::uint32_t row : rows_at[i]) leaf_of_[row] = i;
      n_rows[i] = n_remaining[i] = static_cast<std::uint32_t>(rows_at[i].size());
      std::ranges::copy(draft_.weights_of(i), of(counts, i).begin());
      std::ranges::copy(draft_.weights_of(i), of(remaining, i).begin());
    }
    return changed;
  }

  // Returns the rows at each split, and notes the leaf of each row.
  std::vector<std::vector<std::uint32_t>> rows_of_splits() {
    std::vector<std::vector<std::uint32_t>> rows_at(draft_.nodes.size());
    leaf_of_.assign(dataset_.n_rows, none);
    for (std::uint32_t row = 0; row < dataset_.n_rows; ++row) {
      if (!(weights_[row] > 0.0)) continue;
      std::uint32_t i = 0;
      while (!draft_.nodes[i].children.empty()) {
        const Draft::Node& node = draft_.nodes[i];
        rows_at[i].push_back(row);
        const data::Column& column = dataset_.columns[static_cast<std::size_t>(node.column)];
        i = node.children[node.branch_of(data::code_of(column, row), column.n_codes)];
      }
      leaf_of_[row] = i;
    }
    return rows_at;
  }
  std::size_t place(std::uint32_t node, std::uint32_t row) const {
    return std::size_t{node} * draft_.n_classes + static_cast<std::size_t>(dataset_.classes[row]);
  }
  std::span<double> of(std::vector<double>& counts, std::uint32_t node) const {
    return {counts.data() + std::size_t{node} * draft_.n_classes, draft_.n_classes};
  }
  Leaf leaf_from(std::vector<double>& counts, std::uint32_t node) const {
    return {of(counts, node), draft_.nodes[node].label, leaf_errors_};
  }

  // Returns a code per node that is reached. Nodes with the same code predict the same class for every row that
  // does not go down several branches. The code of a leaf is its class index; the codes of splits come after those.
  std::vector<std::uint32_t> behaviours() const {
    std::map<std::vector<std::uint64_t>, std::uint32_t> known;
    std::vector<std::uint32_t> behaviour(draft_.nodes.size(), none);
    for (std::size_t i = draft_.nodes.size(); i-- > 0;) {
      if (!reached_[i]) continue;
      const Draft::Node& node = draft_.nodes[i];
      if (node.children.empty()) {
        behaviour[i] = static_cast<std::uint32_t>(node.label);
        continue;
      }
      std::vector<std::uint64_t> key{static_cast<std::uint64_t>(node.split), static_cast<std::uint64_t>(node.column),
                                     std::bit_cast<std::uint64_t>(node.threshold),
                                     static_cast<std::uint64_t>(node.missing_branch)};
      for (const std::int32_t branch : node.value_branch) key.push_back(static_cast<std::uint64_t>(branch));
      bool alike = true;
      for (const std::uint32_t branch : node.children) {
        key.push_back(behaviour[branch]);
        alike = alike && behaviour[branch] == behaviour[node.children[0]];
      }
      behaviour[i] =
          alike ? behaviour[node.children[0]]
                : known.try_emplace(std::move(key), draft_.n_classes + static_cast<std::uint32_t>(known.size()))
                      .first->second;
    }
    return behaviour;
  }

  // Replaces splits of the same behaviour by the first of them. A split whose children all behave the same is replaced
  // by them.
  void merge_equal_nodes() {
    const std::vector<std::uint32_t> behaviour = behaviours();
    const auto is_leaf = [&](std::uint32_t i) { return behaviour[i] < draft_.n_classes; };
    std::map<std::uint32_t, std::uint32_t> first;
    for (std::uint32_t i = 0; i < draft_.nodes.size(); ++i) {
      if (!reached_[i] || is_leaf(i)) continue;
      const auto differs = [&](std::uint32_t branch) { return behaviour[branch] != behaviour[i]; };
      if (std::ranges::any_of(draft_.nodes[i].children, differs)) first.try_emplace(behaviour[i], i);
    }
    const auto replacement = [&](std::uint32_t i) { return is_leaf(i) ? i : first.at(behaviour[i]); };

    // The order is children before parents, the last child first. Reversed, parents come first.
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> seen(draft_.nodes.size(), 0);
    std::vector<std::pair<std::uint32_t, bool>> stack{{replacement(0), false}};
    while (!stack.empty()) {
      const auto [i, done] = stack.back();
      stack.pop_back();
      if (done) order.push_back(i);
      if (done || seen[i]) continue;
      seen[i] = 1;
      stack.push_back({i, true});
      if (!is_leaf(i))
        for (const std::uint32_t branch : draft_.nodes[i].children) stack.push_back({replacement(branch), false});
    }
    std::ranges::reverse(order);
    std::vector<std::uint32_t> new_index(draft_.nodes.size(), none);
    for (std::uint32_t n = 0; n < order.size(); ++n) new_index[order[n]] = n;
    Draft result(draft_.n_classes);
    for (const std::uint32_t i : order) {
      const std::uint32_t n = result.add();
      result.nodes[n] = draft_.nodes[i];
      std::ranges::copy(draft_.weights_of(i), result.weights_of(n).begin());
      if (is_leaf(i)) result.nodes[n].become_leaf();
      for (std::uint32_t& branch : result.nodes[n].children) branch = new_index[replacement(branch)];
    }
    draft_ = std::move(result);
  }

  Draft& draft_;
  const data::Dataset& dataset_;
  std::vector<double> weights_;
  const tree::LeafErrors leaf_errors_;
  RefusedPrunings refused_;
  bool rows_are_whole_;  // no row goes down several branches
  std::vector<bool> reached_;  // per node, when rows were propagated last
  double estimate_ = 0.0;  // of all errors at that time
  std::vector<std::uint32_t> slot_of_;  // per row: where it may be among the rows of the present node
  std::vector<std::uint32_t> leaf_of_;  // per row: its leaf, where rows are whole
};

}  // namespace

void prune_program(graph::Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
                   double confidence, const criteria::ClassFactors& classes) {
  ProgramPruner(draft, dataset, weights, confidence, classes).prune();
}

}  // namespace weaklearn::program
