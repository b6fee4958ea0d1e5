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
  explicit BestFirst(Workshop<C>& workshop)
      : shop_(workshop), draft_(workshop.dataset.n_classes), worker_(workshop.new_worker(0)) {}

  Draft grow(std::uint64_t n_rounds) {
    Job root = shop_.plant(draft_);
    if (!shop_.divider.describe(draft_, 0, 0)) return std::move(draft_);
    try_out(Task(std::move(root), worker_));
    for (std::uint64_t round = 0; round < n_rounds && !waiting_.empty(); ++round) accept();
    for (; !waiting_.empty(); waiting_.pop()) draft_.nodes[waiting_.top().node].become_leaf();
    return std::move(draft_);
  }

 private:
  // A leaf with its best test, whose branches are there already: what it gains is seen by them.
  struct Candidate {
    double drop;  // in units of what counts as noise
    std::uint32_t ticket;
    std::uint32_t node;
    bool operator<(const Candidate& other) const {
      return drop < other.drop || (drop == other.drop && ticket > other.ticket);
    }
  };

  void try_out(Task task) {
    task.restore_weights(worker_);
    std::vector<Job> jobs;
    const std::uint32_t node = task.job.node;
    if (!shop_.split(task.job, draft_, worker_, jobs)) return;
    branches_.resize(draft_.nodes.size());
    for (Job& job : jobs) {
      shop_.join_unknown(job, worker_);
      branches_[node].emplace_back(std::move(job), worker_);
    }
    waiting_.push(
        {std::nearbyint(drop_of(node) / draft_.nodes[0].weight / criteria::index_noise), ticket_of(node), node});
  }

  void accept() {
    const std::uint32_t node = waiting_.top().node;
    waiting_.pop();
    tickets_.resize(draft_.nodes.size());
    for (const std::uint32_t branch : draft_.nodes[node].branches) tickets_[branch] = next_ticket_++;
    std::vector<Task> tasks = std::move(branches_[node]);
    for (Task& task : tasks) try_out(std::move(task));
  }

  std::uint32_t ticket_of(std::uint32_t node) const { return node == 0 ? 0 : tickets_[node]; }

  double drop_of(std::uint32_t node) const {
    double drop = impurity_of(node);
    for (const std::uint32_t branch : draft_.nodes[node].branches)
      if (draft_.nodes[branch].weight > 0.0) drop -= impurity_of(branch);
    return drop;
  }
  double impurity_of(std::uint32_t node) const {
    return criteria::impurity_of(shop_.finder.criterion(), draft_.weights_of(node), draft_.nodes[node].weight);
  }

  Workshop<C>& shop_;
  Draft draft_;
  Worker worker_;
  std::priority_queue<Candidate> waiting_;
  std::vector<std::vector<Task>> branches_;  // per node that waits: those of its branches that can be split
  std::vector<std::uint32_t> tickets_;       // per node: when it became a leaf
  std::uint32_t next_ticket_ = 1;
};

}  // namespace

graph::Draft grow_topdown(const data::Dataset& dataset, std::span<const double> weights, const C45Options& options,
                          std::uint64_t n_rounds) {
  if (n_rounds == UINT64_MAX) return grow_c45(dataset, weights, options);
  const TrainingSet training(dataset, weights);
  Draft draft = with_criterion(options, dataset.n_classes, [&]<class C>(C criterion) {
    Workshop<C> workshop(training, options, std::move(criterion));
    return BestFirst<C>(workshop).grow(n_rounds);
  });
  add_up_errors(draft);
  return draft;
}

}  // namespace weaklearn::tree
