// Graphs for the tests: a small one made by hand, and random ones grown from random tables.
#pragma once

#include <vector>

#include "graph/flatten_draft.hpp"
#include "graph/forest.hpp"
#include "graph/graph.hpp"
#include "random_table.hpp"
#include "release8/c45_release8.hpp"
#include "tree/drop_impossible_branches.hpp"
#include "tree/grow_c45.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::tests {

// 0: threshold on column 0 -> 1, 2;  1: multiway on column 1 -> 3, 4, 5;  2: subsets of column 1 -> 6, 7.
inline graph::Graph small_graph() {
  using graph::SplitKind;
  graph::Graph graph;
  graph.n_classes = 2;
  graph.columns = {{0, true}, {3, true}};
  graph.children = {1, 2, 3, 4, 5, 6, 7};
  graph.value_branch = {0, 1, -1};
  graph.nodes.resize(8);
  const auto set_split = [&](std::size_t i, SplitKind split, std::int32_t column, std::uint32_t first,
                             std::uint32_t n) {
    graph.nodes[i].split = split;
    graph.nodes[i].column = column;
    graph.nodes[i].first_branch = first;
    graph.nodes[i].n_branches = n;
  };
  set_split(0, SplitKind::threshold, 0, 0, 2);
  set_split(1, SplitKind::multiway, 1, 2, 3);
  set_split(2, SplitKind::subset, 1, 5, 2);
  const double weights[] = {10, 6, 4, 1, 2, 3, 2, 2};
  for (std::size_t i = 0; i < 8; ++i) {
    graph::Node& node = graph.nodes[i];
    node.weight = weights[i];
    node.label = i % 2;
    node.first_class = static_cast<std::uint32_t>(graph.class_index.size());
    node.n_classes = 2;
    graph.class_index.insert(graph.class_index.end(), {0, 1});
    graph.class_weight.insert(graph.class_weight.end(), {weights[i] * 0.25, weights[i] * 0.75});
  }
  return graph;
}

inline graph::Forest forest_of(const graph::Graph& graph) {
  const graph::Graph* const only = &graph;
  return graph::Forest({&only, 1});
}

inline graph::Graph random_graph(Random& random, const RandomTable& table, bool release8) {
  tree::C45Options options;
  options.search.min_objects = 1.0 + below(random, 2);
  options.search.subset = below(random, 2) == 0;
  const bool prune = below(random, 2) == 0;
  const double confidence = 0.05 + 0.95 * uniform(random);
  const std::vector<double> weights =
      random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
  if (release8) {
    const release8::Options same{.min_objects = options.search.min_objects,
                                 .subset = options.search.subset,
                                 .prune = prune,
                                 .confidence = confidence};
    return graph::flatten(release8::grow_release8(table.dataset, weights, same).pruned, table.column_types());
  }
  graph::Draft draft = tree::grow_c45(table.dataset, weights, options);
  if (prune) tree::prune_pessimistic(draft, table.dataset, weights, confidence);
  if (prune && options.search.subset) tree::drop_impossible_branches(draft, table.dataset);
  return graph::flatten(draft, table.column_types());
}

}  // namespace weaklearn::tests
