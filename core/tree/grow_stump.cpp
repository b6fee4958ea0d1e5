#include "tree/grow_stump.hpp"

#include <vector>

#include "data/node_rows.hpp"
#include "splits/fewest_errors.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/open_node.hpp"
#include "tree/partition_node.hpp"
#include "tree/thread_team.hpp"
#include "tree/training_rows.hpp"
#include "tree/worker.hpp"

namespace weaklearn::tree {
namespace {

using graph::Draft;
using splits::ErrorSplit;

// A stump partitions its rows once, as C4.5 does.
constexpr GrowthLimits one_split{.min_objects = 0.0, .max_depth = 1};

class StumpGrower {
 public:
  StumpGrower(const TrainingRows& training, std::uint32_t n_threads)
      : training_(training),
        dataset_(training.dataset),
        present_(training.present()),
        team_(n_threads),
        partitioner_(training, one_split, team_) {}

  Draft grow() {
    Draft draft(dataset_.n_classes);
    draft.add();
    for (const std::uint32_t row : present_)
      draft.weights_of(0)[static_cast<std::size_t>(dataset_.classes[row])] += training_.weights[row];
    if (!partitioner_.describe(draft, 0, 0)) return draft;

    const std::vector<ErrorSplit> splits = find_splits(draft);
    const double slack = criteria::slack_at(draft.nodes[0].weight);
    double errors = draft.nodes[0].errors;
    int best = -1;
    for (std::size_t c = 0; c < splits.size(); ++c)
      if (splits[c].errors < errors - slack) {
        errors = splits[c].errors;
        best = static_cast<int>(c);
      }
    if (best >= 0) partition(draft, splits[static_cast<std::size_t>(best)], static_cast<std::uint32_t>(best));
    return draft;
  }

 private:
  std::vector<ErrorSplit> find_splits(const Draft& draft) {
    splits::NodeView node;
    node.rows = present_;
    node.class_of = dataset_.classes;
    node.class_weights = draft.weights_of(0);
    node.total = draft.nodes[0].weight;
    std::vector<std::uint32_t> local_index(dataset_.n_classes);
    for (std::size_t k = 0; k < dataset_.n_classes; ++k)
      if (node.class_weights[k] != 0.0) local_index[k] = node.n_local++;
    std::vector<splits::WeightAndClass> rows(dataset_.n_rows);
    std::vector<std::uint32_t> local_class;
    local_class.reserve(node.rows.size());
    for (const std::uint32_t row : node.rows) {
      local_class.push_back(local_index[static_cast<std::size_t>(dataset_.classes[row])]);
      rows[row] = {training_.weights[row], local_class.back()};
    }
    node.local_class = local_class;

    std::vector<ErrorSplit> splits(dataset_.columns.size());
    std::vector<splits::Scratch> scratch(team_.pool.n_threads());
    const auto search = [&](std::uint32_t c, std::uint32_t thread) {
      splits[c] = fewest_errors(node, rows, dataset_.columns[c], draft.nodes[0].errors, scratch[thread]);
    };
    team_.for_each_column(node.rows.size(), 0, static_cast<std::uint32_t>(splits.size()), search);
    return splits;
  }

  void partition(Draft& draft, const ErrorSplit& best, std::uint32_t column) {
    OpenNode root;
    root.unit = training_.unit;
    root.node_rows = data::root_rows(dataset_, {}, present_, team_.pool);
    Worker worker(dataset_, 0);
    if (!root.unit) worker.weights = training_.weights;
    std::vector<OpenNode> children;  // stays empty: all children are leaves
    partitioner_.partition(root, best.split, column, draft, worker, children);
    add_up_errors(draft);
  }

  const TrainingRows& training_;
  const data::Dataset& dataset_;
  const std::vector<std::uint32_t> present_;
  ThreadTeam team_;
  NodePartitioner partitioner_;
};

}  // namespace

graph::Draft grow_stump(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t n_threads) {
  const TrainingRows training(dataset, weights);
  return StumpGrower(training, n_threads).grow();
}

}  // namespace weaklearn::tree
