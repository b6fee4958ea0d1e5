#include "growers/c45.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "criteria/criteria.hpp"
#include "data/rows.hpp"
#include "growers/c45_divider.hpp"
#include "growers/c45_jobs.hpp"
#include "growers/collapse.hpp"
#include "growers/crew.hpp"
#include "growers/training_set.hpp"
#include "splitters/chooser.hpp"
#include "splitters/multiway.hpp"
#include "splitters/subset.hpp"
#include "splitters/threshold.hpp"

namespace weaklearn::growers {
namespace {

using graph::Draft;
using splitters::NodeView;
using splitters::Split;

// A subtree left to whichever thread comes first.
struct Task {
  Job job;
  std::vector<double> weights;  // of the rows of its part, where they do not all weigh 1
};

// A subtree of at most this many rows of a much larger dataset is grown on a copy of them: looked up in
// the whole dataset, each row would be a cache miss.
constexpr std::uint32_t compact_rows = 1U << 15;

template <criteria::Additive C>
class Grower {
 public:
  Grower(const TrainingSet& training, const C45Options& options)
      : training_(training),
        dataset_(training.dataset),
        options_(options),
        criterion_(dataset_.n_classes),
        table_(training.largest_count()),
        use_ratio_(options.criterion == Criterion::gain_ratio),
        crew_(options.n_threads),
        divider_(training, options, crew_),
        scratch_(crew_.pool.n_threads()) {
    for (std::uint32_t c = 0; c < dataset_.columns.size(); ++c) {
      const bool is_listed = !dataset_.columns[c].order.empty() && data::Tagging(dataset_).fits();
      list_of_.push_back(is_listed ? static_cast<int>(listed_.size()) : -1);
      if (list_of_.back() >= 0) listed_.push_back(c);
    }
    decide_averages();
  }

  Draft grow() {
    Draft draft(dataset_.n_classes);
    Worker worker = new_worker(0);
    Job root;
    root.unit = training_.unit;
    root.part = whole_part(dataset_, listed_, training_.present, crew_.pool);
    root.tested = std::make_shared<const std::vector<std::uint32_t>>();
    draft.add();
    for (const std::uint32_t row : training_.present)
      draft.weights_of(0)[worker.class_of(row)] += training_.weights[row];
    if (!divider_.describe(draft, 0, 0)) return draft;

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
  Worker new_worker(std::uint32_t thread) const {
    Worker worker(dataset_, thread);
    if (training_.may_be_fractional) worker.weights = training_.weights;
    return worker;
  }

  // Nominal attributes with a value for every third row would drive the average gain; C4.5 leaves
  // them out of it, unless there are no others or values are grouped.
  void decide_averages() {
    bool all_large = true;
    for (const data::Column& column : dataset_.columns) {
      const bool large = column.nominal && splitters::at_least(column.n_codes, 0.3 * training_.total);
      counts_in_average_.push_back(!large);
      if (!is_ignored(column)) all_large = all_large && large;
    }
    if (all_large || options_.subset) counts_in_average_.assign(dataset_.columns.size(), true);
  }

  static bool is_ignored(const data::Column& column) { return column.nominal && column.n_codes < 2; }

  // Depth first. Nodes of at most `left_for_later` rows go to `tasks`.
  void grow_from(Job first, Draft& draft, Worker& worker, std::vector<Task>* tasks, std::uint32_t left_for_later) {
    std::vector<Job> stack;
    stack.push_back(std::move(first));
    while (!stack.empty()) {
      Job job = std::move(stack.back());
      stack.pop_back();
      if (job.unknown) join_unknown(job, worker);
      if (job.part.rows.size() <= left_for_later) {
        Task task{std::move(job), {}};
        if (!task.job.unit)
          for (const std::uint32_t row : task.job.part.row_span()) task.weights.push_back(worker.weights[row]);
        tasks->push_back(std::move(task));
        continue;
      }
      if (tasks == nullptr && job.part.rows.size() <= compact_rows && worker.dataset.n_rows > 2 * compact_rows) {
        grow_compactly(std::move(job), draft, worker);
        continue;
      }
      if (job.unit)
        find_splits(job, draft, worker, splitters::UnitWeights<C>{criterion_, table_, &worker.unit_sides});
      else
        find_splits(job, draft, worker,
                    splitters::RealWeights<C>{criterion_, worker.weights.data(), &worker.real_sides});
      const int chosen = splitters::choose(worker.splits, counts_in_average_, use_ratio_);
      if (chosen >= 0)
        divider_.divide(job, worker.splits[static_cast<std::size_t>(chosen)], static_cast<std::uint32_t>(chosen), draft,
                        worker, stack);
    }
  }

  void grow_compactly(Job job, Draft& draft, Worker& worker) {
    const auto rows = job.part.row_span();
    const data::Dataset copy = data::select(dataset_, rows);
    Worker compact(copy, worker.thread);
    if (!worker.weights.empty())
      for (const std::uint32_t row : rows) compact.weights.push_back(worker.weights[row]);
    job.part = renumbered(job.part, dataset_, copy, worker.branch_of);
    grow_from(std::move(job), draft, compact, nullptr, 0);
  }

  void grow_tasks(Draft& draft, std::vector<Task>& tasks) {
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const Task& a, const Task& b) { return a.job.part.rows.size() > b.job.part.rows.size(); });
    std::vector<Draft> subtrees(tasks.size(), Draft(dataset_.n_classes));
    std::vector<std::unique_ptr<Worker>> workers(crew_.pool.n_threads());
    crew_.in_subtrees = true;
    crew_.pool.for_each(static_cast<std::uint32_t>(tasks.size()), [&](std::uint32_t t, std::uint32_t thread) {
      if (!workers[thread]) workers[thread] = std::make_unique<Worker>(new_worker(thread));
      Worker& worker = *workers[thread];
      Task& task = tasks[t];
      const auto rows = task.job.part.row_span();
      for (std::size_t i = 0; i < task.weights.size(); ++i) worker.weights[rows[i]] = task.weights[i];
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

  void join_unknown(Job& job, Worker& worker) const {
    const auto rows = job.unknown->part.row_span();
    for (std::size_t i = 0; i < rows.size(); ++i) worker.weights[rows[i]] = job.unknown->weights[i] * job.share;
    job.part = joined(worker.dataset, listed_, job.part, job.unknown->part);
    job.unknown.reset();
  }

  template <class Weights>
  void find_splits(const Job& job, const Draft& draft, Worker& worker, const Weights& weights) {
    NodeView node;
    node.rows = job.part.row_span();
    node.class_of = worker.dataset.classes;
    node.tagging = data::Tagging(worker.dataset);
    node.class_weights = draft.weights_of(job.node);
    node.total = draft.nodes[job.node].weight;
    node.min_objects = options_.min_objects;
    node.threshold_penalty = options_.threshold_penalty && std::is_same_v<C, criteria::Entropy>;
    for (std::size_t k = 0; k < dataset_.n_classes; ++k)
      if (node.class_weights[k] != 0.0) worker.local_number[k] = node.n_local++;
    worker.local_class.resize(node.rows.size());
    for (std::size_t i = 0; i < node.rows.size(); ++i)
      worker.local_class[i] = worker.local_number[worker.class_of(node.rows[i])];
    node.local_class = worker.local_class;
    sum_up(node, weights, worker);

    worker.splits.resize(dataset_.columns.size());
    worker.tabled.clear();
    worker.others.clear();
    for (std::uint32_t c = 0; c < worker.splits.size(); ++c)
      (is_tabled(worker.dataset.columns[c], c, node) ? worker.tabled : worker.others).push_back(c);
    constexpr auto at_a_time = static_cast<std::uint32_t>(splitters::tables_at_a_time);
    const auto n_tabled = static_cast<std::uint32_t>(worker.tabled.size());
    const std::uint32_t n_groups = (n_tabled + at_a_time - 1) / at_a_time;
    const auto look_at = [&](std::uint32_t i, std::uint32_t thread) {
      if (i < n_groups) {
        const std::uint32_t first = i * at_a_time;
        find_in_tables(std::span(worker.tabled).subspan(first, std::min(at_a_time, n_tabled - first)), worker, node, weights,
                       scratch_[thread]);
      } else {
        const std::uint32_t c = worker.others[i - n_groups];
        worker.splits[c] = find_split(job, c, worker.dataset.columns[c], node, weights, scratch_[thread]);
      }
    };
    const auto n_steps = n_groups + static_cast<std::uint32_t>(worker.others.size());
    crew_.for_each_column(node.rows.size(), worker.thread, n_steps, look_at);
  }

  // What every column without unknown values starts with.
  template <class Weights>
  void sum_up(NodeView& node, const Weights& weights, Worker& worker) const {
    using Count = typename Weights::Count;
    auto& sides = worker.template sides<Count>();
    sides.start(node.n_local);
    if constexpr (!Weights::whole) {
      for (const std::uint32_t k : node.local_class) ++sides.left[k];
      worker.class_rows.assign(dataset_.n_classes, 0);
    }
    for (std::size_t k = 0; k < dataset_.n_classes; ++k) {
      if (node.class_weights[k] == 0.0) continue;
      sides.high[worker.local_number[k]] = static_cast<Count>(node.class_weights[k]);
      if constexpr (!Weights::whole) worker.class_rows[k] = sides.left[worker.local_number[k]];
    }
    node.class_rows = worker.class_rows;
    sides.sum_up(weights);
  }

  // Whether a continuous column is looked at by its table, together with others.
  bool is_tabled(const data::Column& column, std::uint32_t c, const NodeView& node) const {
    return !column.nominal && list_of_[c] < 0 && std::holds_alternative<std::vector<std::uint8_t>>(column.codes) &&
           splitters::table_is_cheap(node, column);
  }

  template <class Weights>
  void find_in_tables(std::span<const std::uint32_t> numbers, Worker& worker, const NodeView& node, const Weights& weights,
                      splitters::Scratch& scratch) const {
    const data::Column* columns[splitters::tables_at_a_time];
    for (std::size_t i = 0; i < numbers.size(); ++i) columns[i] = &worker.dataset.columns[numbers[i]];
    auto cells = fill_tables(weights, node, {columns, numbers.size()}, scratch);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::size_t size = (std::size_t{columns[i]->n_codes} + 1) * node.n_local;
      worker.splits[numbers[i]] = best_cut_of_table(weights, node, *columns[i], cells.first(size), scratch);
      cells = cells.subspan(size);
    }
  }

  template <class Weights>
  Split find_split(const Job& job, std::uint32_t c, const data::Column& column, const NodeView& node,
                   const Weights& weights, splitters::Scratch& scratch) const {
    if (column.nominal) {
      if (is_ignored(column)) return {};
      if (options_.subset && column.n_codes > 2)
        return best_subsets(weights, criterion_, use_ratio_, node, column, scratch);
      if (std::ranges::find(*job.tested, c) != job.tested->end()) return {};
      return multiway(weights, node, column, scratch);
    }
    if (list_of_[c] >= 0)
      return best_cut_of_list<Weights, data::Entry>(weights, node, column,
                                                    job.part.list_span(static_cast<std::size_t>(list_of_[c])), scratch);
    if (splitters::table_is_cheap(node, column))
      return best_cut_of_table(weights, node, column, fill_table(weights, node, column, scratch), scratch);
    return best_cut_of_list(weights, node, column, rows_by_code(node, column, scratch), scratch);
  }

  const TrainingSet& training_;
  const data::Dataset& dataset_;
  const C45Options& options_;
  const C criterion_;
  const criteria::TermTable<C> table_;
  const bool use_ratio_;
  Crew crew_;
  Divider divider_;
  std::vector<splitters::Scratch> scratch_;  // per thread
  std::vector<std::uint32_t> listed_;  // columns of many values, kept in order all the way down, if tags fit
  std::vector<int> list_of_;           // per column: its place in listed_, or -1
  std::vector<bool> counts_in_average_;
};

}  // namespace

graph::Draft grow_c45(const data::Dataset& dataset, std::span<const double> weights, const C45Options& options) {
  const TrainingSet training(dataset, weights);
  Draft draft = [&] {
    switch (options.criterion) {
      case Criterion::gini:
        return Grower<criteria::Gini>(training, options).grow();
      case Criterion::km:
        return Grower<criteria::KearnsMansour>(training, options).grow();
      default:
        return Grower<criteria::Entropy>(training, options).grow();
    }
  }();
  collapse(draft);
  return draft;
}

}  // namespace weaklearn::growers
