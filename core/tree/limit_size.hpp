// Limits on the size of a grown tree, as scikit-learn defines them. A split does not depend on the rest of the tree, so
// that a tree can be grown in full and cut afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "criteria/registry.hpp"
#include "graph/draft.hpp"

namespace weaklearn::tree {

// Impurities are those of the criterion, as shares of the impurity that a node of all rows could have: a node counts
// with its share of the weight.
struct SizeLimits {
  double min_impurity_decrease = 0.0;  // the least by which a split lowers the impurity of the tree
  std::uint64_t max_leaves = UINT64_MAX;  // the splits that lower the impurity most are made first
  double ccp_alpha = 0.0;  // minimal cost-complexity pruning: the cost of a leaf

  bool any() const { return min_impurity_decrease > 0.0 || max_leaves < UINT64_MAX || ccp_alpha > 0.0; }
};

// A step of minimal cost-complexity pruning: from this cost of a leaf on, the tree has this impurity.
struct PruningStep {
  double ccp_alpha;
  double impurity;
};

// Returns the steps by which a growing cost of a leaf cuts the tree, from the full tree, at 0, to its root.
std::vector<PruningStep> cost_complexity_path(const graph::Draft& draft, const criteria::CriterionName& criterion);

// Cuts a tree that was grown without collapsing. Every node must come before its children.
void limit_size(graph::Draft& draft, const criteria::CriterionName& criterion, const SizeLimits& limits);

}  // namespace weaklearn::tree
