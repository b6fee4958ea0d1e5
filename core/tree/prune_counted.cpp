#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tree/leaf_errors.hpp"
#include "tree/propagate_rows.hpp"
#include "tree/prune_pessimistic.hpp"
#include "tree/pruning_decision.hpp"

namespace weaklearn::tree {
namespace {

using graph::Draft;

// Prunes from the bottom up. What a node needs to be judged is counted before its children are done, on the assumption
// that none of them is replaced by a child of its own: that a node below becomes a leaf changes no sum. So one round is
// enough for many nodes. A node that is replaced by its child has other rows below it than before. These are counted
// again, then the nodes below it are judged again, and so are nodes above it that may be replaced by what it is part
// of.
//
// Rows of missing value wait at a split for the shares of its branches, which follow from the sums of the rows that do
// not wait. So their rows are sent again, in the next round, until none waits any more.
class CountedPruner {
 public:
  CountedPruner(Draft& draft, const data::Dataset& dataset, CountedRows& rows, LeafErrors leaf_errors)
      : draft_(draft),
        dataset_(dataset),
        rows_(rows),
        leaf_errors_(std::move(leaf_errors)),
        parent_(draft.nodes.size(), none),
        n_waiting_(draft.nodes.size(), 0),
        is_open_(draft.nodes.size(), 0),
        known_(draft.nodes.size()),
        place_of_(draft.nodes.size(), 0) {
    for (const Draft::Node& node : draft.nodes) exact_.push_back(node.children.empty());
  }

  void prune() {
    if (std::ranges::any_of(draft_.nodes,
                            [&](const auto& node) { return meets_values_without_branch(node, dataset_); }))
      recounts_.push_back({.root = 0, .is_raised = false});  // for the shares
    else
      start(0);
    while (true) {
      judge_ready();
      const std::vector<std::uint32_t> tried = nodes_to_try();
      if (tried.empty() && recounts_.empty()) return;
      Routing tree = routing();
      std::vector<RowsAndSubtree> requests;
      for (const Recount& recount : recounts_) requests.push_back({recount.root, recount.root});
      for (const std::uint32_t node : tried) requests.push_back({node, subtree_for(trials_.at(node), tree)});
      const std::vector<double> sums = rows_.node_sums(tree, requests);
      std::span<const double> remaining = sums;
      const auto take = [&](std::uint32_t subtree) {
        NodeSums own{nodes_below(tree, subtree), {}};
        own.weights.assign(remaining.begin(), remaining.begin() + own.nodes.size() * draft_.n_classes);
        remaining = remaining.subspan(own.weights.size());
        return own;
      };
      for (const Recount& recount : std::exchange(recounts_, {})) receive(recount, take(recount.root));
      for (const std::uint32_t node : tried) {
        Trial& trial = trials_.at(node);
        trial.sums = take(trial.subtree);
        trial.is_complete =
            !trial.is_copy || !some_wait(trial.sums, [&](std::uint32_t at) -> auto& { return trial.known[at]; });
      }
    }
  }

 private:
  // The class weights of nodes, those of one after those of another.
  struct NodeSums {
    std::vector<std::uint32_t> nodes;
    std::vector<double> weights;
  };

  // The rows of a node, sent through a child.
  struct Trial {
    std::uint32_t subtree;
    // Whether all rows of the node are sent through a copy of the child, because rows may wait there, so that other
    // shares of them take the branches than below the child. Otherwise only the rows of the other children are sent.
    bool is_copy;
    bool is_complete = false;
    NodeSums sums = {};
    std::unordered_map<std::uint32_t, std::vector<double>> known = {};  // of a copy, by node: see `known_`
  };

  // The rows of a node, sent through its own subtree.
  struct Recount {
    std::uint32_t root;
    bool is_raised;  // whether it was replaced by its child
  };

  static constexpr std::uint32_t none = UINT32_MAX;

  bool is_visited(std::uint32_t node) const { return draft_.nodes[node].weight > 0.0; }

  // The weight of the rows of known value decides.
  std::uint32_t heaviest(std::uint32_t index) const {
    const graph::Children& children = draft_.nodes[index].children;
    const std::vector<double>& known = known_[index];
    return branch_to_raise(
        children.size(), [&](std::uint32_t b) { return known.empty() ? draft_.nodes[children[b]].weight : known[b]; });
  }

  static std::vector<double> shares_of(const std::vector<double>& known) {
    double total = 0.0;
    for (const double weight : known) total += weight;
    std::vector<double> shares;
    for (const double weight : known) shares.push_back(weight > 0.0 ? weight / total : 0.0);
    return shares;
  }

  Routing routing() const {
    std::vector<std::vector<double>> shares;
    for (const std::vector<double>& known : known_) shares.push_back(shares_of(known));
    return Routing(draft_, shares);
  }

  // Returns the open nodes whose trial is not complete. The others wait if these are many.
  std::vector<std::uint32_t> nodes_to_try() {
    constexpr std::size_t most_sums = std::size_t{1} << 20;
    std::vector<std::uint8_t> is_exact(draft_.nodes.size());
    std::vector<std::size_t> n_below(draft_.nodes.size(), 1);
    std::vector<std::uint32_t> nodes;
    std::size_t n_sums = 0;
    const auto try_node = [&](std::uint32_t index) {
      const std::uint32_t child = draft_.nodes[index].children[heaviest(index)];
      const auto found = trials_.try_emplace(index, Trial{.subtree = child, .is_copy = is_exact[index] == 0}).first;
      if (found->second.is_complete) return;
      nodes.push_back(index);
      n_sums += n_below[child];
    };
    for (auto index = static_cast<std::uint32_t>(draft_.nodes.size()); index-- > 0;) {
      const Draft::Node& node = draft_.nodes[index];
      is_exact[index] = exact_[index] || (is_open_[index] != 0 && is_exact_at(index, is_exact));
      for (const std::uint32_t child : node.children) n_below[index] += n_below[child];
      if (is_open_[index] != 0 && n_waiting_[index] == 0) try_node(index);
    }
    for (auto index = static_cast<std::uint32_t>(draft_.nodes.size()); index-- > 0;)
      if (is_open_[index] != 0 && n_waiting_[index] > 0 && n_sums < most_sums) try_node(index);
    return nodes;
  }

  // Returns the subtree through which rows are sent; a copy is added to the tree.
  static std::uint32_t subtree_for(const Trial& trial, Routing& tree) {
    if (!trial.is_copy) return trial.subtree;
    const std::vector<std::uint32_t> nodes = nodes_below(tree, trial.subtree);
    const std::uint32_t root = tree.add_copy(trial.subtree);
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
      if (const auto found = trial.known.find(nodes[i]); found != trial.known.end())
        tree.set_shares(root + i, shares_of(found->second));
    return root;
  }

  void receive(const Recount& recount, const NodeSums& sums) {
    if (some_wait(sums, [&](std::uint32_t at) -> auto& { return known_[at]; })) {
      recounts_.push_back(recount);
      return;
    }
    if (recount.is_raised)
      for (std::size_t i = 0; i < sums.nodes.size(); ++i) describe(sums.nodes[i], weights_at(sums, i));
    start(recount.root);
  }

  std::span<const double> weights_at(const NodeSums& sums, std::size_t place) const {
    return std::span(sums.weights).subspan(place * draft_.n_classes, draft_.n_classes);
  }

  // Returns whether rows wait in a subtree, and notes the known weights of nodes that no row can reach any more.
  template <class KnownOf>
  bool some_wait(const NodeSums& sums, const KnownOf& known_of) const {
    std::vector<double> totals;
    for (std::size_t i = 0; i < sums.nodes.size(); ++i) {
      const auto weights = weights_at(sums, i);
      totals.push_back(std::accumulate(weights.begin(), weights.end(), 0.0));
    }
    std::vector<std::uint8_t> is_complete(sums.nodes.size(), 1);  // whether no row waits above the node
    bool some = false;
    for (std::size_t i = 0, first_child = 1; i < sums.nodes.size(); ++i) {
      const std::size_t n_children = draft_.nodes[sums.nodes[i]].children.size();
      const auto below = std::span(totals).subspan(first_child, n_children);
      const auto are_complete = std::span(is_complete).subspan(first_child, n_children);
      first_child += n_children;
      std::vector<double>& known = known_of(sums.nodes[i]);
      const bool waits =
          n_children > 0 && known.empty() && totals[i] > std::accumulate(below.begin(), below.end(), 0.0);
      if (waits && is_complete[i] != 0) known.assign(below.begin(), below.end());
      if (waits || is_complete[i] == 0) std::ranges::fill(are_complete, std::uint8_t{0});
      some = some || waits;
    }
    return some;
  }

  // Begins with a subtree whose class weights are known: its leaves are done.
  void start(std::uint32_t root) {
    std::vector<std::uint32_t> order{root};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Draft::Node& node = draft_.nodes[order[i]];
      n_waiting_[order[i]] = 0;
      for (const std::uint32_t child : node.children) {
        if (!is_visited(child)) continue;
        parent_[child] = order[i];
        ++n_waiting_[order[i]];
        order.push_back(child);
      }
    }
    for (const std::uint32_t index : order) {
      Draft::Node& node = draft_.nodes[index];
      is_open_[index] = !node.children.empty();
      if (!node.children.empty()) continue;
      node.errors = leaf_errors_.of(draft_.weights_of(index), static_cast<std::size_t>(node.label));
      finish(index);
    }
  }

  // A node is done. Its parent can be judged if the other children are done, too.
  void finish(std::uint32_t index) {
    is_open_[index] = 0;
    const std::uint32_t parent = parent_[index];
    if (parent == none || --n_waiting_[parent] > 0) return;
    exact_[parent] = is_exact_at(parent, exact_);
    ready_.push_back(parent);
  }

  bool is_exact_at(std::uint32_t index, const auto& is_exact) const {
    const Draft::Node& node = draft_.nodes[index];
    return !meets_values_without_branch(node, dataset_) &&
           std::ranges::all_of(node.children, [&](std::uint32_t child) { return is_exact[child] != 0; });
  }

  // Judges the nodes whose children are done, as far as their trials are complete.
  void judge_ready() {
    std::vector<std::uint32_t> waiting;
    while (!ready_.empty()) {
      const std::uint32_t index = ready_.back();
      ready_.pop_back();
      const auto found = trials_.find(index);
      if (found == trials_.end() || !found->second.is_complete) {
        waiting.push_back(index);
        continue;
      }
      const Trial trial = std::move(found->second);
      trials_.erase(found);
      judge(index, trial);
    }
    ready_ = std::move(waiting);
  }

  void judge(std::uint32_t index, const Trial& trial) {
    Draft::Node& node = draft_.nodes[index];
    const double as_leaf = leaf_errors_.of(draft_.weights_of(index), static_cast<std::size_t>(node.label));
    double as_tree = 0.0;
    for (const std::uint32_t child : node.children)
      if (is_visited(child)) as_tree += draft_.nodes[child].errors;
    switch (decide_pruning(as_leaf, estimate_of_child(trial, exact_[index] != 0), as_tree)) {
      case Pruning::leaf:
        node.become_leaf();
        node.errors = as_leaf;
        exact_[index] = 1;
        finish(index);
        break;
      case Pruning::child: {
        // The rows of the node stay the same. The choice of the heaviest child above may need their weight before they
        // are counted again.
        const double weight = node.weight;
        Draft::Node raised = draft_.nodes[trial.subtree];
        node = std::move(raised);
        node.weight = weight;
        is_open_[index] = 0;
        forget_shares(index);
        forget_trials_above(index);
        recounts_.push_back({.root = index, .is_raised = true});
        break;
      }
      case Pruning::none:
        node.errors = as_tree;
        finish(index);
        break;
    }
  }

  // Returns the estimate of a child if all rows of its parent reached it. If no row can wait on its way, that is the
  // estimate of the child with its own rows, changed at the leaves that other rows reach.
  double estimate_of_child(const Trial& trial, bool is_exact) {
    double total = is_exact ? draft_.nodes[trial.subtree].errors : 0.0;
    for (std::size_t i = 0; i < trial.sums.nodes.size(); ++i) place_of_[trial.sums.nodes[i]] = i;
    std::vector<std::uint32_t> waiting{trial.subtree};
    std::vector<double> weights;
    while (!waiting.empty()) {
      const std::uint32_t index = waiting.back();
      waiting.pop_back();
      const Draft::Node& node = draft_.nodes[index];
      waiting.insert(waiting.end(), node.children.begin(), node.children.end());
      const auto sums = weights_at(trial.sums, place_of_[index]);
      if (!node.children.empty() || !has_rows(sums)) continue;
      weights.assign(sums.begin(), sums.end());
      const auto own = draft_.weights_of(index);
      if (!trial.is_copy && is_visited(index)) std::ranges::transform(weights, own, weights.begin(), std::plus{});
      if (!is_exact)
        total += leaf_errors_.of(weights);
      else if (!is_visited(index) || !std::ranges::equal(weights, own))
        total += leaf_errors_.of(weights) - node.errors;
    }
    return total;
  }

  static bool has_rows(std::span<const double> weights) {
    return std::ranges::any_of(weights, [](double weight) { return weight > 0.0; });
  }

  // The rows below a node are others than before, so that other shares of them take the branches.
  void forget_shares(std::uint32_t root) {
    std::vector<std::uint32_t> waiting{root};
    while (!waiting.empty()) {
      const std::uint32_t index = waiting.back();
      waiting.pop_back();
      known_[index].clear();
      for (const std::uint32_t child : draft_.nodes[index].children) waiting.push_back(child);
    }
  }

  // A node has another subtree now, and so have those above it that might be replaced by what it is part of.
  void forget_trials_above(std::uint32_t index) {
    for (std::uint32_t below = index, above = parent_[index]; above != none; below = above, above = parent_[above])
      if (const auto found = trials_.find(above); found != trials_.end() && found->second.subtree == below)
        trials_.erase(found);
  }

  void describe(std::uint32_t index, std::span<const double> weights) {
    double total = 0.0;
    for (const double weight : weights) total += weight;
    if (total == 0.0) return;  // an empty leaf stays as it is
    Draft::Node& node = draft_.nodes[index];
    std::ranges::copy(weights, draft_.weights_of(index).begin());
    node.weight = total;
    node.label = static_cast<std::int32_t>(
        leaf_errors_.classes().label_of(draft_.weights_of(index), static_cast<std::size_t>(node.label)));
  }

  Draft& draft_;
  const data::Dataset& dataset_;
  CountedRows& rows_;
  const LeafErrors leaf_errors_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> n_waiting_;  // per node: the children that are not done
  std::vector<std::uint8_t> is_open_;  // per node: it has children, it will be judged, and its rows are known
  // Per node: the weight of the rows of known value by branch. Empty if no row is shared out, or if it is not known.
  std::vector<std::vector<double>> known_;
  std::vector<std::uint8_t> exact_;  // per node: no split at it or below it may meet a missing value
  std::vector<std::uint32_t> ready_;  // the nodes whose children are done
  std::unordered_map<std::uint32_t, Trial> trials_;  // of open nodes
  std::vector<Recount> recounts_;
  std::vector<std::size_t> place_of_;  // per node: where it is in the sums that are looked at
};

}  // namespace

void prune_counted(graph::Draft& draft, const data::Dataset& dataset, CountedRows& rows, double confidence,
                   const criteria::ClassFactors& classes) {
  const auto all = draft.weights_of(0);
  CountedPruner(draft, dataset, rows, LeafErrors(confidence, classes, {all.begin(), all.end()}, rows.unit)).prune();
}

}  // namespace weaklearn::tree
