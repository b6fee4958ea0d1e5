#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tree/leaf_errors.hpp"
#include "tree/propagate_rows.hpp"
#include "tree/prune_pessimistic.hpp"
#include "tree/pruning_decision.hpp"

namespace weaklearn::tree {
namespace {

using graph::Draft;

// Prunes from the bottom up. All nodes whose children are done are judged together, so that their rows are counted
// together. A node that is replaced by its child has other rows below it than before. These are counted again, and then
// the nodes below it are judged again.
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
        known_(draft.nodes.size()) {
    for (const Draft::Node& node : draft.nodes) exact_.push_back(node.children.empty());
  }

  void prune() {
    if (std::ranges::any_of(draft_.nodes,
                            [&](const auto& node) { return meets_values_without_branch(node, dataset_); }))
      sendings_.push_back({.node = 0, .subtree = 0, .purpose = Purpose::find_shares, .known = {}});
    else
      start(0);
    while (!sendings_.empty()) {
      std::vector<Sending> sent = std::exchange(sendings_, {});
      Routing tree = routing();
      std::vector<RowsAndSubtree> requests;
      for (const Sending& sending : sent) requests.push_back({sending.node, subtree_for(sending, tree)});
      const std::vector<double> sums = rows_.node_sums(tree, requests);
      std::span<const double> remaining = sums;
      for (Sending& sending : sent) {
        NodeSums own{nodes_below(tree, sending.subtree), {}};
        own.weights = remaining.first(own.nodes.size() * draft_.n_classes);
        remaining = remaining.subspan(own.weights.size());
        receive(std::move(sending), own);
      }
    }
  }

 private:
  enum class Purpose : std::uint8_t {
    find_shares,  // of the tree as it was grown
    judge,  // a node whose child may be raised. No row waits on its way
    judge_by_copy,  // the same, where rows may wait: the shares below the child are other ones then
    recount,  // a node that was replaced by its child
  };

  // The rows of a node, on their way through a subtree.
  struct Sending {
    std::uint32_t node;
    std::uint32_t subtree;
    Purpose purpose;
    // Of a copy, per node of the subtree: see `known_`.
    std::vector<std::vector<double>> known;
  };

  // The class weights of nodes.
  struct NodeSums {
    std::vector<std::uint32_t> nodes;
    std::span<const double> weights;
  };

  static constexpr std::uint32_t none = UINT32_MAX;

  bool is_visited(std::uint32_t node) const { return draft_.nodes[node].weight > 0.0; }

  // The weight of the rows of known value decides.
  std::uint32_t heaviest(std::uint32_t index) const {
    const std::vector<std::uint32_t>& children = draft_.nodes[index].children;
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

  // Returns the subtree through which rows are sent; a copy is added to the tree.
  static std::uint32_t subtree_for(const Sending& sending, Routing& tree) {
    if (sending.purpose != Purpose::judge_by_copy) return sending.subtree;
    const std::uint32_t root = tree.add_copy(sending.subtree);
    for (std::uint32_t i = 0; i < sending.known.size(); ++i)
      if (!sending.known[i].empty()) tree.set_shares(root + i, shares_of(sending.known[i]));
    return root;
  }

  void receive(Sending sending, const NodeSums& sums) {
    if (sending.purpose != Purpose::judge && some_wait(sending, sums)) {
      sendings_.push_back(std::move(sending));
      return;
    }
    switch (sending.purpose) {
      case Purpose::find_shares:
        start(0);
        break;
      case Purpose::judge:
        judge(sending, estimate_of_child(sending.subtree, sums));
        break;
      case Purpose::judge_by_copy:
        judge(sending, estimate(sums));
        break;
      case Purpose::recount:
        recount(sending.node, sums);
        break;
    }
  }

  std::span<const double> weights_at(const NodeSums& sums, std::size_t place) const {
    return sums.weights.subspan(place * draft_.n_classes, draft_.n_classes);
  }

  // Returns whether rows wait in a subtree, and notes the known weights where all of them have arrived.
  bool some_wait(Sending& sending, const NodeSums& sums) {
    const bool is_copy = sending.purpose == Purpose::judge_by_copy;
    if (is_copy) sending.known.resize(sums.nodes.size());
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
      std::vector<double>& known = is_copy ? sending.known[i] : known_[sums.nodes[i]];
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
      if (!node.children.empty()) continue;
      node.errors = leaf_errors_.of(draft_.weights_of(index), static_cast<std::size_t>(node.label));
      finish(index);
    }
  }

  // A node is done. Its parent can be judged if the other children are done, too.
  void finish(std::uint32_t index) {
    const std::uint32_t parent = parent_[index];
    if (parent == none || --n_waiting_[parent] > 0) return;
    const Draft::Node& node = draft_.nodes[parent];
    exact_[parent] = !meets_values_without_branch(node, dataset_) &&
                     std::ranges::all_of(node.children, [&](std::uint32_t child) { return exact_[child]; });
    sendings_.push_back({.node = parent,
                         .subtree = node.children[heaviest(parent)],
                         .purpose = exact_[parent] ? Purpose::judge : Purpose::judge_by_copy,
                         .known = {}});
  }

  void judge(const Sending& sending, double as_child) {
    const std::uint32_t index = sending.node;
    Draft::Node& node = draft_.nodes[index];
    const double as_leaf = leaf_errors_.of(draft_.weights_of(index), static_cast<std::size_t>(node.label));
    double as_tree = 0.0;
    for (const std::uint32_t child : node.children)
      if (is_visited(child)) as_tree += draft_.nodes[child].errors;
    switch (decide_pruning(as_leaf, as_child, as_tree)) {
      case Pruning::leaf:
        node.become_leaf();
        node.errors = as_leaf;
        exact_[index] = true;
        finish(index);
        break;
      case Pruning::child: {
        Draft::Node raised = draft_.nodes[sending.subtree];
        node = std::move(raised);
        forget_shares(index);
        sendings_.push_back({.node = index, .subtree = index, .purpose = Purpose::recount, .known = {}});
        break;
      }
      case Pruning::none:
        node.errors = as_tree;
        finish(index);
        break;
    }
  }

  // Returns the estimate of a child if all rows of its parent reached it: that of the child with its own rows, changed
  // at the leaves that other rows reach.
  double estimate_of_child(std::uint32_t child, const NodeSums& sums) const {
    double total = draft_.nodes[child].errors;
    for (std::size_t i = 0; i < sums.nodes.size(); ++i) {
      const std::uint32_t leaf = sums.nodes[i];
      if (!draft_.nodes[leaf].children.empty()) continue;
      const auto weights = weights_at(sums, i);
      const bool is_same = is_visited(leaf) ? std::ranges::equal(weights, draft_.weights_of(leaf)) : !has_rows(weights);
      if (!is_same) total += leaf_errors_.of(weights) - draft_.nodes[leaf].errors;
    }
    return total;
  }

  // Returns the sum of the estimates of the leaves that rows reach.
  double estimate(const NodeSums& sums) const {
    double total = 0.0;
    for (std::size_t i = 0; i < sums.nodes.size(); ++i)
      if (draft_.nodes[sums.nodes[i]].children.empty() && has_rows(weights_at(sums, i)))
        total += leaf_errors_.of(weights_at(sums, i));
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

  // Describes a subtree by the rows that reach it after a child was raised.
  void recount(std::uint32_t root, const NodeSums& sums) {
    for (std::size_t i = 0; i < sums.nodes.size(); ++i) describe(sums.nodes[i], weights_at(sums, i));
    start(root);
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
  // Per node: the weight of the rows of known value by branch. Empty if no row is shared out, or if it is not known.
  std::vector<std::vector<double>> known_;
  std::vector<bool> exact_;  // per node: no split at it or below it may meet a missing value
  std::vector<Sending> sendings_;
};

}  // namespace

void prune_counted(graph::Draft& draft, const data::Dataset& dataset, CountedRows& rows, double confidence,
                   const criteria::ClassFactors& classes) {
  const auto all = draft.weights_of(0);
  CountedPruner(draft, dataset, rows, LeafErrors(confidence, classes, {all.begin(), all.end()}, rows.unit)).prune();
}

}  // namespace weaklearn::tree
