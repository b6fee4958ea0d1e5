#include "release8/prune_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace weaklearn::release8 {
namespace {

// Replacements may raise the estimate by this much.
constexpr double slack = 0.1;

}  // namespace

Pruner::Pruner(const TrainingSet& set, Items& items, float confidence_percent, graph::Draft& draft)
    : items_(items), extra_errors_(confidence_percent), draft_(draft), counts_(set.n_classes) {}

Pruner::Leaf Pruner::as_leaf(std::uint32_t node, Range range) {
  Leaf leaf;
  leaf.weight = items_.weight(range);
  items_.class_counts(range, counts_);
  leaf.label = draft_.nodes[node].label;  // wins ties
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

float Pruner::prune(std::uint32_t number, Range range) {
  graph::Draft::Node& node = draft_.nodes[number];  // pruning adds no nodes: this stays valid
  const Leaf leaf = as_leaf(number, range);
  overwrite(number, leaf);
  if (node.split == graph::SplitKind::leaf) {
    node.errors = leaf.estimate;
    return leaf.estimate;
  }
  const Branches branches = sum_branches(number, range, &Pruner::prune);
  const std::uint32_t largest = node.children[branches.largest];
  const float raised = estimate(largest, range);

  if (leaf.estimate <= raised + slack && leaf.estimate <= branches.estimate + slack) {
    node.become_leaf();
    node.errors = leaf.estimate;
  } else if (raised <= branches.estimate + slack) {
    prune(largest, range);  // with all items of this node it may shrink further
    raise(number, largest);
  } else {
    node.errors = branches.estimate;
  }
  return static_cast<float>(node.errors);
}

float Pruner::estimate(std::uint32_t node, Range range) {
  if (draft_.nodes[node].split == graph::SplitKind::leaf) return as_leaf(node, range).estimate;
  return sum_branches(node, range, &Pruner::estimate).estimate;
}

// Branches without a known item are not visited: they add nothing and keep their contents.
Pruner::Branches Pruner::sum_branches(std::uint32_t number, Range range, Estimate estimate_branch) {
  const graph::Draft::Node& node = draft_.nodes[number];
  const Condition condition{node.split, static_cast<std::uint32_t>(node.column),
                            static_cast<float>(node.threshold), node.value_branch};
  const bool all_known_before = items_.all_known;
  const std::uint32_t first_known = items_.group_unknown(condition.attribute, range);
  // Unlike in growing, summed before the flag changes.
  const float known_weight = items_.weight({first_known, range.last});
  if (first_known != range.first) items_.all_known = false;

  Branches sum;
  float largest_share = 0.0F;
  items_.visit_branches(condition, static_cast<std::uint32_t>(node.children.size()), range,
                        first_known, known_weight,
                        [&](std::uint32_t branch, Range items, float share) {
                          if (items.empty()) return;
                          if (share >= largest_share) {  // the last of equal ones
                            largest_share = share;
                            sum.largest = branch;
                          }
                          sum.estimate += (this->*estimate_branch)(node.children[branch], items);
                        });
  items_.all_known = all_known_before;
  return sum;
}

void Pruner::raise(std::uint32_t node, std::uint32_t child) {
  std::ranges::copy(std::as_const(draft_).weights_of(child), draft_.weights_of(node).begin());
  graph::Draft::Node raised = std::move(draft_.nodes[child]);
  draft_.nodes[node] = std::move(raised);
}

namespace {

class CleanUp {
 public:
  CleanUp(const TrainingSet& set, graph::Draft& draft) : draft_(draft) {
    for (const Attribute& attribute : set.attributes)
      possible_.emplace_back(attribute.n_values, true);
  }

  void visit(std::uint32_t number) {
    graph::Draft::Node& node = draft_.nodes[number];
    if (node.split != graph::SplitKind::subset) {
      for (const std::uint32_t branch : node.children) visit(branch);
      return;
    }
    std::vector<bool>& possible = possible_[static_cast<std::size_t>(node.column)];
    trim_last_branch(node, possible);
    std::vector<bool> before = possible;
    for (std::size_t branch = 0; branch < node.children.size(); ++branch) {
      for (std::size_t value = 0; value < possible.size(); ++value)
        possible[value] = node.value_branch[value] == static_cast<std::int32_t>(branch);
      visit(node.children[branch]);
    }
    possible = std::move(before);
  }

 private:
  // Only the last branch may hold values unseen at the node; the original looks at no other.
  static void trim_last_branch(graph::Draft::Node& node, const std::vector<bool>& possible) {
    const auto last = static_cast<std::int32_t>(node.children.size()) - 1;
    for (std::size_t value = 0; value < possible.size(); ++value)
      if (node.value_branch[value] == last && !possible[value]) node.value_branch[value] = -1;
    if (std::ranges::find(node.value_branch, last) == node.value_branch.end())
      node.children.pop_back();
  }

  graph::Draft& draft_;
  std::vector<std::vector<bool>> possible_;  // per attribute, per value: can it reach this node?
};

}  // namespace

void drop_impossible_values(const TrainingSet& set, graph::Draft& draft) {
  CleanUp(set, draft).visit(0);
}

}  // namespace weaklearn::release8
