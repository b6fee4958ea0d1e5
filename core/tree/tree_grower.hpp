// What every grower of trees works with: the training set, the threads, the search for tests and the
// dividing of nodes.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "data/node_rows.hpp"
#include "graph/draft.hpp"
#include "tree/c45_options.hpp"
#include "tree/node_tasks.hpp"
#include "tree/partition_node.hpp"
#include "tree/split_finder.hpp"
#include "tree/thread_team.hpp"
#include "tree/training_rows.hpp"

namespace weaklearn::tree {

template <criteria::Criterion C>
struct Workshop {
  Workshop(const TrainingSet& training_set, const C45Options& options, C criterion)
      : training(training_set),
        dataset(training.dataset),
        crew(options.n_threads),
        divider(training, options, crew),
        finder(training, options, std::move(criterion), crew) {}

  Worker new_worker(std::uint32_t thread) const {
    Worker worker(dataset, thread);
    // Only an additive criterion can go by counts while all rows weigh 1.
    if (training.may_be_fractional || !criteria::Additive<C>) worker.weights = training.weights;
    return worker;
  }

  // The root of a new draft, described but for whether to split it.
  Job plant(graph::Draft& draft) {
    Job root;
    root.unit = training.unit;
    root.part = whole_part(dataset, finder.listed(), training.present, crew.pool);
    root.tested = std::make_shared<const std::vector<std::uint32_t>>();
    draft.add();
    for (const std::uint32_t row : training.present)
      draft.weights_of(0)[static_cast<std::size_t>(dataset.classes[row])] += training.weights[row];
    return root;
  }

  // Adds the rows of unknown value to those of a branch.
  void join_unknown(Job& job, Worker& worker) const {
    if (!job.unknown) return;
    const auto rows = job.unknown->part.row_span();
    for (std::size_t i = 0; i < rows.size(); ++i) worker.weights[rows[i]] = job.unknown->weights[i] * job.share;
    job.part = joined(worker.dataset, finder.listed(), job.part, job.unknown->part);
    job.unknown.reset();
  }

  // Looks for the best test of a node and, if there is one, splits it.
  bool split(const Job& job, graph::Draft& draft, Worker& worker, std::vector<Job>& branches) {
    const int chosen = finder.find(job, draft, worker);
    if (chosen < 0) return false;
    divider.divide(job, worker.splits[static_cast<std::size_t>(chosen)], static_cast<std::uint32_t>(chosen), draft,
                   worker, branches);
    return true;
  }

  const TrainingSet& training;
  const data::Dataset& dataset;
  Crew crew;
  Divider divider;
  SplitFinder<C> finder;
};

// Calls `use` with the criterion that the options name.
template <class Use>
auto with_criterion(const C45Options& options, std::uint32_t n_classes, const Use& use) {
  switch (options.criterion) {
    case Criterion::gini:
      return use(criteria::Gini(n_classes));
    case Criterion::km:
      return use(criteria::KearnsMansour(n_classes));
    case Criterion::error:
      return use(criteria::Error(n_classes));
    case Criterion::tabulated:
      return use(criteria::Tabulated(n_classes, options.impurities));
    default:
      return use(criteria::Entropy(n_classes));
  }
}

}  // namespace weaklearn::tree
