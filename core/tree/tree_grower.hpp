// Trees: growing and pruning.
//
// Terms used in this folder:
//   draft        the graph while it grows (graph/draft.hpp)
//   open node    a node that may be split; it has rows, and perhaps missing rows that are still to be merged
//   partition    send the rows of a node to its children
//   missing row  a row whose value is missing at a split; it goes down every branch with a share of its weight
//   unit         all rows weigh 1, so that counts in integers replace sums of weights
//
// Entry points: grow_c45 (depth first), grow_topdown (best first), grow_stump (one split), prune_pessimistic,
// prune_cost_complexity, drop_impossible_branches. core/fit composes them.
//
// This file: what the growers have in common. A TreeGrower holds the training rows, the threads, the search for splits
// (SplitFinder) and the partition of nodes (NodePartitioner).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "data/node_rows.hpp"
#include "graph/draft.hpp"
#include "tree/open_node.hpp"
#include "tree/options.hpp"
#include "tree/partition_node.hpp"
#include "tree/split_finder.hpp"
#include "tree/thread_team.hpp"
#include "tree/training_rows.hpp"
#include "tree/worker.hpp"

namespace weaklearn::tree {

template <criteria::Criterion C>
struct TreeGrower {
  TreeGrower(const TrainingRows& training_rows, C criterion, const SplitSearchOptions& search,
             const GrowthLimits& limits, std::uint32_t n_threads)
      : training(training_rows),
        dataset(training.dataset),
        team(n_threads),
        seed(search.seed),
        partitioner(training, limits, team),
        finder(training, search, std::move(criterion), team) {}

  Worker new_worker(std::uint32_t thread) const {
    Worker worker(dataset, thread);
    // Only an additive criterion can use counts while all rows weigh 1.
    if (training.weights.empty() && !criteria::Additive<C>)
      worker.take_weights(std::vector<double>(dataset.n_rows, 1.0));
    else if (training.has_missing)
      worker.take_weights({training.weights.numbers(), training.weights.numbers() + training.weights.size()});
    else if (!training.unit || !criteria::Additive<C>)
      worker.weights = training.weights;
    return worker;
  }

  // Adds the root to an empty draft. Only its class weights are filled in.
  OpenNode make_root(graph::Draft& draft) {
    OpenNode root;
    root.unit = training.unit;
    root.exact = training.sums_are_exact;
    root.seed = seed;
    root.node_rows = root_rows(dataset, finder.listed(), training.present(), team.pool);
    root.used_columns = std::make_shared<const std::vector<std::uint32_t>>();
    draft.add();
    for (const std::uint32_t row : root.node_rows.row_span())
      draft.weights_of(0)[static_cast<std::size_t>(dataset.classes[row])] +=
          training.weights.empty() ? 1.0 : training.weights[row];
    return root;
  }

  // Merges the missing rows of a branch into its other rows.
  void merge_missing_rows(OpenNode& open, Worker& worker) const {
    if (!open.missing) return;
    const auto rows = open.missing->node_rows.row_span();
    for (std::size_t i = 0; i < rows.size(); ++i)
      worker.own_weights[rows[i]] = training.unit_weight.of_share(open.missing->weights[i], open.missing_share);
    open.node_rows = data::merge_missing_rows(worker.dataset, finder.listed(), open.node_rows, open.missing->node_rows);
    open.missing.reset();
  }

  // Splits a node by its best split, if it has one. Children that may be split further are appended to `children`.
  bool split(OpenNode& open, graph::Draft& draft, Worker& worker, std::vector<OpenNode>& children) {
    if (!find_split(open, draft, worker)) return false;
    partitioner.weigh_children(open, draft, worker);
    send_rows(open, draft, worker, children);
    return true;
  }

  // The same in two steps. Makes the children of a node by its best split, if it has one. They have no rows yet.
  bool choose_split(OpenNode& open, graph::Draft& draft, Worker& worker) {
    if (!find_split(open, draft, worker)) return false;
    const graph::Draft::Node& node = draft.nodes[open.node];
    if (worker.keeps_tables && node.split == graph::SplitKind::threshold &&
        finder.tables().sum_up_to(worker.tables, static_cast<std::uint32_t>(node.column), node.cut, below_))
      partitioner.weigh_children(open, below_, draft);
    else
      partitioner.weigh_children(open, draft, worker);
    open.tables = std::move(worker.tables);
    return true;
  }

  // Finds the child of each row of a node whose split was chosen: its branch is in `worker`.
  void find_branches(OpenNode& open, graph::Draft& draft, Worker& worker) const {
    take_tables(open, worker);
    partitioner.weigh_children(open, draft, worker);
  }
  // Then sends the rows there. Children that may be split further are appended.
  void send_rows(const OpenNode& open, const graph::Draft& draft, Worker& worker, std::vector<OpenNode>& children) {
    const std::size_t n_before = children.size();
    partitioner.send_rows(open, draft, worker, children);
    if (worker.keeps_tables) finder.tables().hand_down(std::span(children).subspan(n_before), worker, team);
  }

  const TrainingRows& training;
  const data::Dataset& dataset;
  ThreadTeam team;
  const std::uint64_t seed;
  NodePartitioner partitioner;
  SplitFinder<C> finder;

 private:
  void take_tables(OpenNode& open, Worker& worker) const {
    worker.tables = std::move(open.tables);
    worker.counts_rows = open.unit && criteria::Additive<C>;
    worker.keeps_tables = open.exact && finder.tables().pays(open.node_rows.rows.size());
  }

  bool find_split(OpenNode& open, graph::Draft& draft, Worker& worker) {
    take_tables(open, worker);
    const int column = finder.find(open, draft, worker);
    if (column < 0) return false;
    partitioner.make_children(open, worker.splits[static_cast<std::size_t>(column)], static_cast<std::uint32_t>(column),
                              draft, worker);
    return true;
  }

  std::vector<double> below_;  // per class: the weight below the cut of the last split that was chosen
};

}  // namespace weaklearn::tree
