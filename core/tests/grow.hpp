// Grows a tree for a test.
#pragma once

#include <algorithm>
#include <vector>

#include "random_table.hpp"
#include "tree/grow_c45.hpp"

namespace weaklearn::tests {

inline graph::Graph grow(const RandomTable& table, const std::vector<double>& weights,
                         const tree::C45Options& options) {
  return graph::flatten(tree::grow_c45(table.dataset, weights, options), table.column_types());
}

inline double sum_of(const std::vector<double>& weights) {
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  return sum;
}

inline std::size_t n_splits(const graph::Graph& graph) {
  return static_cast<std::size_t>(
      std::ranges::count_if(graph.nodes, [](const graph::Node& node) { return node.n_branches > 0; }));
}

}  // namespace weaklearn::tests
