// Finds the best split of a node: the best split of each column, and then the choice among the columns.
#pragma once

#include <algorithm>
#include <span>
#include <variant>
#include <vector>

#include "criteria/criterion.hpp"
#include "data/node_rows.hpp"
#include "splits/best_cut.hpp"
#include "splits/choose_column.hpp"
#include "splits/many_values.hpp"
#include "splits/multiway.hpp"
#include "splits/random_split.hpp"
#include "splits/subset.hpp"
#include "splits/two_groups.hpp"
#include "tree/columns_like_keys.hpp"
#include "tree/draw_columns.hpp"
#include "tree/node_tables.hpp"
#include "tree/open_node.hpp"
#include "tree/options.hpp"
#include "tree/thread_team.hpp"
#include "tree/training_rows.hpp"
#include "tree/worker.hpp"

namespace weaklearn::tree {

// Only additive criteria have terms that can be looked up.
struct NoTerms {
  explicit NoTerms(std::uint32_t) {}
};
template <class C>
struct TermsOf {
  using Type = NoTerms;
};
template <criteria::Additive C>
struct TermsOf<C> {
  using Type = criteria::TermTable<C>;
};

template <criteria::Criterion C>
class SplitFinder {
 public:
  SplitFinder(const TrainingRows& training, const SplitSearchOptions& options, C criterion, ThreadTeam& team)
      : training_(training),
        dataset_(training.dataset),
        options_(options),
        criterion_(std::move(criterion)),
        terms_(largest_tabulated(training)),
        team_(team),
        scratch_(team.pool.n_threads()) {
    const bool may_list = data::Tagging(dataset_).fits() && lists_pay(options, dataset_.columns.size());
    for (std::uint32_t c = 0; c < dataset_.columns.size(); ++c) {
      all_columns_.push_back(c);
      const bool is_listed = !dataset_.columns[c].order.empty() && may_list;
      list_of_.push_back(is_listed ? static_cast<int>(listed_.size()) : -1);
      if (list_of_.back() >= 0) listed_.push_back(c);
      n_values_.push_back(dataset_.columns[c].n_codes + (options_.missing_takes_branch && training_.lacks_values(c)));
    }
    decide_averages();
    std::vector<std::uint32_t> with_tables;
    // If columns are drawn, the children of a node evaluate others than the node.
    if (options_.max_features >= all_columns_.size())
      for (const std::uint32_t c : all_columns_)
        if (has_small_table(dataset_.columns[c], c)) with_tables.push_back(c);
    tables_ = TableKeeper(dataset_, std::move(with_tables));
  }

  const C& criterion() const { return criterion_; }
  // The columns whose rows are kept in order in every node.
  const std::vector<std::uint32_t>& listed() const { return listed_; }

  // The columns whose tables a node keeps for its children.
  const TableKeeper& tables() const { return tables_; }

  // Fills in `worker.splits` and returns the column of the best split, or -1 if there is none.
  int find(const OpenNode& open, const graph::Draft& draft, Worker& worker) {
    if constexpr (criteria::Additive<C>)
      if (open.unit)
        return find_best(open, draft, worker, splits::UnitWeights<C>{criterion_, terms_, &worker.unit_sides});
    return find_best(open, draft, worker, splits::RealWeights<C>{criterion_, worker.weights, &worker.real_sides});
  }

 private:
  // Returns the largest count whose term is tabulated. Columns that are sorted need a term for each row. Otherwise
  // there is one term for each value of a column, and those of large counts are computed, so that the table stays
  // small.
  static std::uint32_t largest_tabulated(const TrainingRows& training) {
    constexpr std::uint32_t large = 1U << 16;
    const auto is_sorted = [](const data::Column& column) { return !column.order.empty(); };
    const std::uint32_t largest = training.largest_count();
    return std::ranges::any_of(training.dataset.columns, is_sorted) ? largest : std::min(largest, large);
  }

  // A list must be partitioned at every node, whether its column is drawn there or not. Sorting the drawn columns at
  // the node costs less if they are few. On tables of 24 to 200 columns, sorting took 12 to 18 times as long per
  // column.
  static bool lists_pay(const SplitSearchOptions& options, std::size_t n_columns) {
    constexpr std::size_t sorting_costs = 16;
    return !options.random_splits && options.max_features >= n_columns / sorting_costs;
  }

  // Nominal columns with a value for every third row would dominate the average gain. C4.5 leaves them out of it,
  // unless there are no other columns, or values are grouped.
  void decide_averages() {
    bool all_large = true;
    for (std::uint32_t c = 0; c < dataset_.columns.size(); ++c) {
      const bool large = dataset_.columns[c].nominal && criteria::at_least(n_values_[c], 0.3 * training_.total);
      counts_in_average_.push_back(!large);
      if (!is_ignored(c)) all_large = all_large && large;
    }
    if (all_large || options_.subset || options_.random_splits)
      counts_in_average_.assign(dataset_.columns.size(), true);
  }

  // Returns whether rare values of a column count as one: where columns are drawn, those of a column like a key. C4.5
  // does not draw columns, so where they are drawn its subsets need not be followed.
  bool merges_rare_values(const data::Column& column) const {
    const bool groups_values = options_.random_splits || (options_.subset && criteria::Additive<C>);
    return groups_values && options_.max_features < all_columns_.size() && is_like_key(column, training_.total);
  }

  static constexpr std::uint32_t absent = UINT32_MAX;  // the local index of a class without rows

  bool is_ignored(std::uint32_t c) const { return dataset_.columns[c].nominal && n_values_[c] < 2; }

  template <class Weights>
  int find_best(const OpenNode& open, const graph::Draft& draft, Worker& worker, const Weights& weights) {
    const splits::NodeView node = view(open, draft, worker, weights);
    worker.splits.resize(all_columns_.size());
    if (options_.max_features < all_columns_.size()) return find_among_drawn(open, node, worker, weights);
    find_splits(all_columns_, open, node, worker, weights);
    return choose_among(all_columns_, worker);
  }

  int choose_among(std::span<const std::uint32_t> columns, const Worker& worker) const {
    return splits::choose(worker.splits, columns, counts_in_average_, options_.use_gain_ratio);
  }

  // Evaluates only drawn columns; draw_columns.hpp has the rules.
  template <class Weights>
  int find_among_drawn(const OpenNode& open, const splits::NodeView& node, Worker& worker, const Weights& weights) {
    worker.draw.start(open.seed, static_cast<std::uint32_t>(all_columns_.size()));
    const auto draw_varying = [&] {
      const auto varies_at_node = [&](std::size_t c) {
        const data::Column& column = worker.dataset.columns[c];
        return varies(weights, with_table(node, c, worker), column, merges_rare_values(column),
                      scratch_[worker.thread]);
      };
      int drawn = worker.draw.next();
      while (drawn >= 0 && !varies_at_node(static_cast<std::size_t>(drawn))) drawn = worker.draw.next();
      return drawn;
    };
    std::vector<std::uint32_t>& evaluated = worker.evaluated;
    evaluated.clear();
    while (evaluated.size() < options_.max_features) {
      const int drawn = draw_varying();
      if (drawn < 0) break;
      evaluated.push_back(static_cast<std::uint32_t>(drawn));
    }
    std::ranges::sort(evaluated);
    find_splits(evaluated, open, node, worker, weights);
    int best = choose_among(evaluated, worker);
    while (best < 0) {
      const int drawn = draw_varying();
      if (drawn < 0) break;
      const auto column = static_cast<std::uint32_t>(drawn);
      find_splits({&column, 1}, open, node, worker, weights);
      evaluated.insert(std::ranges::upper_bound(evaluated, column), column);
      best = choose_among(evaluated, worker);
    }
    return best;
  }

  // Returns what a search sees of the node.
  template <class Weights>
  splits::NodeView view(const OpenNode& open, const graph::Draft& draft, Worker& worker, const Weights& weights) const {
    splits::NodeView node;
    if (worker.counted == nullptr) node.rows = open.node_rows.row_span();
    node.class_of = worker.dataset.classes;
    node.tagging = data::Tagging(worker.dataset);
    node.class_weights = draft.weights_of(open.node);
    node.total = draft.nodes[open.node].weight;
    node.min_objects = options_.min_objects;
    node.least_gain = worker.least_gain;
    node.threshold_penalty = options_.threshold_penalty && C::in_bits;
    node.missing_takes_branch = options_.missing_takes_branch;
    node.exact = open.exact;
    // If all columns are searched in kept tables, classes with weight are all that is needed: rows are not looked at.
    const bool looks_at_rows = !worker.keeps_tables || tables_.columns().size() < all_columns_.size();
    number_classes<Weights::unit>(node, worker, looks_at_rows);
    number_factors(node, worker);
    sum_up(node, weights, worker);
    return node;
  }

  // Returns the same node with the table of a column, if its rows were counted elsewhere.
  static splits::NodeView with_table(splits::NodeView node, std::size_t column, Worker& worker) {
    if (worker.counted == nullptr) return node;
    if (worker.counts_rows) {
      node.counted = worker.counted->table(worker.tables.counts, column);
    } else {
      const std::span<const double> cells = worker.tables.weights;
      node.weighed = worker.counted->table(worker.tables.weights, column);
      node.rows_of_value = worker.rows_of_keys->of_column(cells.subspan(worker.counted->n_cells()), column);
    }
    node.local_index = worker.local_index;
    return node;
  }

  // Fills in `worker.splits` of some columns.
  template <class Weights>
  void find_splits(std::span<const std::uint32_t> columns, const OpenNode& open, const splits::NodeView& node,
                   Worker& worker, const Weights& weights) {
    worker.tabled.clear();
    worker.others.clear();
    for (const std::uint32_t c : columns)
      (worker.counted == nullptr && is_tabled(worker.dataset.columns[c], c, node) ? worker.tabled : worker.others)
          .push_back(c);
    constexpr auto at_a_time = static_cast<std::uint32_t>(splits::tables_at_a_time);
    const auto n_tabled = static_cast<std::uint32_t>(worker.tabled.size());
    const std::uint32_t n_groups = (n_tabled + at_a_time - 1) / at_a_time;
    if (worker.keeps_tables && worker.tables.empty()) tables_.fill(open, worker, team_, worker.tables);
    const auto search = [&](std::uint32_t i, std::uint32_t thread) {
      if (i < n_groups && worker.keeps_tables) {
        for (std::uint32_t t = i * at_a_time; t < std::min((i + 1) * at_a_time, n_tabled); ++t)
          worker.splits[worker.tabled[t]] = find_in_kept_table(t, worker, node, weights, scratch_[thread]);
      } else if (i < n_groups) {
        const std::uint32_t first = i * at_a_time;
        find_in_tables(std::span(worker.tabled).subspan(first, std::min(at_a_time, n_tabled - first)), worker, node,
                       weights, scratch_[thread]);
      } else {
        const std::uint32_t c = worker.others[i - n_groups];
        worker.splits[c] =
            find_split(open, c, worker.dataset.columns[c], with_table(node, c, worker), weights, scratch_[thread]);
      }
    };
    const auto n_steps = n_groups + static_cast<std::uint32_t>(worker.others.size());
    team_.for_each_column(node.rows.size(), worker.thread, n_steps, search);
    if (options_.missing_takes_branch)
      for (const std::uint32_t c : columns)
        if (worker.splits[c].missing_branch == splits::share_missing_rows)
          worker.splits[c].missing_branch = splits::to_heaviest_branch;
  }

  // Numbers the classes present at the node. A class that has weight gets its index first. With real weights, a class
  // can have rows but no weight: the weight of a row with missing values is a product of shares, which can underflow to
  // 0.
  template <bool unit>
  void number_classes(splits::NodeView& node, Worker& worker, bool looks_at_rows) const {
    for (std::size_t k = 0; k < dataset_.n_classes; ++k)
      worker.local_index[k] = node.class_weights[k] != 0.0 ? node.n_local++ : absent;
    worker.local_class.resize(looks_at_rows ? node.rows.size() : 0);
    for (std::size_t i = 0; i < worker.local_class.size(); ++i) {
      std::uint32_t& local = worker.local_index[worker.class_of(node.rows[i])];
      if constexpr (!unit)
        if (local == absent) local = node.n_local++;
      worker.local_class[i] = local;
    }
    node.local_class = worker.local_class;
  }

  // Sets the factors of the classes at the node.
  void number_factors(splits::NodeView& node, Worker& worker) const {
    if (!training_.classes.given()) return;
    node.factors = training_.classes.factors;
    worker.local_factors.assign(node.n_local, 0.0);
    for (std::size_t k = 0; k < dataset_.n_classes; ++k)
      if (worker.local_index[k] != absent) worker.local_factors[worker.local_index[k]] = node.factors[k];
    node.local_factors = worker.local_factors;
    node.largest_factor = std::ranges::max(worker.local_factors);
  }

  // Sums up what the search starts with in every column without missing values.
  template <class Weights>
  void sum_up(splits::NodeView& node, const Weights& weights, Worker& worker) const {
    using Count = typename Weights::Count;
    auto& sides = worker.template sides<Count>();
    sides.start(node.n_local);
    if constexpr (!Weights::unit) {
      for (const std::uint32_t k : node.local_class) ++sides.rows_above[k];
      worker.class_rows.assign(dataset_.n_classes, 0);
    }
    for (std::size_t k = 0; k < dataset_.n_classes; ++k) {
      if (worker.local_index[k] == absent) continue;
      sides.high[worker.local_index[k]] = static_cast<Count>(node.class_weights[k]);
      if constexpr (!Weights::unit) worker.class_rows[k] = sides.rows_above[worker.local_index[k]];
    }
    node.class_rows = worker.class_rows;
    sides.sum_up(weights);
  }

  // Whether the cuts of a continuous column can be searched in a table, together with other columns.
  bool has_small_table(const data::Column& column, std::uint32_t c) const {
    return !column.nominal && !options_.random_splits && list_of_[c] < 0 &&
           std::holds_alternative<data::CodeArray<std::uint8_t>>(column.codes);
  }
  bool is_tabled(const data::Column& column, std::uint32_t c, const splits::NodeView& node) const {
    return has_small_table(column, c) && splits::table_is_cheap(node, column);
  }

  // Finds the best cut of a column in the table that the node keeps for its children. A node that keeps tables has so
  // many rows that all of them are cheap, so `worker.tabled` are the columns of the keeper.
  template <class Weights>
  splits::Split find_in_kept_table(std::uint32_t t, Worker& worker, const splits::NodeView& node,
                                   const Weights& weights, splits::Scratch& scratch) const {
    using Count = typename Weights::Count;
    const data::Column& column = worker.dataset.columns[worker.tabled[t]];
    const auto table = tables_.table(worker.tables.template cells<Count>(), t);
    if (node.n_local == dataset_.n_classes) return best_cut_of_table(weights, node, column, table, scratch);
    auto& cells = scratch.counts<Count>().cells;
    splits::select_local_classes(table, std::span<const std::uint32_t>(worker.local_index), node.n_local, cells);
    return best_cut_of_table<Weights>(weights, node, column, cells, scratch);
  }

  template <class Weights>
  void find_in_tables(std::span<const std::uint32_t> tabled, Worker& worker, const splits::NodeView& node,
                      const Weights& weights, splits::Scratch& scratch) const {
    const data::Column* columns[splits::tables_at_a_time];
    for (std::size_t i = 0; i < tabled.size(); ++i) columns[i] = &worker.dataset.columns[tabled[i]];
    auto cells = fill_tables(weights, node, {columns, tabled.size()}, scratch);
    for (std::size_t i = 0; i < tabled.size(); ++i) {
      const std::size_t size = (std::size_t{columns[i]->n_codes} + 1) * node.n_local;
      worker.splits[tabled[i]] = best_cut_of_table(weights, node, *columns[i], cells.first(size), scratch);
      cells = cells.subspan(size);
    }
  }

  template <class Weights>
  splits::Split find_split(const OpenNode& open, std::uint32_t c, const data::Column& column,
                           const splits::NodeView& node, const Weights& weights, splits::Scratch& scratch) const {
    if (is_ignored(c)) return {};
    const bool like_key = merges_rare_values(column);
    // The seeds of the children are seed_of(open.seed, branch), those of the splits must be others.
    if (options_.random_splits) {
      const std::uint64_t seed = parallel::SeededRandom::seed_of(~open.seed, c);
      return splits::RandomSplit(weights, node, column, like_key, seed, scratch).draw();
    }
    if (column.nominal) {
      if constexpr (criteria::Additive<C>) {
        if (options_.subset && (like_key || column.n_codes > most_subset_values))
          return best_of_many_values(weights, node, column, like_key, scratch);
        if (options_.subset && n_values_[c] > 2)
          return best_subsets(weights, criterion_, options_.use_gain_ratio, node, column, scratch);
      }
      if (options_.two_groups) return best_two_groups(weights, node, column, scratch);
      if (std::ranges::find(*open.used_columns, c) != open.used_columns->end()) return {};
      return multiway(weights, node, column, scratch);
    }
    if (list_of_[c] >= 0)
      return best_cut_of_list<Weights, data::Entry>(
          weights, node, column, open.node_rows.list_span(static_cast<std::size_t>(list_of_[c])), scratch);
    if (splits::table_is_cheap(node, column))
      return best_cut_of_table(weights, node, column, fill_table(weights, node, column, scratch), scratch);
    return best_cut_of_list(weights, node, column, rows_by_code(node, column, scratch), scratch);
  }

  const TrainingRows& training_;
  const data::Dataset& dataset_;
  const SplitSearchOptions options_;
  const C criterion_;
  const typename TermsOf<C>::Type terms_;
  ThreadTeam& team_;
  std::vector<splits::Scratch> scratch_;  // per thread
  std::vector<std::uint32_t> all_columns_;
  std::vector<std::uint32_t> listed_;  // columns of many values, kept in order in every node, if tags fit
  std::vector<int> list_of_;  // per column: its index in listed_, or -1
  std::vector<std::uint32_t> n_values_;  // per column: its codes, and the missing value if it takes a branch and occurs
  std::vector<bool> counts_in_average_;
  TableKeeper tables_{dataset_, {}};
};

}  // namespace weaklearn::tree
