// Tests and merging of a level in one: where a level may only be so wide, the test that is best for a node by
// itself need not be best for what its children are merged into. So every node's test is chosen anew, given
// where all other children go, and so is where its own children go, again and again (decision jungles: Shotton
// et al. 2013).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "program/destination_splits.hpp"
#include "program/merge_rules.hpp"
#include "tree/tree_grower.hpp"

namespace weaklearn::program {

// A node of the level that is split, and how.
struct Choice {
  std::uint32_t task;
  std::uint32_t column;
  splits::Split split;
};

// As the divider says of a child.
inline bool is_pure(std::span<const double> weights) {
  return criteria::at_most(criteria::weight_of_others(weights, criteria::largest(weights)), 0.0);
}

// What a child adds to the group it goes to: nothing if it is pure, and a leaf of its own.
inline ClassWeights added(std::span<const double> child, double total) {
  ClassWeights shares(child.size(), 0.0);
  if (!is_pure(child))
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = child[k] / total;
  return shares;
}

// The index of the two groups that the branches of a test lead to, or of the one.
template <criteria::Criterion C>
class JoinedIndex {
 public:
  // `others` is what all other children bring to the groups.
  JoinedIndex(const Index<C>& index, const ClassWeights& first, const ClassWeights& second, bool same, double total)
      : index_(index), others_{&first, &second}, same_(same), total_(total) {}

  double operator()(std::span<const double> a, std::span<const double> b) {
    sum_ = *others_[0];
    add(a);
    if (same_) add(b);
    const double first = index_.of(sum_);
    if (same_) return first;
    sum_ = *others_[1];
    add(b);
    return first + index_.of(sum_);
  }

 private:
  void add(std::span<const double> child) {
    if (is_pure(child)) return;
    for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += child[k] / total_;
  }

  const Index<C>& index_;
  const ClassWeights* others_[2];
  bool same_;
  double total_;
  ClassWeights sum_;
};

template <criteria::Criterion C>
class WidthSearch {
 public:
  WidthSearch(tree::TreeGrower<C>& grower, const Index<C>& index, const graph::Draft& draft,
              const std::vector<tree::DeferredNode>& level, double min_objects, tree::Worker& worker)
      : grower_(grower), index_(index), draft_(draft), level_(level), min_objects_(min_objects), worker_(worker) {}

  // Returns the group of every child, two per choice in their order; pure ones count for nothing. Where
  // children have to be merged, some of the choices are others afterwards.
  std::vector<std::uint32_t> run(std::vector<Choice>& choices, std::uint64_t max_width) {
    total_ = 0.0;
    for (const Choice& choice : choices) total_ += draft_.nodes[level_[choice.task].open.node].weight;
    branches_.clear();
    for (const Choice& choice : choices) {
      const splits::NodeView node = view(choice);
      branches_.push_back(branches_of(node, row_weights(choice), grower_.dataset.columns[choice.column], choice.split));
    }
    std::vector<ClassWeights> children;
    std::vector<ClassWeights> mixed;
    std::vector<std::uint32_t> number_of;  // of those that are not pure
    for (const Branches& branches : branches_)
      for (const auto& branch : branches) {
        if (!is_pure(branch)) {
          mixed.push_back(added(branch, total_));
          number_of.push_back(static_cast<std::uint32_t>(children.size()));
        }
        children.push_back(added(branch, total_));
      }
    Groups groups = by_width(index_, mixed, max_width);
    for (auto& group : groups)
      for (std::uint32_t& c : group) c = number_of[c];
    if (mixed.size() > max_width) groups.resize(max_width);  // one may have been left by everybody
    if (groups.empty()) groups.emplace_back();
    Assignment<C> assignment(index_, std::move(children), groups);
    if (mixed.size() > max_width) search(choices, assignment);
    return assignment.group_of();
  }

 private:
  void search(std::vector<Choice>& choices, Assignment<C>& assignment) {
    constexpr int most_sweeps = 10;
    bool changed = true;
    for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
      changed = false;
      for (std::uint32_t i = 0; i < choices.size(); ++i) {
        changed |= choose_anew(i, choices[i], assignment);
        for (const std::uint32_t c : {2 * i, 2 * i + 1}) changed |= assignment.reassign(c);
      }
    }
  }

  // Looks for a better test for the groups that the children of a node are in.
  bool choose_anew(std::uint32_t i, Choice& choice, Assignment<C>& assignment) {
    const std::uint32_t children[2] = {2 * i, 2 * i + 1};
    std::uint32_t target[2];
    for (std::size_t b = 0; b < 2; ++b)
      target[b] = is_pure(branches_[i][b]) ? nearest(assignment, i, b) : assignment.group_of()[children[b]];
    const ClassWeights first = assignment.sum_of(target[0], children[0], children[1]);
    const ClassWeights second = assignment.sum_of(target[1], children[0], children[1]);
    const JoinedIndex<C> joined(index_, first, second, target[0] == target[1], total_);
    JoinedIndex<C> of_present = joined;
    const double limit = of_present(branches_[i][0], branches_[i][1]) - impurity_noise;

    const splits::NodeView node = view(choice);
    const RowWeights weights = row_weights(choice);
    const auto n_columns = static_cast<std::uint32_t>(grower_.dataset.columns.size());
    std::vector<DestinationSplit> found(n_columns);
    grower_.team.for_each_column(node.rows.size(), worker_.thread, n_columns, [&](std::uint32_t c, std::uint32_t) {
      JoinedIndex<C> score = joined;
      found[c] = DestinationSearch(node, weights, grower_.dataset.columns[c], score, limit, impurity_noise).best();
    });
    double below = limit;
    std::uint32_t best = n_columns;
    for (std::uint32_t c = 0; c < n_columns; ++c)
      if (found[c].score < below) {
        best = c;
        below = found[c].score - impurity_noise;
      }
    if (best == n_columns) return false;
    choice.column = best;
    choice.split = std::move(found[best].split);
    branches_[i] = std::move(found[best].branches);
    for (std::size_t b = 0; b < 2; ++b)
      assignment.put(children[b], added(branches_[i][b], total_), target[found[best].swapped ? 1 - b : b]);
    return true;
  }

  // Where a pure child would raise the index least if it had to go somewhere.
  std::uint32_t nearest(const Assignment<C>& assignment, std::uint32_t i, std::size_t b) const {
    ClassWeights child = branches_[i][b];
    for (double& x : child) x /= total_;
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t best = 0;
    for (std::uint32_t g = 0; g < assignment.n_groups(); ++g) {
      const ClassWeights others = assignment.sum_of(g, 2 * i, 2 * i + 1);
      if (const double rise = index_.rise(others, child, index_.of(others)); rise < least) {
        least = rise - impurity_noise;
        best = g;
      }
    }
    return best;
  }

  // All classes are local here: groups have those that a node lacks.
  splits::NodeView view(const Choice& choice) {
    const tree::OpenNode& job = level_[choice.task].open;
    splits::NodeView node;
    node.rows = job.part.row_span();
    node.class_of = grower_.dataset.classes;
    node.class_weights = draft_.weights_of(job.node);
    node.n_local = grower_.dataset.n_classes;
    node.total = draft_.nodes[job.node].weight;
    node.min_objects = min_objects_;
    worker_.local_class.resize(node.rows.size());
    for (std::size_t r = 0; r < node.rows.size(); ++r)
      worker_.local_class[r] = static_cast<std::uint32_t>(worker_.class_of(node.rows[r]));
    node.local_class = worker_.local_class;
    return node;
  }

  RowWeights row_weights(const Choice& choice) {
    const tree::DeferredNode& task = level_[choice.task];
    task.restore_weights(worker_);
    return {task.open.unit ? nullptr : worker_.weights.data()};
  }

  tree::TreeGrower<C>& grower_;
  const Index<C>& index_;
  const graph::Draft& draft_;
  const std::vector<tree::DeferredNode>& level_;
  double min_objects_;
  tree::Worker& worker_;
  double total_ = 0.0;  // the weight of the level
  std::vector<Branches> branches_;  // of each choice, as they weigh
};

}  // namespace weaklearn::program
