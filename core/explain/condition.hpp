// What a branch asks of a row: the factor of its share in coalitions with some features, and in others.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"

namespace weaklearn::explain {

// `hot` in coalitions with all of `columns`, `cold` in others. No column: `hot` in all coalitions.
struct Condition {
  std::vector<std::uint32_t> columns;  // ascending
  double hot = 1.0;
  double cold = 1.0;
};

// Returns the condition of a branch that `share` of the training rows took. `row` has one number per column, rounded as
// the column is: codes of nominal values, NaN if missing.
Condition condition_of(const graph::Graph& graph, std::uint32_t split, std::uint32_t branch, double share,
                       const double* row);

}  // namespace weaklearn::explain
