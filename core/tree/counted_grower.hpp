// Growing a tree whose rows are counted elsewhere (counted_rows.hpp). It searches splits with the SplitFinder of the
// other growers and makes children with their NodePartitioner. Only the source of the tables differs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "graph/draft.hpp"
#include "tree/counted_rows.hpp"
#include "tree/node_tables.hpp"
#include "tree/open_node.hpp"
#include "tree/options.hpp"
#include "tree/partition_node.hpp"
#include "tree/split_finder.hpp"
#include "tree/thread_team.hpp"
#include "tree/training_rows.hpp"
#include "tree/worker.hpp"

namespace weaklearn::tree {

// The tables of all rows, which are needed before anything else.
inline TrainingRows count_all_rows(const data::Dataset& dataset, CountedRows& rows,
                                   const criteria::ClassFactors& classes) {
  graph::Draft root(dataset.n_classes);
  root.add();
  const std::uint32_t index = 0;
  return TrainingRows(dataset, rows.tables(Routing(root, {}), {&index, 1}), rows.unit, rows.all_weigh_one, classes);
}

template <criteria::Criterion C>
class CountedGrower {
 public:
  using Kept = OpenNode;  // what is kept of a node until it is split

  CountedGrower(const TrainingRows& training, CountedRows& rows, C criterion, const SplitSearchOptions& search,
                const GrowthLimits& limits)
      : training_(training),
        rows_(rows),
        seed_(search.seed),
        team_(1),
        partitioner_(training, limits, team_),
        finder_(training, search, std::move(criterion), team_),
        layout_(training.dataset, all_columns(training.dataset)),
        worker_(training.dataset, 0) {
    worker_.counted = &layout_;
  }

  const C& criterion() const { return finder_.criterion(); }
  std::uint32_t n_classes() const { return training_.dataset.n_classes; }

  // Adds the root to an empty draft. The result is empty if it cannot be split.
  std::vector<OpenNode> make_root(graph::Draft& draft) {
    std::vector<OpenNode> root(1);
    root[0].unit = training_.unit;
    root[0].seed = seed_;
    root[0].incomplete = true;
    root[0].used_columns = std::make_shared<const std::vector<std::uint32_t>>();
    draft.add();
    complete(draft, {&root, 1});
    return root;
  }

  // How many nodes are counted at a time, so that neither messages nor tables take much memory.
  std::size_t most_nodes() const {
    constexpr std::size_t most_bytes = std::size_t{1} << 26;
    return std::max<std::size_t>(most_bytes / (layout_.n_cells() * sizeof(double)), 1);
  }

  // Counts the nodes that have no tables yet.
  void prepare(const graph::Draft& draft, std::span<OpenNode* const> nodes) {
    std::vector<OpenNode*> waiting;
    for (OpenNode* node : nodes)
      if (node->tables.empty()) waiting.push_back(node);
    for (std::size_t first = 0; first < waiting.size(); first += most_nodes())
      count(draft, std::span(waiting).subspan(first, std::min(most_nodes(), waiting.size() - first)));
  }

  // Splits a node by its best split, if it has one. Children that may be split further are appended to `children`.
  bool split(OpenNode& open, graph::Draft& draft, std::vector<OpenNode>& children) {
    worker_.tables = std::exchange(open.tables, {});
    worker_.counts_rows = counts_rows(open);
    const int column = finder_.find(open, draft, worker_);
    if (column < 0) return false;
    partitioner_.partition(open, worker_.splits[static_cast<std::size_t>(column)], static_cast<std::uint32_t>(column),
                           draft, worker_, children);
    shares_.resize(draft.nodes.size());
    shares_[open.node] = worker_.shares;
    return true;
  }

  // A split needs nothing else when it is accepted or refused.
  void accept(graph::Draft&, const std::vector<OpenNode>&, bool) const {}
  void refuse(const std::vector<OpenNode>&) const {}

  // Counts the nodes whose class weights are not complete, and removes those that turn out to be leaves.
  void complete(graph::Draft& draft, std::span<std::vector<OpenNode>> groups) {
    std::vector<OpenNode*> incomplete;
    for (std::vector<OpenNode>& group : groups)
      for (OpenNode& open : group)
        if (open.incomplete) incomplete.push_back(&open);
    prepare(draft, incomplete);
    for (OpenNode* open : incomplete) add_up_classes(*open, draft.weights_of(open->node));
    for (std::vector<OpenNode>& group : groups)
      std::erase_if(group, [&](OpenNode& open) {
        return std::exchange(open.incomplete, false) && !partitioner_.describe(draft, open.node, open.depth);
      });
  }

 private:
  static std::vector<std::uint32_t> all_columns(const data::Dataset& dataset) {
    std::vector<std::uint32_t> columns(dataset.columns.size());
    std::iota(columns.begin(), columns.end(), 0U);
    return columns;
  }

  bool counts_rows(const OpenNode& open) const { return open.unit && criteria::Additive<C>; }

  void count(const graph::Draft& draft, std::span<OpenNode* const> nodes) {
    std::vector<std::uint32_t> indices;
    for (const OpenNode* open : nodes) indices.push_back(open->node);
    const std::vector<double> cells = rows_.tables(Routing(draft, shares_), indices);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto own = std::span(cells).subspan(i * layout_.n_cells(), layout_.n_cells());
      if (counts_rows(*nodes[i]))
        for (const double count : own) nodes[i]->tables.counts.push_back(static_cast<std::uint32_t>(count));
      else
        nodes[i]->tables.weights.assign(own.begin(), own.end());
    }
  }

  // Every column has all rows in its table, so the first one is enough.
  void add_up_classes(const OpenNode& open, std::span<double> class_weights) const {
    std::ranges::fill(class_weights, 0.0);
    const auto add = [&](const auto& table) {
      for (std::size_t i = 0; i < table.size(); ++i)
        class_weights[i % class_weights.size()] += static_cast<double>(table[i]);
    };
    if (counts_rows(open))
      add(layout_.table(open.tables.counts, 0));
    else
      add(layout_.table(open.tables.weights, 0));
  }

  const TrainingRows& training_;
  CountedRows& rows_;
  const std::uint64_t seed_;
  ThreadTeam team_;
  NodePartitioner partitioner_;
  SplitFinder<C> finder_;
  const TableKeeper layout_;
  Worker worker_;
  std::vector<std::vector<double>> shares_;  // per node: see Routing
};

// Grows level by level, so that the nodes of a level are counted together.
template <criteria::Criterion C>
graph::Draft grow_by_levels(CountedGrower<C>& grower) {
  graph::Draft draft(grower.n_classes());
  std::vector<OpenNode> level = grower.make_root(draft);
  while (!level.empty()) {
    std::vector<OpenNode> next;
    for (std::size_t first = 0; first < level.size(); first += grower.most_nodes()) {
      const auto some = std::span(level).subspan(first, std::min(grower.most_nodes(), level.size() - first));
      std::vector<OpenNode*> nodes;
      for (OpenNode& open : some) nodes.push_back(&open);
      grower.prepare(draft, nodes);
      std::vector<OpenNode> children;
      for (OpenNode& open : some) grower.split(open, draft, children);
      grower.complete(draft, {&children, 1});
      std::ranges::move(children, std::back_inserter(next));
    }
    level = std::move(next);
  }
  return draft;
}

}  // namespace weaklearn::tree
