#include "tree/grow_topdown.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/counted_grower.hpp"
#include "tree/grow_c45.hpp"
#include "tree/tree_grower.hpp"

namespace weaklearn::tree {
namespace {

using graph::Draft;

// What BestFirst needs of a grower whose rows are here.
template <criteria::Criterion C>
class LocalGrower {
 public:
  using Kept = DeferredNode;

  explicit LocalGrower(TreeGrower<C>& grower) : grower_(grower), worker_(grower.new_worker(0)) {}

  const C& criterion() const { return grower_.finder.criterion(); }
  std::uint32_t n_classes() const { return grower_.dataset.n_classes; }
  static constexpr std::size_t most_nodes() { return 0; }  // looking ahead saves nothing

  std::vector<DeferredNode> make_root(Draft& draft) {
    std::vector<DeferredNode> root;
    OpenNode open = grower_.make_root(draft);
    if (grower_.partitioner.describe(draft, 0, 0)) root.emplace_back(std::move(open), worker_);
    return root;
  }

  bool split(DeferredNode& leaf, Draft& draft, std::vector<DeferredNode>& children) {
    leaf.restore_weights(worker_);
    std::vector<OpenNode> open;
    if (!grower_.split(leaf.open, draft, worker_, open)) return false;
    for (OpenNode& child : open) {
      grower_.merge_missing_rows(child, worker_);
      children.emplace_back(std::move(child), worker_);
    }
    return true;
  }

  void prepare(const Draft&, std::span<DeferredNode* const>) const {}
  void complete(Draft&, std::span<std::vector<DeferredNode>>) const {}

 private:
  TreeGrower<C>& grower_;
  Worker worker_;
};

std::uint32_t node_of(const DeferredNode& kept) { return kept.open.node; }
std::uint32_t node_of(const OpenNode& open) { return open.node; }

template <class Grower>
class BestFirst {
 public:
  explicit BestFirst(Grower& grower) : grower_(grower), draft_(grower.n_classes()) {}

  Draft grow(std::uint64_t n_rounds) {
    std::vector<Kept> root = grower_.make_root(draft_);
    if (root.empty()) return std::move(draft_);
    try_to_split({&root, 1});
    add_candidates(root);
    for (std::uint64_t round = 0; round < n_rounds && !candidates_.empty(); ++round) accept_best(n_rounds - round - 1);
    for (const Candidate& candidate : candidates_) draft_.nodes[candidate.node].become_leaf();
    return std::move(draft_);
  }

 private:
  using Kept = typename Grower::Kept;

  // A leaf with its best split. Its children are in the draft already, because the drop is computed from them.
  struct Candidate {
    double drop;  // of the weighted impurity, in units of the noise
    std::uint32_t made_at;
    std::uint32_t node;
    bool operator<(const Candidate& other) const {
      return drop < other.drop || (drop == other.drop && made_at > other.made_at);
    }
  };

  // The children that may be split, of a node that has a split.
  struct Children {
    std::vector<Kept> kept;
    bool tried = false;  // whether their own splits are known
  };

  // Finds the splits of some leaves.
  void try_to_split(std::span<std::vector<Kept>> groups) {
    std::vector<Kept*> leaves;
    for (std::vector<Kept>& group : groups)
      for (Kept& leaf : group) leaves.push_back(&leaf);
    grower_.prepare(draft_, leaves);
    std::vector<std::uint32_t> split;
    std::vector<std::vector<Kept>> children;
    for (Kept* leaf : leaves) {
      std::vector<Kept> of_leaf;
      if (!grower_.split(*leaf, draft_, of_leaf)) continue;
      split.push_back(node_of(*leaf));
      children.push_back(std::move(of_leaf));
    }
    grower_.complete(draft_, children);
    children_.resize(draft_.nodes.size());
    has_split_.resize(draft_.nodes.size());
    for (std::size_t i = 0; i < split.size(); ++i) {
      children_[split[i]].kept = std::move(children[i]);
      has_split_[split[i]] = true;
    }
  }

  // Leaves that have a split become candidates.
  void add_candidates(const std::vector<Kept>& leaves) {
    made_at_.resize(draft_.nodes.size());
    for (const Kept& leaf : leaves) {
      const std::uint32_t node = node_of(leaf);
      if (!has_split_[node]) continue;
      const double drop = drop_of(node) / draft_.nodes[0].weight;
      candidates_.push_back({std::nearbyint(drop / criteria::impurity_noise), made_at_[node], node});
      std::push_heap(candidates_.begin(), candidates_.end());
    }
  }

  void accept_best(std::uint64_t n_rounds_remaining) {
    std::pop_heap(candidates_.begin(), candidates_.end());
    const std::uint32_t node = candidates_.back().node;
    candidates_.pop_back();
    made_at_.resize(draft_.nodes.size());
    for (const std::uint32_t branch : draft_.nodes[node].children) made_at_[branch] = ++n_leaves_made_;
    if (n_rounds_remaining > 0 && !children_[node].tried) look_ahead(node, n_rounds_remaining);
    add_candidates(children_[node].kept);
    children_[node].kept.clear();
  }

  // Finds the splits of the children of a node. Where asking takes long, those of the next best candidates are found
  // together with them, as many as may be needed: a split does not depend on the order of growing.
  void look_ahead(std::uint32_t node, std::uint64_t n_rounds_remaining) {
    std::vector<std::uint32_t> parents{node};
    if (grower_.most_nodes() > 0) {
      std::vector<Candidate> best = candidates_;
      std::ranges::sort(best, [](const Candidate& a, const Candidate& b) { return b < a; });
      std::size_t n_nodes = children_[node].kept.size();
      for (const Candidate& candidate : best) {
        n_nodes += children_[candidate.node].kept.size();
        if (parents.size() > n_rounds_remaining || n_nodes > grower_.most_nodes()) break;
        if (!children_[candidate.node].tried) parents.push_back(candidate.node);
      }
    }
    std::vector<std::vector<Kept>> groups;
    for (const std::uint32_t parent : parents) groups.push_back(std::move(children_[parent].kept));
    try_to_split(groups);
    for (std::size_t i = 0; i < parents.size(); ++i) children_[parents[i]] = {std::move(groups[i]), true};
  }

  double drop_of(std::uint32_t node) const {
    double drop = impurity_of(node);
    for (const std::uint32_t branch : draft_.nodes[node].children)
      if (draft_.nodes[branch].weight > 0.0) drop -= impurity_of(branch);
    return drop;
  }
  double impurity_of(std::uint32_t node) const {
    return criteria::impurity_of(grower_.criterion(), draft_.weights_of(node), draft_.nodes[node].weight);
  }

  Grower& grower_;
  Draft draft_;
  std::vector<Candidate> candidates_;  // a heap
  std::vector<Children> children_;     // per node
  std::vector<bool> has_split_;        // per node
  std::vector<std::uint32_t> made_at_;  // per node: when it became a leaf
  std::uint32_t n_leaves_made_ = 0;
};

}  // namespace

graph::Draft grow_topdown(const data::Dataset& dataset, std::span<const double> weights,
                          const TopDownOptions& options) {
  const SplitSearchOptions search{.min_objects = options.min_objects,
                                  .two_groups = options.two_groups,
                                  .missing_takes_branch = options.missing_takes_branch,
                                  .max_features = options.max_features,
                                  .seed = options.seed};
  if (options.n_rounds == UINT64_MAX)
    return grow_c45(dataset, weights,
                    {.criterion = options.criterion,
                     .search = search,
                     .max_depth = options.max_depth,
                     .collapse = false,
                     .n_threads = options.n_threads,
                     .classes = options.classes,
                     .counted = options.counted});
  const TrainingRows training = options.counted != nullptr ? count_all_rows(dataset, *options.counted, options.classes)
                                                           : TrainingRows(dataset, weights, options.classes);
  const GrowthLimits limits{options.min_objects, options.max_depth};
  Draft draft = with_criterion(options.criterion, dataset.n_classes, [&]<class C>(C criterion) {
    if (options.counted != nullptr) {
      CountedGrower<C> grower(training, *options.counted, std::move(criterion), search, limits);
      return BestFirst(grower).grow(options.n_rounds);
    }
    TreeGrower<C> rows(training, std::move(criterion), search, limits, options.n_threads);
    LocalGrower<C> grower(rows);
    return BestFirst(grower).grow(options.n_rounds);
  });
  relabel_by_costs(draft, options.classes);
  add_up_errors(draft);
  return draft;
}

}  // namespace weaklearn::tree
