#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
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

// Prunes from the bottom up. All nodes whose children are done are judged together, so that their rows are counted
// together. A node that is replaced by its child has other rows below it than before. These are counted in the next
// round, and then the nodes below it are judged again.
class CountedPruner {
 public:
  CountedPruner(Draft& draft, CountedRows& rows, LeafErrors leaf_errors)
      : draft_(draft),
        rows_(rows),
        leaf_errors_(std::move(leaf_errors)),
        parent_(draft.nodes.size(), none),
        n_waiting_(draft.nodes.size(), 0) {}

  void prune() {
    start(0);
    while (!to_judge_.empty() || !to_recount_.empty()) {
      std::vector<RowsAndSubtree> requests;
      for (const std::uint32_t node : to_judge_)
        requests.push_back({node, draft_.nodes[node].children[heaviest(node)]});
      for (const std::uint32_t node : to_recount_) requests.push_back({node, node});
      const std::size_t n_judged = to_judge_.size();
      to_judge_.clear();
      to_recount_.clear();
      const Routing tree(draft_, {});
      const std::vector<double> sums = rows_.leaf_sums(tree, requests);
      std::span<const double> remaining = sums;
      for (std::size_t i = 0; i < requests.size(); ++i) {
        const std::vector<std::uint32_t> leaves = leaves_below(tree, requests[i].subtree);
        const auto own = remaining.first(leaves.size() * draft_.n_classes);
        remaining = remaining.subspan(own.size());
        if (i < n_judged)
          judge(requests[i], leaves, own);
        else
          recount(requests[i].node, leaves, own);
      }
    }
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  bool is_visited(std::uint32_t node) const { return draft_.nodes[node].weight > 0.0; }

  std::uint32_t heaviest(std::uint32_t index) const {
    const std::vector<std::uint32_t>& children = draft_.nodes[index].children;
    return branch_to_raise(children.size(), [&](std::uint32_t b) { return draft_.nodes[children[b]].weight; });
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
    if (parent != none && --n_waiting_[parent] == 0) to_judge_.push_back(parent);
  }

  void judge(const RowsAndSubtree& request, std::span<const std::uint32_t> leaves, std::span<const double> sums) {
    Draft::Node& node = draft_.nodes[request.node];
    const double as_leaf = leaf_errors_.of(draft_.weights_of(request.node), static_cast<std::size_t>(node.label));
    double as_tree = 0.0;
    for (const std::uint32_t child : node.children)
      if (is_visited(child)) as_tree += draft_.nodes[child].errors;
    switch (decide_pruning(as_leaf, estimate_of_child(request.subtree, leaves, sums), as_tree)) {
      case Pruning::leaf:
        node.become_leaf();
        node.errors = as_leaf;
        finish(request.node);
        break;
      case Pruning::child: {
        Draft::Node raised = draft_.nodes[request.subtree];
        node = std::move(raised);
        to_recount_.push_back(request.node);
        break;
      }
      case Pruning::none:
        node.errors = as_tree;
        finish(request.node);
        break;
    }
  }

  // Returns the estimate of a child if all rows of its parent reached it: that of the child with its own rows, changed
  // at the leaves that other rows reach.
  double estimate_of_child(std::uint32_t child, std::span<const std::uint32_t> leaves,
                           std::span<const double> sums) const {
    double total = draft_.nodes[child].errors;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const auto weights = sums.subspan(i * draft_.n_classes, draft_.n_classes);
      const bool has_rows = std::ranges::any_of(weights, [](double weight) { return weight > 0.0; });
      const bool is_same =
          is_visited(leaves[i]) ? std::ranges::equal(weights, draft_.weights_of(leaves[i])) : !has_rows;
      if (!is_same) total += leaf_errors_.of(weights) - draft_.nodes[leaves[i]].errors;
    }
    return total;
  }

  // Describes a subtree by the rows that reach it after a child was raised.
  void recount(std::uint32_t root, std::span<const std::uint32_t> leaves, std::span<const double> sums) {
    std::vector<std::uint32_t> order{root};
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const std::uint32_t child : draft_.nodes[order[i]].children) order.push_back(child);
    std::unordered_map<std::uint32_t, std::vector<double>> weights_of;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const auto own = sums.subspan(i * draft_.n_classes, draft_.n_classes);
      weights_of[leaves[i]].assign(own.begin(), own.end());
    }
    for (auto place = order.rbegin(); place != order.rend(); ++place) {
      const std::uint32_t index = *place;
      std::vector<double>& weights = weights_of[index];
      weights.resize(draft_.n_classes, 0.0);
      for (const std::uint32_t child : draft_.nodes[index].children)
        std::ranges::transform(weights, weights_of[child], weights.begin(), std::plus{});
      describe(index, weights);
    }
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
  CountedRows& rows_;
  const LeafErrors leaf_errors_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> n_waiting_;  // per node: the children that are not done
  std::vector<std::uint32_t> to_judge_;
  std::vector<std::uint32_t> to_recount_;
};

}  // namespace

void prune_counted(graph::Draft& draft, const data::Dataset& dataset, CountedRows& rows, double confidence,
                   const criteria::ClassFactors& classes) {
  for (const Draft::Node& node : draft.nodes)
    if (!node.children.empty() && meets_values_without_branch(node, dataset))
      throw std::invalid_argument("a split shares out rows of missing value, so the tree cannot be pruned by counts");
  const auto all = draft.weights_of(0);
  CountedPruner(draft, rows, LeafErrors(confidence, classes, {all.begin(), all.end()}, rows.unit)).prune();
}

}  // namespace weaklearn::tree
