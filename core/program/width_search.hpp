// The search for the splits of a level of limited width. Where children have to be merged, the split that is best for a
// node by itself need not be best for the groups that its children join. So the split of each node is chosen again,
// given where all other children go, and then the groups of its children, until nothing changes (decision jungles:
// Shotton et al. 2013).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "program/destination_splits.hpp"
#include "program/group_assignment.hpp"
#include "program/merge_rule.hpp"

namespace weaklearn::program {

// Whether a child is pure, as NodePartitioner decides it.
inline bool is_pure(std::span<const double> weights) {
  return criteria::at_most(criteria::weight_of_others(weights, criteria::largest(weights)), 0.0);
}

// Returns the scaled class weights that a child adds to its group. A pure child becomes a leaf of its own and adds
// nothing.
inline ClassWeights scaled_unless_pure(std::span<const double> child, double total) {
  ClassWeights shares(child.size(), 0.0);
  if (!is_pure(child))
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = child[k] / total;
  return shares;
}

// The weighted impurity of the two groups that the branches of a split lead to, or of the one group.
template <criteria::Criterion C>
class ImpurityOfGroups {
 public:
  // `first` and `second` are what all other children add to the groups.
  ImpurityOfGroups(const WeightedImpurity<C>& impurity, const ClassWeights& first, const ClassWeights& second,
                   bool same, double total)
      : impurity_(impurity), others_{&first, &second}, same_(same), total_(total) {}

  double operator()(std::span<const double> a, std::span<const double> b) {
    sum_ = *others_[0];
    add(a);
    if (same_) add(b);
    const double first = impurity_.of(sum_);
    if (same_) return first;
    sum_ = *others_[1];
    add(b);
    return first + impurity_.of(sum_);
  }

 private:
  void add(std::span<const double> child) {
    if (is_pure(child)) return;
    for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += child[k] / total_;
  }

  const WeightedImpurity<C>& impurity_;
  const ClassWeights* others_[2];
  bool same_;
  double total_;
  ClassWeights sum_;
};

template <criteria::Criterion C>
class WidthSearch {
 public:
  WidthSearch(const WeightedImpurity<C>& impurity, const OpenLevel<C>& level) : impurity_(impurity), level_(level) {}

  // Returns the group of every child, two children per split in their order. The group of a pure child means nothing.
  // If children have to be merged, some of the splits are replaced.
  std::vector<std::uint32_t> run(std::vector<ChosenSplit>& choices, std::uint64_t max_width) {
    total_ = 0.0;
    for (const ChosenSplit& choice : choices)
      total_ += level_.draft.nodes[level_.nodes[choice.position].open.node].weight;
    branches_.clear();
    for (const ChosenSplit& choice : choices) {
      const splits::NodeView node = view(choice);
      branches_.push_back(
          branches_of(node, row_weights(choice), level_.grower.dataset.columns[choice.column], choice.split));
    }
    std::vector<ClassWeights> children;
    std::vector<ClassWeights> mixed;
    std::vector<std::uint32_t> index_of;  // among all children
    for (const Branches& branches : branches_)
      for (const auto& branch : branches) {
        if (!is_pure(branch)) {
          mixed.push_back(scaled_unless_pure(branch, total_));
          index_of.push_back(static_cast<std::uint32_t>(children.size()));
        }
        children.push_back(scaled_unless_pure(branch, total_));
      }
    Groups groups = groups_by_width(impurity_, mixed, max_width);
    for (auto& group : groups)
      for (std::uint32_t& c : group) c = index_of[c];
    if (mixed.size() > max_width) groups.resize(max_width);  // all children may have moved out of a group
    if (groups.empty()) groups.emplace_back();
    GroupAssignment<C> assignment(impurity_, std::move(children), groups);
    if (mixed.size() > max_width) search(choices, assignment);
    return assignment.group_of();
  }

 private:
  void search(std::vector<ChosenSplit>& choices, GroupAssignment<C>& assignment) {
    constexpr int most_sweeps = 10;
    bool changed = true;
    for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
      changed = false;
      for (std::uint32_t i = 0; i < choices.size(); ++i) {
        changed |= choose_again(i, choices[i], assignment);
        for (const std::uint32_t c : {2 * i, 2 * i + 1}) changed |= assignment.reassign(c);
      }
    }
  }

  // Searches a better split of a node, given the groups that its children are in.
  bool choose_again(std::uint32_t i, ChosenSplit& choice, GroupAssignment<C>& assignment) {
    const std::uint32_t children[2] = {2 * i, 2 * i + 1};
    std::uint32_t target[2];
    for (std::size_t b = 0; b < 2; ++b)
      target[b] = is_pure(branches_[i][b]) ? nearest(assignment, i, b) : assignment.group_of()[children[b]];
    const ClassWeights first = assignment.sum_of(target[0], children[0], children[1]);
    const ClassWeights second = assignment.sum_of(target[1], children[0], children[1]);
    const ImpurityOfGroups<C> of_groups(impurity_, first, second, target[0] == target[1], total_);
    ImpurityOfGroups<C> of_present = of_groups;
    const double limit = of_present(branches_[i][0], branches_[i][1]) - impurity_noise;

    const splits::NodeView node = view(choice);
    const RowWeights weights = row_weights(choice);
    const auto n_columns = static_cast<std::uint32_t>(level_.grower.dataset.columns.size());
    std::vector<DestinationSplit> best_of(n_columns);
    level_.grower.team.for_each_column(
        node.rows.size(), level_.worker.thread, n_columns, [&](std::uint32_t c, std::uint32_t) {
          ImpurityOfGroups<C> score = of_groups;
          best_of[c] =
              DestinationSearch(node, weights, level_.grower.dataset.columns[c], score, limit, impurity_noise).best();
        });
    double below = limit;
    std::uint32_t best = n_columns;
    for (std::uint32_t c = 0; c < n_columns; ++c)
      if (best_of[c].score < below) {
        best = c;
        below = best_of[c].score - impurity_noise;
      }
    if (best == n_columns) return false;
    choice.column = best;
    choice.split = std::move(best_of[best].split);
    branches_[i] = std::move(best_of[best].branches);
    for (std::size_t b = 0; b < 2; ++b)
      assignment.put(children[b], scaled_unless_pure(branches_[i][b], total_),
                     target[best_of[best].swapped ? 1 - b : b]);
    return true;
  }

  // Returns the group where a pure child would raise the weighted impurity least.
  std::uint32_t nearest(const GroupAssignment<C>& assignment, std::uint32_t i, std::size_t b) const {
    ClassWeights child = branches_[i][b];
    for (double& x : child) x /= total_;
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t best = 0;
    for (std::uint32_t g = 0; g < assignment.n_groups(); ++g) {
      const ClassWeights others = assignment.sum_of(g, 2 * i, 2 * i + 1);
      if (const double rise = impurity_.rise(others, child, impurity_.of(others)); rise < least) {
        least = rise - impurity_noise;
        best = g;
      }
    }
    return best;
  }

  // Here all classes count as present: groups may have classes that a node lacks.
  splits::NodeView view(const ChosenSplit& choice) {
    const tree::OpenNode& open = level_.nodes[choice.position].open;
    splits::NodeView node;
    node.rows = open.node_rows.row_span();
    node.class_of = level_.grower.dataset.classes;
    node.class_weights = level_.draft.weights_of(open.node);
    node.n_local = level_.grower.dataset.n_classes;
    node.total = level_.draft.nodes[open.node].weight;
    node.min_objects = level_.min_objects;
    node.missing_takes_branch = level_.missing_takes_branch;
    node.factors = node.local_factors = level_.grower.training.classes.factors;
    level_.worker.local_class.resize(node.rows.size());
    for (std::size_t r = 0; r < node.rows.size(); ++r)
      level_.worker.local_class[r] = static_cast<std::uint32_t>(level_.worker.class_of(node.rows[r]));
    node.local_class = level_.worker.local_class;
    return node;
  }

  RowWeights row_weights(const ChosenSplit& choice) {
    const tree::DeferredNode& node = level_.nodes[choice.position];
    node.restore_weights(level_.worker);
    return {node.open.unit ? nullptr : level_.worker.weights.numbers()};
  }

  const WeightedImpurity<C>& impurity_;
  const OpenLevel<C>& level_;
  double total_ = 0.0;  // the weight of the level
  std::vector<Branches> branches_;  // of each split: their class weights
};

}  // namespace weaklearn::program
