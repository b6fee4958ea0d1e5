// Growing a tree whose rows are counted elsewhere (counted_rows.hpp). It searches splits with the SplitFinder of the
// other growers and makes children with their NodePartitioner. Only the source of the tables differs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/draft.hpp"
#include "tree/columns_like_keys.hpp"
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
        rows_of_keys_(training.dataset, rows.unit),
        worker_(training.dataset, 0) {
    worker_.counted = &layout_;
    worker_.rows_of_keys = &rows_of_keys_;
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
    return std::max<std::size_t>(most_bytes / (n_cells() * sizeof(double)), 1);
  }

  // Makes the tables of the nodes that have none yet. The largest child of a node gets the difference of the tables of
  // the node and those of its other children, as far as this does not need more tables than counting it.
  void prepare(const graph::Draft& draft, std::span<OpenNode* const> nodes) {
    std::unordered_map<std::uint32_t, std::vector<OpenNode*>> siblings;  // by parent
    std::vector<std::uint32_t> parents;  // in the order of their children
    std::vector<Request> requests;
    for (OpenNode* open : nodes) {
      if (!open->tables.empty()) continue;
      const auto parent = parent_of_.find(open->node);
      if (parent == parent_of_.end()) {
        requests.push_back({{open}, {open->node}, nullptr, {}});
      } else {
        if (siblings[parent->second].empty()) parents.push_back(parent->second);
        siblings[parent->second].push_back(open);
      }
    }
    for (const std::uint32_t parent : parents) request(draft, parent, siblings[parent], requests);
    for (std::size_t first = 0; first < requests.size();) {
      std::size_t last = first;
      std::size_t n_counted = 0;
      do {
        n_counted += requests[last++].counted.size();
      } while (last < requests.size() && n_counted + requests[last].counted.size() <= most_nodes());
      count(draft, std::span(requests).subspan(first, last - first));
      first = last;
    }
  }

  // Splits a node by its best split, if it has one. Children that may be split further are appended to `children`.
  bool split(OpenNode& open, graph::Draft& draft, std::vector<OpenNode>& children) {
    worker_.tables = std::exchange(open.tables, {});
    worker_.counts_rows = counts_rows(open);
    const int column = finder_.find(open, draft, worker_);
    if (column < 0) return false;
    const std::size_t n_before = children.size();
    partitioner_.partition(open, worker_.splits[static_cast<std::size_t>(column)], static_cast<std::uint32_t>(column),
                           draft, worker_, children);
    shares_.resize(draft.nodes.size());
    shares_[open.node] = worker_.shares;
    if (worker_.shares.empty()) keep_tables(open, draft, std::span(children).subspan(n_before));
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
  // Nodes that are counted together. If `derived` is given, its tables are those of its parent, which are here, less
  // all that are counted.
  struct Request {
    std::vector<OpenNode*> open;  // those of the counted nodes that need their tables
    std::vector<std::uint32_t> counted;
    OpenNode* derived = nullptr;
    NodeTables of_parent;
  };

  // Tables of nodes that wait for their children take no more memory than this.
  static constexpr std::size_t most_kept_bytes = std::size_t{1} << 28;

  // Keeps the tables of a node that was split, each row to one child, until its children are counted.
  void keep_tables(const OpenNode& open, const graph::Draft& draft, std::span<const OpenNode> children) {
    const std::size_t n_bytes = n_cells() * sizeof(double);
    if (children.empty() || (kept_.size() + 1) * n_bytes > most_kept_bytes) return;
    kept_[open.node] = {std::move(worker_.tables), draft.nodes[open.node].children};
    for (const OpenNode& child : children) parent_of_[child.node] = open.node;
  }

  // Decides how the tables of children of a node are made.
  void request(const graph::Draft& draft, std::uint32_t parent, const std::vector<OpenNode*>& children,
               std::vector<Request>& requests) {
    Family family = std::move(kept_.at(parent));
    kept_.erase(parent);
    for (const std::uint32_t child : family.children) parent_of_.erase(child);
    const auto weight_of = [&](std::uint32_t node) { return draft.nodes[node].weight; };
    OpenNode* const largest = *std::ranges::max_element(
        children, [&](const OpenNode* a, const OpenNode* b) { return weight_of(a->node) < weight_of(b->node); });
    Request request;
    double most_unasked = 0.0;  // the weight of the heaviest child that nobody asks for
    std::size_t n_unasked = 0;
    for (const std::uint32_t child : family.children) {
      if (child == largest->node || !(weight_of(child) > 0.0)) continue;
      request.counted.push_back(child);
      const auto asked = std::ranges::find(children, child, &OpenNode::node);
      if (asked != children.end()) {
        request.open.push_back(*asked);
      } else {
        most_unasked = std::max(most_unasked, weight_of(child));
        ++n_unasked;
      }
    }
    const bool same_kind = counts_rows(*largest) == family.tables.weights.empty();
    if (same_kind && (n_unasked == 0 || (n_unasked == 1 && most_unasked < weight_of(largest->node)))) {
      request.derived = largest;
      request.of_parent = std::move(family.tables);
      requests.push_back(std::move(request));
      return;
    }
    for (OpenNode* open : children) requests.push_back({{open}, {open->node}, nullptr, {}});
  }

  static std::vector<std::uint32_t> all_columns(const data::Dataset& dataset) {
    std::vector<std::uint32_t> columns(dataset.columns.size());
    std::iota(columns.begin(), columns.end(), 0U);
    return columns;
  }

  // A node has the cells of its tables, and behind them those of the rows of keys.
  std::size_t n_cells() const { return layout_.n_cells() + rows_of_keys_.n_cells(); }

  bool counts_rows(const OpenNode& open) const { return open.unit && criteria::Additive<C>; }

  void count(const graph::Draft& draft, std::span<Request> requests) {
    std::vector<std::uint32_t> indices;
    for (const Request& request : requests)
      indices.insert(indices.end(), request.counted.begin(), request.counted.end());
    const std::vector<double> cells = rows_.tables(Routing(draft, shares_), indices);
    std::span<const double> remaining = cells;
    for (Request& request : requests) {
      for (const std::uint32_t node : request.counted) {
        const auto own = remaining.first(n_cells());
        remaining = remaining.subspan(own.size());
        if (const auto open = std::ranges::find(request.open, node, &OpenNode::node); open != request.open.end())
          set_tables(**open, own);
        if (request.derived != nullptr) subtract(request.of_parent, own);
      }
      if (request.derived != nullptr) request.derived->tables = std::move(request.of_parent);
    }
  }

  void set_tables(OpenNode& open, std::span<const double> cells) const {
    if (counts_rows(open))
      for (const double count : cells) open.tables.counts.push_back(static_cast<std::uint32_t>(count));
    else
      open.tables.weights.assign(cells.begin(), cells.end());
  }

  // The difference is exact, like all sums of weights in a dataset with bins.
  static void subtract(NodeTables& tables, std::span<const double> cells) {
    for (std::size_t i = 0; i < tables.counts.size(); ++i) tables.counts[i] -= static_cast<std::uint32_t>(cells[i]);
    for (std::size_t i = 0; i < tables.weights.size(); ++i) tables.weights[i] -= cells[i];
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
  const RowsOfKeys rows_of_keys_;
  Worker worker_;
  std::vector<std::vector<double>> shares_;  // per node: see Routing

  struct Family {
    NodeTables tables;  // of the parent
    graph::Children children;
  };
  std::unordered_map<std::uint32_t, Family> kept_;  // by parent: those whose children are not counted yet
  std::unordered_map<std::uint32_t, std::uint32_t> parent_of_;  // of the children that may be split
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
