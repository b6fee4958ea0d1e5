// Merge rules: which children of a level become one node of the next level.
//
// A rule is one file with a class template over the criterion that derives from MergeRule, and one line in
// merge_registry.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "graph/draft.hpp"
#include "program/merge_rows.hpp"
#include "program/weighted_impurity.hpp"
#include "splits/node_view.hpp"
#include "tree/tree_grower.hpp"

namespace weaklearn::program {

struct MergeOptions {
  double merge_share = 0.5;              // of the gain of a level, which merging may cost; for the rule "budget"
  std::uint64_t max_width = UINT64_MAX;  // of a level; for the rule "width"
};

// A node of the level that is split, and its split.
struct ChosenSplit {
  std::uint32_t position;  // of the node in the level
  std::uint32_t column;
  splits::Split split;
};

// A level whose splits have been chosen, before its rows are partitioned.
template <criteria::Criterion C>
struct OpenLevel {
  tree::TreeGrower<C>& grower;
  const graph::Draft& draft;
  const std::vector<tree::DeferredNode>& nodes;
  double min_objects;
  bool missing_takes_branch;
  tree::Worker& worker;
};

// The children of a level that are not pure. Only these are merged.
struct MixedChildren {
  std::vector<ClassWeights> weights;  // scaled so that those of the whole level sum to 1
  std::vector<std::uint32_t> index;   // of each of them among all children of the level
  double before = 0.0;                // the weighted impurity before the level was split
  double after = 0.0;                 // and after
};

struct Grouping {
  Groups groups;            // ordered by their first members
  double grid_width = 0.0;  // the number of cells, where a grid was used
};

template <criteria::Criterion C>
class MergeRule {
 public:
  // Throws std::invalid_argument if the rule cannot handle so many classes.
  MergeRule(const WeightedImpurity<C>& impurity, const MergeOptions& options, std::uint32_t n_classes)
      : impurity_(impurity), options_(options), n_classes_(n_classes) {}
  virtual ~MergeRule() = default;

  // Decides which children are merged.
  virtual Grouping group(const MixedChildren& children) = 0;

  // Is called before the rows of a level are partitioned. A rule may replace splits by splits that are better once the
  // children are merged.
  virtual void revise_splits(const OpenLevel<C>&, std::vector<ChosenSplit>&) {}

  // Whether a level must be merged even if its splits have gained nothing. A level that then loses more than it has
  // gained is not split: otherwise growing might never end.
  virtual bool is_mandatory() const { return false; }

 protected:
  const WeightedImpurity<C>& impurity_;
  const MergeOptions options_;
  const std::uint32_t n_classes_;
};

// Puts children of the same key in one group.
template <class Key>
Groups groups_by(std::span<const Key> keys) {
  std::map<Key, std::size_t> group_of;
  Groups groups;
  for (std::uint32_t c = 0; c < keys.size(); ++c) {
    const auto [entry, is_new] = group_of.try_emplace(keys[c], groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].push_back(c);
  }
  return groups;
}

// Puts every child in a group of its own.
inline Groups groups_of_one(std::size_t n_children) {
  Groups groups;
  for (std::uint32_t c = 0; c < n_children; ++c) groups.push_back({c});
  return groups;
}

}  // namespace weaklearn::program
