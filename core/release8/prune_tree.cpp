#include "release8/prune_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace weaklearn::release8 {
namespace {

// A replacement may raise the estimate by at most this.
constexpr double slack = 0.1;

}  // namespace

Pruner::Pruner(const TrainingSet& set, WeightedRows& rows, float confidence_percent, graph::Draft& draft)
    : rows_(rows), extra_errors_(confidence_percent), draft_(draft), counts_(set.n_classes) {}

Pruner::Leaf Pruner::as_leaf(std::uint32_t node, Range range) {
  Leaf leaf;
  leaf.weight = rows_.weight(range);
  rows_.class_counts(range, counts_);
  leaf.label = draft_.nodes[node].label;  // ties go to the present label
  for (std::size_t c = 0; c < counts_.size(); ++c)
    if (counts_[c] > counts_[leaf.label]) leaf.label = static_cast<std::int32_t>(c);
  const float errors = leaf.weight - counts_[leaf.label];
  leaf.estimate = errors + extra_errors_(leaf.weight, errors);
  return leaf;
}

void Pruner::overwrite(std::uint32_t node, const Leaf& leaf) {
  draft_.nodes[node].weight = leaf.weight;
  draft_.nodes[node].label = leaf.label;
  std::ranges::copy(counts_, draft_.weights_of(node).begin());
}

float Pruner::prune(std::uint32_t index, Range range) {
  graph::Draft::Node& node = draft_.nodes[index];  // pruning adds no nodes, so this stays valid
  const Leaf leaf = as_leaf(index, range);
  overwrite(index, leaf);
  if (node.split == graph::SplitKind::leaf) {
    node.errors = leaf.estimate;
    return leaf.estimate;
  }
  const Branches branches = sum_branches(index, range, &Pruner::prune);
  const std::uint32_t largest = node.children[branches.largest];
  const float raised = estimate(largest, range);

  if (leaf.estimate <= raised + slack && leaf.estimate <= branches.estimate + slack) {
    node.become_leaf();
    node.errors = leaf.estimate;
  } else if (raised <= branches.estimate + slack) {
    prune(largest, range);  // with all rows of this node it may become smaller
    raise(index, largest);
  } else {
    node.errors = branches.estimate;
  }
  return static_cast<float>(node.errors);
}

float Pruner::estimate(std::uint32_t node, Range range) {
  if (draft_.nodes[node].split == graph::SplitKind::leaf) return as_leaf(node, range).estimate;
  return sum_branches(node, range, &Pruner::estimate).estimate;
}

// Branches without known rows are not visited. They add nothing and stay as they are.
Pruner::Branches Pruner::sum_branches(std::uint32_t index, Range range, Estimate estimate_branch) {
  const graph::Draft::Node& node = draft_.nodes[index];
  const SplitRule rule{node.split, static_cast<std::uint32_t>(node.column), static_cast<float>(node.threshold),
                       node.value_branch};
  const bool all_known_before = rows_.all_known;
  const std::uint32_t first_known = rows_.group_missing(rule.column, range);
  // The weight is summed before the flag changes, unlike in growing.
  const float known_weight = rows_.weight({first_known, range.last});
  if (first_known != range.first) rows_.all_known = false;

  Branches sum;
  float largest_share = 0.0F;
  rows_.visit_branches(rule, static_cast<std::uint32_t>(node.children.size()), range, first_known, known_weight,
                       [&](std::uint32_t branch, Range branch_rows, float share) {
                         if (branch_rows.empty()) return;
                         if (share >= largest_share) {  // ties go to the last branch
                           largest_share = share;
                           sum.largest = branch;
                         }
                         sum.estimate += (this->*estimate_branch)(node.children[branch], branch_rows);
                       });
  rows_.all_known = all_known_before;
  return sum;
}

void Pruner::raise(std::uint32_t node, std::uint32_t child) {
  std::ranges::copy(std::as_const(draft_).weights_of(child), draft_.weights_of(node).begin());
  graph::Draft::Node raised = std::move(draft_.nodes[child]);
  draft_.nodes[node] = std::move(raised);
}

}  // namespace weaklearn::release8
