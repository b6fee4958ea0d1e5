#include "tree/limit_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include "criteria/tolerance.hpp"

namespace weaklearn::tree {
namespace {

using graph::Draft;

std::vector<double> weighted_impurities(const Draft& draft, const criteria::CriterionName& name) {
  return criteria::with_criterion(name, draft.n_classes, [&](const auto& criterion) {
    std::vector<double> impurities(draft.nodes.size(), 0.0);
    for (std::uint32_t i = 0; i < draft.nodes.size(); ++i) {
      const double weight = draft.nodes[i].weight;  // an empty leaf has the class weights of its parent
      if (weight > 0.0)
        impurities[i] = criteria::impurity_of(criterion, draft.weights_of(i), weight) / draft.nodes[0].weight;
    }
    return impurities;
  });
}

// Cuts the weakest links of a tree, one after the other: the splits whose subtrees lower the impurity least per leaf.
class WeakestLinks {
 public:
  WeakestLinks(const Draft& draft, const criteria::CriterionName& criterion)
      : draft_(draft),
        impurities_(weighted_impurities(draft, criterion)),
        cut_(draft.nodes.size(), true),
        below_(draft.nodes.size()) {
    // Other limits may have made leaves of nodes, and the draft still has what was below them.
    cut_[0] = false;
    for (std::uint32_t i = 0; i < cut_.size(); ++i)
      if (!cut_[i])
        for (const std::uint32_t child : draft_.nodes[i].children) cut_[child] = false;
    measure();
  }

  double impurity() const { return below_[0].impurity; }
  bool is_root() const { return below_[0].n_leaves == 1; }

  // Cuts the weakest link, and all links that are equally weak. Returns the cost of a leaf at which they are cut.
  double cut_weakest() {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < cut_.size(); ++i)
      if (is_split(i)) least = std::min(least, strength(i));
    for (std::uint32_t i = 0; i < cut_.size(); ++i)
      if (is_split(i) && criteria::at_most(strength(i), least)) cut_[i] = true;
    measure();
    return least;
  }

 private:
  struct Leaves {
    double impurity;
    double n_leaves;
  };

  bool is_split(std::uint32_t node) const { return below_[node].n_leaves > 1; }

  double strength(std::uint32_t node) const {
    return (impurities_[node] - below_[node].impurity) / (below_[node].n_leaves - 1);
  }

  // Nodes below a cut become single leaves too, so that only the splits of the tree are considered.
  void measure() {
    for (std::uint32_t i = 0; i < cut_.size(); ++i)
      if (cut_[i])
        for (const std::uint32_t child : draft_.nodes[i].children) cut_[child] = true;
    for (auto i = static_cast<std::uint32_t>(cut_.size()); i-- > 0;) {
      below_[i] = {impurities_[i], 1};
      if (cut_[i] || draft_.nodes[i].children.empty()) continue;
      below_[i] = {0.0, 0};
      for (const std::uint32_t child : draft_.nodes[i].children) {
        below_[i].impurity += below_[child].impurity;
        below_[i].n_leaves += below_[child].n_leaves;
      }
    }
  }

  const Draft& draft_;
  const std::vector<double> impurities_;
  std::vector<bool> cut_;
  std::vector<Leaves> below_;
};

class SizeLimiter {
 public:
  SizeLimiter(Draft& draft, const criteria::CriterionName& criterion)
      : draft_(draft), impurities_(weighted_impurities(draft, criterion)) {}

  void require_decrease(double least) {
    for (std::uint32_t i = 0; i < draft_.nodes.size(); ++i)
      if (is_split(i) && criteria::less(decrease(i), least)) draft_.nodes[i].become_leaf();
  }

  void limit_leaves(std::uint64_t max_leaves) {
    std::priority_queue<Candidate> candidates;
    std::uint32_t n_made = 0;
    const auto consider = [&](std::uint32_t node) {
      if (is_split(node)) candidates.push({std::nearbyint(decrease(node) / criteria::impurity_noise), n_made++, node});
    };
    consider(0);
    for (std::uint64_t n_leaves = 1; !candidates.empty();) {
      const std::uint32_t node = candidates.top().node;
      candidates.pop();
      const graph::Children& children = draft_.nodes[node].children;
      if (n_leaves + children.size() - 1 > max_leaves) {
        draft_.nodes[node].become_leaf();
        continue;
      }
      n_leaves += children.size() - 1;
      for (const std::uint32_t child : children) consider(child);
    }
  }

  // Breiman and others (1984): for each cost of a leaf there is one smallest tree of least impurity plus cost. A
  // subtree is in it unless a leaf in its place costs no more.
  void prune_by_cost(double alpha) {
    std::vector<double> costs(draft_.nodes.size());
    for (auto i = static_cast<std::uint32_t>(draft_.nodes.size()); i-- > 0;) {
      costs[i] = impurities_[i] + alpha;
      if (!is_split(i)) continue;
      double below = 0.0;
      for (const std::uint32_t child : draft_.nodes[i].children) below += costs[child];
      if (criteria::at_most(costs[i], below))
        draft_.nodes[i].become_leaf();
      else
        costs[i] = below;
    }
  }

 private:
  // A leaf of the tree so far, with the split that the full tree makes there. Ties go to the leaf that was made first.
  struct Candidate {
    double decrease;  // in units of the noise
    std::uint32_t made_at;
    std::uint32_t node;
    bool operator<(const Candidate& other) const {
      return decrease < other.decrease || (decrease == other.decrease && made_at > other.made_at);
    }
  };

  bool is_split(std::uint32_t node) const { return !draft_.nodes[node].children.empty(); }

  double decrease(std::uint32_t node) const {
    double decrease = impurities_[node];
    for (const std::uint32_t child : draft_.nodes[node].children) decrease -= impurities_[child];
    return decrease;
  }

  Draft& draft_;
  const std::vector<double> impurities_;
};

}  // namespace

std::vector<PruningStep> cost_complexity_path(const Draft& draft, const criteria::CriterionName& criterion) {
  WeakestLinks links(draft, criterion);
  std::vector<PruningStep> steps{{0.0, links.impurity()}};
  while (!links.is_root()) {
    const double strength = links.cut_weakest();
    // With missing values, a subtree may even raise the impurity.
    if (criteria::at_most(strength, steps.back().ccp_alpha))
      steps.back().impurity = links.impurity();
    else
      steps.push_back({strength, links.impurity()});
  }
  return steps;
}

void limit_size(Draft& draft, const criteria::CriterionName& criterion, const SizeLimits& limits) {
  SizeLimiter limiter(draft, criterion);
  if (limits.min_impurity_decrease > 0.0) limiter.require_decrease(limits.min_impurity_decrease);
  if (limits.max_leaves < UINT64_MAX) limiter.limit_leaves(limits.max_leaves);
  if (limits.ccp_alpha > 0.0) limiter.prune_by_cost(limits.ccp_alpha);
}

}  // namespace weaklearn::tree
