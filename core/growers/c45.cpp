#include "growers/c45.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "criteria/criteria.hpp"
#include "data/rows.hpp"
#include "growers/collapse.hpp"
#include "growers/training_set.hpp"
#include "parallel/pool.hpp"
#include "splitters/chooser.hpp"
#include "splitters/multiway.hpp"
#include "splitters/subset.hpp"
#include "splitters/threshold.hpp"

namespace weaklearn::growers {
namespace {

using data::Part;
using data::Range;
using graph::Draft;
using splitters::NodeView;
using splitters::at_least;
using splitters::more;
using splitters::Split;

// Rows whose value was unknown at a test, with their weights there: they go down every branch.
struct Unknown {
  Part part;
  std::vector<double> weights;
};

// A node to be split.
struct Job {
  std::uint32_t node = 0;
  std::uint32_t depth = 0;
  bool unit = true;  // all rows weigh 1
  Part part;
  std::shared_ptr<const std::vector<std::uint32_t>> tested;  // nominal attributes used up on the way here
  std::shared_ptr<const Unknown> unknown;                    // to be joined to the part before it is looked at
  double share = 1.0;                                        // of each unknown row that comes down this branch
};

// What one thread works with.
struct Worker {
  std::uint32_t thread = 0;
  std::vector<double> weights;  // per row: what it weighs at the node in hand; empty while all weigh 1
  std::vector<std::uint32_t> branch_of;  // per row: the branch it takes at the test in hand
  std::vector<std::uint32_t> local_number;
  std::vector<std::uint32_t> local_class;
  std::vector<std::uint32_t> row_scratch;
  std::vector<std::uint32_t> starts;
  std::vector<std::uint8_t> bucket_of;  // per row, where a byte will do
};

// A subtree left to whichever thread comes first.
struct Task {
  Job job;
  std::vector<double> weights;  // of the rows of its part, where they do not all weigh 1
};

constexpr std::uint32_t rows_worth_sharing = 4096;  // nodes below this size are not worth waking threads for

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
        pool_(options.n_threads) {
    scratch_.resize(pool_.n_threads());
    list_scratch_.resize(pool_.n_threads());
    for (std::uint32_t c = 0; c < dataset_.columns.size(); ++c) {
      list_of_.push_back(dataset_.columns[c].order.empty() ? -1 : static_cast<int>(listed_.size()));
      if (list_of_.back() >= 0) listed_.push_back(c);
    }
    decide_averages();
  }

  Draft grow() {
    Draft draft(dataset_.n_classes);
    Worker worker = new_worker(0);
    Job root;
    root.unit = training_.unit;
    root.part = whole_part(dataset_, listed_, training_.present);
    root.tested = std::make_shared<const std::vector<std::uint32_t>>();
    draft.add();
    for (const std::uint32_t row : training_.present)
      draft.weights_of(0)[class_of(row)] += training_.weights[row];
    if (!describe(draft, 0, 0)) return draft;

    const std::uint32_t n_threads = pool_.n_threads();
    const std::uint32_t left_for_later = n_threads == 1 ? 0 : root.part.rows.size() / (8 * n_threads);
    std::vector<Task> tasks;
    grow_from(std::move(root), draft, worker, &tasks, left_for_later);
    grow_tasks(draft, tasks);
    return draft;
  }

 private:
  std::size_t class_of(std::uint32_t row) const { return static_cast<std::size_t>(dataset_.classes[row]); }

  Worker new_worker(std::uint32_t thread) const {
    Worker worker;
    worker.thread = thread;
    if (training_.may_be_fractional) worker.weights = training_.weights;
    worker.branch_of.resize(dataset_.n_rows);
    worker.local_number.resize(dataset_.n_classes);
    return worker;
  }

  // Nominal attributes with a value for every third row would drive the average gain; C4.5 leaves
  // them out of it, unless there are no others or values are grouped.
  void decide_averages() {
    bool all_large = true;
    for (const data::Column& column : dataset_.columns) {
      const bool large = column.nominal && at_least(column.n_codes, 0.3 * training_.total);
      counts_in_average_.push_back(!large);
      if (!is_ignored(column)) all_large = all_large && large;
    }
    if (all_large || options_.subset) counts_in_average_.assign(dataset_.columns.size(), true);
  }

  static bool is_ignored(const data::Column& column) { return column.nominal && column.n_codes < 2; }

  // Fills in weight, label and errors from the class weights; returns whether to look for a split.
  bool describe(Draft& draft, std::uint32_t number, std::uint32_t depth) const {
    Draft::Node& node = draft.nodes[number];
    const auto weights = draft.weights_of(number);
    node.weight = 0.0;
    std::size_t label = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      node.weight += weights[k];
      if (more(weights[k], weights[label])) label = k;
    }
    node.label = static_cast<std::int32_t>(label);
    node.errors = 0.0;  // summed, not subtracted: a pure node has none
    for (std::size_t k = 0; k < weights.size(); ++k)
      if (k != label) node.errors += weights[k];
    return more(node.errors, 0.0) && at_least(node.weight, 2 * options_.min_objects) && depth < options_.max_depth;
  }

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
      const std::vector<Split> splits = job.unit ? find_splits(job, draft, worker, unit_weights())
                                                 : find_splits(job, draft, worker, real_weights(worker));
      const int chosen = splitters::choose(splits, counts_in_average_, use_ratio_);
      if (chosen >= 0) divide(std::move(job), splits[static_cast<std::size_t>(chosen)], chosen, draft, worker, stack);
    }
  }

  void grow_tasks(Draft& draft, std::vector<Task>& tasks) {
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const Task& a, const Task& b) { return a.job.part.rows.size() > b.job.part.rows.size(); });
    std::vector<Draft> subtrees(tasks.size(), Draft(dataset_.n_classes));
    std::vector<Worker> workers(pool_.n_threads());
    in_subtrees_ = true;
    pool_.for_each(static_cast<std::uint32_t>(tasks.size()), [&](std::uint32_t t, std::uint32_t thread) {
      Worker& worker = workers[thread];
      if (worker.branch_of.empty()) worker = new_worker(thread);
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
    job.part = joined(dataset_, listed_, job.part, job.unknown->part);
    job.unknown.reset();
  }

  splitters::UnitWeights<C> unit_weights() const { return {criterion_, table_}; }
  splitters::RealWeights<C> real_weights(const Worker& worker) const { return {criterion_, worker.weights.data()}; }

  template <class Weights>
  std::vector<Split> find_splits(const Job& job, const Draft& draft, Worker& worker, const Weights& weights) {
    NodeView node;
    node.rows = job.part.row_span();
    node.class_of = dataset_.classes;
    node.class_weights = draft.weights_of(job.node);
    node.total = draft.nodes[job.node].weight;
    node.min_objects = options_.min_objects;
    node.threshold_penalty = options_.threshold_penalty && std::is_same_v<C, criteria::Entropy>;
    for (std::size_t k = 0; k < dataset_.n_classes; ++k)
      if (node.class_weights[k] != 0.0) worker.local_number[k] = node.n_local++;
    worker.local_class.resize(node.rows.size());
    for (std::size_t i = 0; i < node.rows.size(); ++i)
      worker.local_class[i] = worker.local_number[class_of(node.rows[i])];
    node.local_class = worker.local_class;

    std::vector<Split> splits(dataset_.columns.size());
    const auto look_at = [&](std::uint32_t c, std::uint32_t thread) {
      splits[c] = find_split(job, c, node, weights, scratch_[thread]);
    };
    for_each_column(node.rows.size(), worker, static_cast<std::uint32_t>(splits.size()), look_at);
    return splits;
  }

  // Over the columns, by all threads where that pays and they are free.
  template <class Step>
  void for_each_column(std::size_t n_rows, const Worker& worker, std::uint32_t count, const Step& step) {
    if (!in_subtrees_ && n_rows >= rows_worth_sharing) {
      pool_.for_each(count, step);
    } else {
      for (std::uint32_t i = 0; i < count; ++i) step(i, worker.thread);
    }
  }

  template <class Weights>
  Split find_split(const Job& job, std::uint32_t c, const NodeView& node, const Weights& weights,
                   splitters::Scratch& scratch) const {
    const data::Column& column = dataset_.columns[c];
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

  // Notes the branch of every row of the node, `n_branches` for unknown.
  void route(const Job& job, const Split& split, const data::Column& column, std::uint32_t cut, Worker& worker) const {
    std::visit(
        [&](const auto& codes) {
          for (const std::uint32_t row : job.part.row_span()) {
            const std::uint32_t code = codes[row];
            std::uint32_t branch = code;
            if (split.test == graph::Test::threshold)
              branch = code > cut;
            else if (split.test == graph::Test::subset && code < column.n_codes)
              branch = static_cast<std::uint32_t>(split.value_branch[code]);
            worker.branch_of[row] = code == column.n_codes ? split.n_branches : branch;
          }
        },
        column.codes);
  }

  void divide(Job job, const Split& split, int chosen, Draft& draft, Worker& worker, std::vector<Job>& stack) {
    const data::Column& column = dataset_.columns[static_cast<std::size_t>(chosen)];
    const std::uint32_t n_branches = split.n_branches;
    {
      Draft::Node& node = draft.nodes[job.node];
      node.test = split.test;
      node.attribute = chosen;
      node.value_branch = split.value_branch;
      if (split.test == graph::Test::threshold) {
        node.cut = training_.cut_between(static_cast<std::size_t>(chosen), split.low_code, split.high_code);
        node.threshold = column.values[node.cut];
      }
      route(job, split, column, node.cut, worker);
    }

    // The branches' class weights decide which of them will be split further.
    const std::uint32_t first = static_cast<std::uint32_t>(draft.nodes.size());
    std::vector<std::uint32_t> branches(n_branches);
    for (std::uint32_t& branch : branches) branch = draft.add();
    draft.nodes[job.node].branches = std::move(branches);
    std::vector<double> unknown_weights(dataset_.n_classes, 0.0);
    std::vector<std::uint32_t> n_rows(n_branches + 1, 0);
    for (const std::uint32_t row : job.part.row_span()) {
      const std::uint32_t b = worker.branch_of[row];
      const double w = job.unit ? 1.0 : worker.weights[row];
      ++n_rows[b];
      (b == n_branches ? unknown_weights[class_of(row)] : draft.weights_of(first + b)[class_of(row)]) += w;
    }
    const std::vector<double> shares = share_unknown(draft, first, n_rows, unknown_weights);

    std::vector<std::uint32_t> bucket_of(n_branches + 1);
    std::vector<std::uint32_t> live;
    for (std::uint32_t b = 0; b < n_branches; ++b) {
      if (n_rows[b] == 0)
        make_empty_leaf(draft, job.node, first + b);
      else if (describe(draft, first + b, job.depth + 1))
        live.push_back(b);
    }
    if (live.empty()) return;
    const bool some_unknown = n_rows[n_branches] > 0;
    const auto n_live = static_cast<std::uint32_t>(live.size());
    std::ranges::fill(bucket_of, n_live + some_unknown);  // rows of leaves are done with
    for (std::uint32_t i = 0; i < n_live; ++i) bucket_of[live[i]] = i;
    if (some_unknown) bucket_of[n_branches] = n_live;
    const std::vector<Part> parts = divide_part(job.part, bucket_of, n_live + some_unknown, worker);

    std::shared_ptr<Unknown> unknown;
    if (some_unknown) {
      unknown = std::make_shared<Unknown>();
      unknown->part = parts[n_live];
      for (const std::uint32_t row : unknown->part.row_span())
        unknown->weights.push_back(job.unit ? 1.0 : worker.weights[row]);
    }
    auto tested = job.tested;
    if (split.test == graph::Test::value) {
      auto longer = std::make_shared<std::vector<std::uint32_t>>(*tested);
      longer->push_back(static_cast<std::uint32_t>(chosen));
      tested = std::move(longer);
    }
    for (std::uint32_t i = n_live; i-- > 0;) {
      Job branch;
      branch.node = first + live[i];
      branch.depth = job.depth + 1;
      branch.unit = job.unit && !some_unknown;
      branch.part = parts[i];
      branch.tested = tested;
      branch.unknown = unknown;
      branch.share = shares[live[i]];
      stack.push_back(std::move(branch));
    }
  }

  // Unknown rows go down each branch in proportion to the known weight there.
  std::vector<double> share_unknown(Draft& draft, std::uint32_t first, const std::vector<std::uint32_t>& n_rows,
                                    const std::vector<double>& unknown_weights) const {
    const std::size_t n_branches = n_rows.size() - 1;
    std::vector<double> shares(n_branches, 0.0);
    if (n_rows[n_branches] == 0) return shares;
    double known = 0.0;
    for (std::size_t b = 0; b < n_branches; ++b) {
      for (const double x : draft.weights_of(first + static_cast<std::uint32_t>(b))) shares[b] += x;
      known += shares[b];
    }
    for (std::size_t b = 0; b < n_branches; ++b) {
      if (n_rows[b] == 0) continue;
      shares[b] /= known;
      const auto weights = draft.weights_of(first + static_cast<std::uint32_t>(b));
      for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += shares[b] * unknown_weights[k];
    }
    return shares;
  }

  static void make_empty_leaf(Draft& draft, std::uint32_t parent, std::uint32_t leaf) {
    draft.nodes[leaf].label = draft.nodes[parent].label;
    std::ranges::copy(draft.weights_of(parent), draft.weights_of(leaf).begin());
  }

  // Divides rows and lists by the buckets of the branches noted; the first `n_parts` buckets are wanted.
  std::vector<Part> divide_part(const Part& part, const std::vector<std::uint32_t>& bucket_of, std::uint32_t n_parts,
                                Worker& worker) {
    const std::uint32_t n_buckets = std::max(*std::ranges::max_element(bucket_of) + 1, std::max(n_parts, 2U));
    std::vector<Part> parts(n_parts);
    for (Part& piece : parts) {
      piece.store = part.store;
      piece.lists.resize(part.lists.size());
    }
    worker.row_scratch.resize(std::max<std::size_t>(worker.row_scratch.size(), part.rows.size()));
    data::divide(part.row_span(), n_buckets,
                 [&](std::uint32_t row) { return bucket_of[worker.branch_of[row]]; }, worker.row_scratch.data(),
                 worker.starts);
    for (std::uint32_t p = 0; p < n_parts; ++p)
      parts[p].rows = {part.rows.begin + worker.starts[p], part.rows.begin + worker.starts[p + 1]};

    if (part.lists.empty()) return parts;
    if (n_buckets <= 256) {
      // Read once per list and row, in no order: a byte per row stays in the cache.
      worker.bucket_of.resize(dataset_.n_rows);
      for (const std::uint32_t row : part.row_span())
        worker.bucket_of[row] = static_cast<std::uint8_t>(bucket_of[worker.branch_of[row]]);
      const std::uint8_t* bucket = worker.bucket_of.data();
      divide_lists(part, parts, n_buckets, worker, [=](data::Entry entry) { return bucket[entry.row]; });
    } else {
      divide_lists(part, parts, n_buckets, worker,
                   [&](data::Entry entry) { return bucket_of[worker.branch_of[entry.row]]; });
    }
    return parts;
  }

  template <class BucketOf>
  void divide_lists(const Part& part, std::vector<Part>& parts, std::uint32_t n_buckets, const Worker& worker,
                    const BucketOf& bucket_of) {
    const auto divide_list = [&](std::uint32_t l, std::uint32_t thread) {
      ListScratch& scratch = list_scratch_[thread];
      scratch.entries.resize(std::max<std::size_t>(scratch.entries.size(), part.lists[l].size()));
      data::divide(part.list_span(l), n_buckets, bucket_of, scratch.entries.data(), scratch.starts);
      for (std::size_t p = 0; p < parts.size(); ++p)
        parts[p].lists[l] = {part.lists[l].begin + scratch.starts[p], part.lists[l].begin + scratch.starts[p + 1]};
    };
    for_each_column(part.rows.size(), worker, static_cast<std::uint32_t>(part.lists.size()), divide_list);
  }

  struct ListScratch {
    std::vector<data::Entry> entries;
    std::vector<std::uint32_t> starts;
  };

  const TrainingSet& training_;
  const data::Dataset& dataset_;
  const C45Options& options_;
  const C criterion_;
  const criteria::TermTable<C> table_;
  const bool use_ratio_;
  parallel::Pool pool_;
  bool in_subtrees_ = false;
  std::vector<splitters::Scratch> scratch_;
  std::vector<ListScratch> list_scratch_;
  std::vector<std::uint32_t> listed_;  // columns of many values, kept in order all the way down
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
