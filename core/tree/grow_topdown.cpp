#include "tree/grow_topdown.hpp"

#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/grow_c45.hpp"
#include "tree/tree_grower.hpp"

namespace weaklearn::tree {
namespace {

using graph::Draft;

template <criteria::Criterion C>
class BestFirst {
 public:
  explicit BestFirst(TreeGrower<C>& grower)
      : grower_(grower), draft_(grower.dataset.n_classes), worker_(grower.new_worker(0)) {}

  Draft grow(std::uint64_t n_rounds) {
    OpenNode root = grower_.make_root(draft_);
    if (!grower_.partitioner.describe(draft_, 0, 0)) return std::move(draft_);
    try_to_split(DeferredNode(std::move(root), worker_));
    for (std::uint64_t round = 0; round < n_rounds && !candidates_.empty(); ++round) accept_best();
    for (; !candidates_.empty(); candidates_.pop()) draft_.nodes[candidates_.top().node].become_leaf();
    return std::move(draft_);
  }

 private:
  // A leaf with its best split. Its children are in the draft already, because the drop is computed from them.
  struct Candidate {
    double drop;  // of the weighted impurity, in units of the noise
    std::uint32_t made_at;
    std::uint32_t node;
    bool operator<(const Candidate& other) const {
      return drop < other.drop || (drop == other.drop && made_at > other.made_at);
    }
  };

  void try_to_split(DeferredNode leaf) {
    leaf.restore_weights(worker_);
    std::vector<OpenNode> children;
    const std::uint32_t node = leaf.open.node;
    if (!grower_.split(leaf.open, draft_, worker_, children)) return;
    children_.resize(draft_.nodes.size());
    for (OpenNode& child : children) {
      grower_.merge_missing_rows(child, worker_);
      children_[node].emplace_back(std::move(child), worker_);
    }
    const double drop = drop_of(node) / draft_.nodes[0].weight;
    candidates_.push({std::nearbyint(drop / criteria::impurity_noise), node == 0 ? 0 : made_at_[node], node});
  }

  void accept_best() {
    const std::uint32_t node = candidates_.top().node;
    candidates_.pop();
    made_at_.resize(draft_.nodes.size());
    for (const std::uint32_t branch : draft_.nodes[node].children) made_at_[branch] = ++n_leaves_made_;
    std::vector<DeferredNode> children = std::move(children_[node]);
    for (DeferredNode& child : children) try_to_split(std::move(child));
  }

  double drop_of(std::uint32_t node) const {
    double drop = impurity_of(node);
    for (const std::uint32_t branch : draft_.nodes[node].children)
      if (draft_.nodes[branch].weight > 0.0) drop -= impurity_of(branch);
    return drop;
  }
  double impurity_of(std::uint32_t node) const {
    return criteria::impurity_of(grower_.finder.criterion(), draft_.weights_of(node), draft_.nodes[node].weight);
  }

  TreeGrower<C>& grower_;
  Draft draft_;
  Worker worker_;
  std::priority_queue<Candidate> candidates_;
  std::vector<std::vector<DeferredNode>> children_;  // per candidate: the children that may be split
  std::vector<std::uint32_t> made_at_;               // per node: when it became a leaf
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
                     .classes = options.classes});
  const TrainingRows training(dataset, weights, options.classes);
  Draft draft = with_criterion(options.criterion, dataset.n_classes, [&]<class C>(C criterion) {
    TreeGrower<C> grower(training, std::move(criterion), search, {options.min_objects, options.max_depth},
                         options.n_threads);
    return BestFirst<C>(grower).grow(options.n_rounds);
  });
  relabel_by_costs(draft, options.classes);
  add_up_errors(draft);
  return draft;
}

}  // namespace weaklearn::tree
