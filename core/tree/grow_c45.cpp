#include "tree/grow_c45.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "data/node_rows.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/counted_grower.hpp"
#include "tree/open_node.hpp"
#include "tree/tree_grower.hpp"
#include "tree/worker.hpp"

namespace weaklearn::tree {
namespace {

using graph::Draft;

// A subtree of few rows of a large dataset is grown on a copy of these rows: in the whole dataset each look-up of a row
// would be a cache miss. Few are at most compact_rows, or one in compact_part of the rows of the dataset.
constexpr std::uint32_t compact_rows = 1U << 15;
constexpr std::uint32_t compact_part = 8;

template <criteria::Criterion C>
class DepthFirst {
 public:
  explicit DepthFirst(TreeGrower<C>& grower) : grower_(grower), dataset_(grower.dataset), team_(grower.team) {}

  Draft grow() {
    Draft draft(dataset_.n_classes);
    Worker worker = grower_.new_worker(0);
    OpenNode root = grower_.make_root(draft);
    if (!grower_.partitioner.describe(draft, 0, 0)) return draft;

    const std::uint32_t n_threads = team_.pool.n_threads();
    if (n_threads == 1) {
      grow_from(std::move(root), draft, worker, nullptr, 0);
      return draft;
    }
    // The threads share the columns of large nodes. Then each of them grows whole subtrees.
    std::vector<DeferredNode> deferred;
    const std::uint32_t most_deferred_rows = root.node_rows.rows.size() / (4 * n_threads);
    grow_from(std::move(root), draft, worker, &deferred, most_deferred_rows);
    grow_subtrees(draft, deferred);
    return draft;
  }

 private:
  // Grows depth first. Nodes of at most `most_deferred_rows` rows go to `deferred` instead.
  void grow_from(OpenNode first, Draft& draft, Worker& worker, std::vector<DeferredNode>* deferred,
                 std::uint32_t most_deferred_rows) {
    std::vector<OpenNode> stack;
    stack.push_back(std::move(first));
    while (!stack.empty()) {
      OpenNode open = std::move(stack.back());
      stack.pop_back();
      grower_.merge_missing_rows(open, worker);
      if (open.node_rows.rows.size() <= most_deferred_rows) {
        deferred->push_back(grower_.training.has_missing ? DeferredNode(std::move(open), worker)
                                                         : DeferredNode(std::move(open), std::vector<double>()));
        continue;
      }
      const std::uint32_t n_rows = worker.dataset.n_rows;
      if (deferred == nullptr && n_rows > 2 * compact_rows &&
          open.node_rows.rows.size() <= std::max(compact_rows, n_rows / compact_part)) {
        grow_compactly(std::move(open), draft, worker);
        continue;
      }
      grower_.split(open, draft, worker, stack);
    }
  }

  void grow_compactly(OpenNode open, Draft& draft, Worker& worker) {
    const auto rows = open.node_rows.row_span();
    const data::Dataset copy = data::select(worker.dataset, rows);
    Worker compact(copy, worker.thread);
    if (!worker.weights.empty()) compact.copy_weights(worker, rows);
    open.node_rows = renumber_rows(open.node_rows, worker.dataset, copy);
    grow_from(std::move(open), draft, compact, nullptr, 0);
  }

  void grow_subtrees(Draft& draft, std::vector<DeferredNode>& roots) {
    std::stable_sort(roots.begin(), roots.end(), [](const DeferredNode& a, const DeferredNode& b) {
      return a.open.node_rows.rows.size() > b.open.node_rows.rows.size();
    });
    std::vector<Draft> subtrees(roots.size(), Draft(dataset_.n_classes));
    std::vector<std::unique_ptr<Worker>> workers(team_.pool.n_threads());
    team_.in_subtrees = true;
    team_.pool.for_each(static_cast<std::uint32_t>(roots.size()), [&](std::uint32_t i, std::uint32_t thread) {
      if (!workers[thread]) workers[thread] = std::make_unique<Worker>(grower_.new_worker(thread));
      Worker& worker = *workers[thread];
      DeferredNode& root = roots[i];
      root.restore_weights(worker);
      Draft& subtree = subtrees[i];
      subtree.add();
      subtree.nodes[0] = draft.nodes[root.open.node];
      std::ranges::copy(draft.weights_of(root.open.node), subtree.weights_of(0).begin());
      OpenNode open = std::move(root.open);
      root.open.node = std::exchange(open.node, 0);
      grow_from(std::move(open), subtree, worker, nullptr, 0);
    });
    for (std::size_t i = 0; i < roots.size(); ++i) graft(draft, roots[i].open.node, std::move(subtrees[i]));
  }

  // Replaces a node of the draft by a subtree.
  static void graft(Draft& draft, std::uint32_t node, Draft subtree) {
    const auto shift = static_cast<std::uint32_t>(draft.nodes.size()) - 1;  // the root gets no new index
    for (Draft::Node& below : subtree.nodes)
      for (std::uint32_t& branch : below.children) branch += shift;
    draft.nodes[node] = std::move(subtree.nodes[0]);
    draft.nodes.insert(draft.nodes.end(), std::make_move_iterator(subtree.nodes.begin() + 1),
                       std::make_move_iterator(subtree.nodes.end()));
    draft.distribution.insert(draft.distribution.end(), subtree.distribution.begin() + subtree.n_classes,
                              subtree.distribution.end());
  }

  TreeGrower<C>& grower_;
  const data::Dataset& dataset_;
  ThreadTeam& team_;
};

}  // namespace

graph::Draft grow_c45(const data::Dataset& dataset, data::WeightView weights, const C45Options& options) {
  const TrainingRows training = options.counted != nullptr ? count_all_rows(dataset, *options.counted, options.classes)
                                                           : TrainingRows(dataset, weights, options.classes);
  const GrowthLimits limits{options.search.min_objects, options.max_depth};
  Draft draft = with_criterion(options.criterion, dataset.n_classes, [&]<class C>(C criterion) {
    if (options.counted != nullptr) {
      CountedGrower<C> grower(training, *options.counted, std::move(criterion), options.search, limits);
      return grow_by_levels(grower);
    }
    TreeGrower<C> grower(training, std::move(criterion), options.search, limits, options.n_threads);
    return DepthFirst<C>(grower).grow();
  });
  relabel_by_costs(draft, options.classes);
  options.collapse ? collapse(draft) : add_up_errors(draft);
  return draft;
}

}  // namespace weaklearn::tree
