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

  // `leaf_of` becomes the leaf of each row that is present, unless it is empty.
  LocalGrower(TreeGrower<C>& grower, LeafOfRow leaf_of)
      : grower_(grower), worker_(grower.new_worker(0)), leaf_of_(leaf_of) {}

  const C& criterion() const { return grower_.finder.criterion(); }
  std::uint32_t n_classes() const { return grower_.dataset.n_classes; }
  static constexpr std::size_t most_nodes() { return 0; }  // looking ahead saves nothing

  std::vector<DeferredNode> make_root(Draft& draft) {
    std::vector<DeferredNode> root;
    OpenNode open = grower_.make_root(draft);
    leaf_of_.fill(0);
    if (grower_.partitioner.describe(draft, 0, 0)) root.push_back(deferred(std::move(open)));
    return root;
  }

  // Makes the children of a leaf in the draft. Rows are sent there when the split is accepted: until then the leaf
  // itself is kept in place of its children.
  bool split(DeferredNode& leaf, Draft& draft, std::vector<DeferredNode>& kept) {
    leaf.restore_weights(worker_);
    if (!grower_.choose_split(leaf.open, draft, worker_)) {
      note_leaf(leaf);
      return false;
    }
    kept.push_back(std::move(leaf));  // its index remains
    return true;
  }

  void accept(Draft& draft, std::vector<DeferredNode>& kept, bool is_last) {
    DeferredNode leaf = std::move(kept.front());
    kept.clear();
    if (is_last && leaf_of_.empty()) return;
    leaf.restore_weights(worker_);
    grower_.find_branches(leaf.open, draft, worker_);
    if (is_last) worker_.open_branches.clear();
    note_closed_leaves(leaf.open, draft.nodes[leaf.open.node].children);
    std::vector<OpenNode> children;
    grower_.send_rows(leaf.open, draft, worker_, children);
    for (OpenNode& child : children) {
      grower_.merge_missing_rows(child, worker_);
      kept.push_back(deferred(std::move(child)));
    }
  }

  void refuse(const std::vector<DeferredNode>& kept) const { note_leaf(kept.front()); }

  void prepare(const Draft&, std::span<DeferredNode* const>) const {}
  void complete(Draft&, std::span<std::vector<DeferredNode>>) const {}

 private:
  // Weights of rows change only where values are missing.
  DeferredNode deferred(OpenNode open) const {
    return grower_.training.has_missing ? DeferredNode(std::move(open), worker_)
                                        : DeferredNode(std::move(open), std::vector<double>());
  }

  // Notes the rows of a node that stays a leaf.
  void note_leaf(const DeferredNode& leaf) const {
    if (leaf_of_.empty()) return;
    for (const std::uint32_t row : leaf.open.node_rows.row_span())
      leaf_of_.set(row, static_cast<std::int32_t>(leaf.open.node));
  }

  // Notes the rows that go to children that are not split further, before these rows are dropped.
  void note_closed_leaves(const OpenNode& open, const graph::Children& children) const {
    if (leaf_of_.empty() || worker_.open_branches.size() == children.size()) return;
    std::vector<std::int32_t> leaf_of_branch(children.begin(), children.end());
    for (const std::uint32_t b : worker_.open_branches) leaf_of_branch[b] = -1;
    for (const std::uint32_t row : open.node_rows.row_span()) {
      const std::int32_t leaf = leaf_of_branch[worker_.branch(row, children.size())];
      if (leaf >= 0) leaf_of_.set(row, leaf);
    }
  }

  TreeGrower<C>& grower_;
  Worker worker_;
  LeafOfRow leaf_of_;  // empty if nobody asks for it
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
    for (const Candidate& candidate : candidates_) {
      draft_.nodes[candidate.node].become_leaf();
      grower_.refuse(children_[candidate.node].kept);
    }
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

  // The children that may be split, of a node that has a split. A grower may make them when the split is accepted.
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
    grower_.accept(draft_, children_[node].kept, n_rounds_remaining == 0);
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

bool leaves_fit_in_bytes(const data::Dataset& dataset, std::uint64_t n_rounds, bool two_groups) {
  const auto has_two_branches = [&](const data::Column& column) { return two_groups || !column.nominal; };
  // The root is tried, and both children of each split that is made. Whatever is tried gets two children.
  return std::ranges::all_of(dataset.columns, has_two_branches) && n_rounds < UINT8_MAX &&
         1 + 2 * (1 + 2 * n_rounds) <= UINT8_MAX;
}

graph::Draft grow_topdown(const data::Dataset& dataset, data::WeightView weights, const TopDownOptions& options,
                          LeafOfRow leaf_of) {
  leaf_of.fill(-1);
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
    const bool one_leaf_each = !training.has_missing && training.n_present == dataset.n_rows;
    LocalGrower<C> grower(rows, one_leaf_each ? leaf_of : LeafOfRow{});
    return BestFirst(grower).grow(options.n_rounds);
  });
  relabel_by_costs(draft, options.classes);
  add_up_errors(draft);
  return draft;
}

}  // namespace weaklearn::tree
