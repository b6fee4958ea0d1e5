// Shapley values by their definition: v of every coalition, row by row. The time is proportional to 2^(features), and
// to the nodes of the graph, not to its paths. That suits graphs of few features in which nodes are shared.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"

namespace weaklearn::explain {

// Features of a graph whose coalitions are listed.
constexpr std::size_t most_listed_features = 20;

class CoalitionValues {
 public:
  // The graph may test at most `most_listed_features` columns.
  CoalitionValues(const graph::Graph& graph, double vote);

  // Adds the values of one row, n_columns x n_classes, and its base values; `row` is as for condition_of().
  void explain(const double* row, double* values, double* base_values) const;

 private:
  const graph::Graph& graph_;
  std::vector<std::uint32_t> columns_;
  std::vector<double> branch_shares_;
  std::vector<double> class_shares_;  // per node and class, times the vote
};

}  // namespace weaklearn::explain
