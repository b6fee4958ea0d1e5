#include "tree/grow_c45.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "data/node_rows.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/node_tasks.hpp"
#include "tree/tree_grower.hpp"

namespace weaklearn::tree {
namespace {

using graph::Draft;

// A subtree of few of the rows of a dataset is grown on a copy of them: looked up in the whole dataset, each row
// would be a cache miss. Few are so many, or this part of a larger dataset.
constexpr std::uint32_t compact_rows = 1U << 15;
constexpr std::uint32_t compact_part = 4;

template <criteria::Criterion C>
class DepthFirst {
 public:
  explicit DepthFirst(Workshop<C>& workshop) : shop_(workshop), dataset_(workshop.dataset), crew_(workshop.crew) {}

  Draft grow() {
    Draft draft(dataset_.n_classes);
    Worker worker = shop_.new_worker(0);
    Job root = shop_.plant(draft);
    if (!shop_.divider.describe(draft, 0, 0)) return draft;

    const std::uint32_t n_threads = crew_.pool.n_threads();
    if (n_threads == 1) {
      grow_from(std::move(root), draft, worker, nullptr, 0);
      return draft;
    }
    // Large nodes first, shared by columns; then a subtree for each thread.
    std::vector<Task> tasks;
    const std::uint32_t left_for_later = root.part.rows.size() / (4 * n_threads);
    grow_from(std::move(root), draft, worker, &tasks, left_for_later);
    grow_tasks(draft, tasks);
    return draft;
  }

 private:
  // Depth first. Nodes of at most `left_for_later` rows go to `tasks`.
  void grow_from(Job first, Draft& draft, Worker& worker, std::vector<Task>* tasks, std::uint32_t left_for_later) {
    std::vector<Job> stack;
    stack.push_back(std::move(first));
    while (!stack.empty()) {
      Job job = std::move(stack.back());
      stack.pop_back();
      shop_.join_unknown(job, worker);
      if (job.part.rows.size() <= left_for_later) {
        tasks->emplace_back(std::move(job), worker);
        continue;
      }
      const std::uint32_t n_rows = worker.dataset.n_rows;
      if (tasks == nullptr && n_rows > 2 * compact_rows &&
          job.part.rows.size() <= std::max(compact_rows, n_rows / compact_part)) {
        grow_compactly(std::move(job), draft, worker);
        continue;
      }
      shop_.split(job, draft, worker, stack);
    }
  }

  void grow_compactly(Job job, Draft& draft, Worker& worker) {
    const auto rows = job.part.row_span();
    const data::Dataset copy = data::select(worker.dataset, rows);
    Worker compact(copy, worker.thread);
    if (!worker.weights.empty())
      for (const std::uint32_t row : rows) compact.weights.push_back(worker.weights[row]);
    job.part = renumbered(job.part, worker.dataset, copy);
    grow_from(std::move(job), draft, compact, nullptr, 0);
  }

  void grow_tasks(Draft& draft, std::vector<Task>& tasks) {
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const Task& a, const Task& b) { return a.job.part.rows.size() > b.job.part.rows.size(); });
    std::vector<Draft> subtrees(tasks.size(), Draft(dataset_.n_classes));
    std::vector<std::unique_ptr<Worker>> workers(crew_.pool.n_threads());
    crew_.in_subtrees = true;
    crew_.pool.for_each(static_cast<std::uint32_t>(tasks.size()), [&](std::uint32_t t, std::uint32_t thread) {
      if (!workers[thread]) workers[thread] = std::make_unique<Worker>(shop_.new_worker(thread));
      Worker& worker = *workers[thread];
      Task& task = tasks[t];
      task.restore_weights(worker);
      Draft& subtree = subtrees[t];
      subtree.add();
      subtree.nodes[0] = draft.nodes[task.job.node];
      std::ranges::copy(draft.weights_of(task.job.node), subtree.weights_of(0).begin());
      Job job = std::move(task.job);
      task.job.node = std::exchange(job.node, 0);
      grow_from(std::move(job), subtree, worker, nullptr, 0);
    });
    for (std::size_t t = 0; t < tasks.size(); ++t) graft(draft, tasks[t].job.node, std::move(subtrees[t]));
  }

  // Puts a subtree in the place of a node.
  static void graft(Draft& draft, std::uint32_t place, Draft subtree) {
    const auto shift = static_cast<std::uint32_t>(draft.nodes.size()) - 1;  // its root takes no new number
    for (Draft::Node& node : subtree.nodes)
      for (std::uint32_t& branch : node.branches) branch += shift;
    draft.nodes[place] = std::move(subtree.nodes[0]);
    draft.nodes.insert(draft.nodes.end(), std::make_move_iterator(subtree.nodes.begin() + 1),
                       std::make_move_iterator(subtree.nodes.end()));
    draft.distribution.insert(draft.distribution.end(), subtree.distribution.begin() + subtree.n_classes,
                              subtree.distribution.end());
  }

  Workshop<C>& shop_;
  const data::Dataset& dataset_;
  Crew& crew_;
};

}  // namespace

graph::Draft grow_c45(const data::Dataset& dataset, std::span<const double> weights, const C45Options& options) {
  const TrainingSet training(dataset, weights);
  Draft draft = with_criterion(options, dataset.n_classes, [&]<class C>(C criterion) {
    Workshop<C> workshop(training, options, std::move(criterion));
    return DepthFirst<C>(workshop).grow();
  });
  options.collapse ? collapse(draft) : add_up_errors(draft);
  return draft;
}

}  // namespace weaklearn::tree
