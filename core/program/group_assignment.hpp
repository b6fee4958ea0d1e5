// The assignment of children to a fixed number of groups, for the rule "width".
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "program/greedy_merging.hpp"
#include "program/merge_rule.hpp"

namespace weaklearn::program {

// Children in groups. Each child may move to the group where the weighted impurity is lowest.
template <criteria::Criterion C>
class GroupAssignment {
 public:
  GroupAssignment(const WeightedImpurity<C>& impurity, std::vector<ClassWeights> children, const Groups& groups)
      : impurity_(impurity), children_(std::move(children)), group_of_(children_.size()), weights_(groups.size()) {
    for (std::uint32_t g = 0; g < groups.size(); ++g)
      for (const std::uint32_t c : groups[g]) group_of_[c] = g;
    for (std::uint32_t g = 0; g < groups.size(); ++g) weights_[g] = sum_of(g);
  }

  const std::vector<std::uint32_t>& group_of() const { return group_of_; }
  std::uint32_t n_groups() const { return static_cast<std::uint32_t>(weights_.size()); }

  // Returns the class weights of a group without two of the children. They are summed, not subtracted, so that the
  // weight of a class that is absent is exactly 0.
  ClassWeights sum_of(std::uint32_t g, std::uint32_t without = UINT32_MAX,
                      std::uint32_t or_without = UINT32_MAX) const {
    ClassWeights sum(children_[0].size(), 0.0);
    for (std::uint32_t c = 0; c < children_.size(); ++c)
      if (group_of_[c] == g && c != without && c != or_without)
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += children_[c][k];
    return sum;
  }

  // Replaces the weights and the group of a child.
  void put(std::uint32_t c, ClassWeights weights, std::uint32_t group) {
    const std::uint32_t present = group_of_[c];
    children_[c] = std::move(weights);
    group_of_[c] = group;
    weights_[present] = sum_of(present);
    weights_[group] = sum_of(group);
  }

  // Moves a child to the group where the weighted impurity is lowest. Returns false if it is there already.
  bool reassign(std::uint32_t c) {
    const std::uint32_t present = group_of_[c];
    const ClassWeights rest = sum_of(present, c);
    const double of_child = impurity_.of(children_[c]);
    double least = impurity_.rise(rest, children_[c], impurity_.of(rest) + of_child) - impurity_noise;
    std::uint32_t best = present;
    for (std::uint32_t g = 0; g < weights_.size(); ++g) {
      if (g == present) continue;
      if (const double rise = impurity_.rise(weights_[g], children_[c], impurity_.of(weights_[g]) + of_child);
          rise < least) {
        least = rise - impurity_noise;
        best = g;
      }
    }
    if (best == present) return false;
    group_of_[c] = best;
    weights_[present] = rest;
    weights_[best] = sum_of(best);
    return true;
  }

 private:
  const WeightedImpurity<C>& impurity_;
  std::vector<ClassWeights> children_;
  std::vector<std::uint32_t> group_of_;
  std::vector<ClassWeights> weights_;  // of each group
};

// Returns at most `max_width` groups. The cheapest pairs are merged until there are so few groups, and then children
// move between groups.
template <criteria::Criterion C>
Groups groups_by_width(const WeightedImpurity<C>& impurity, const std::vector<ClassWeights>& children,
                       std::uint64_t max_width) {
  GreedyMerging<C> merging(impurity, children);
  while (merging.n_groups() > max_width) {
    merging.next_rise();
    merging.merge();
  }
  Groups groups = merging.groups();
  if (groups.size() == children.size()) return groups;
  constexpr int most_sweeps = 100;
  GroupAssignment<C> assignment(impurity, children, groups);
  bool changed = true;
  for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
    changed = false;
    for (std::uint32_t c = 0; c < children.size(); ++c) changed |= assignment.reassign(c);
  }
  return groups_by<std::uint32_t>(assignment.group_of());
}

}  // namespace weaklearn::program
