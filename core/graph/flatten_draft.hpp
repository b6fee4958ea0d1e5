// Makes a Graph of a draft. flatten() writes the nodes of a tree in pre-order, the order in which C4.5 prints and
// stores them. flatten_levels() keeps the order in which a program grew.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/draft.hpp"
#include "graph/graph.hpp"

namespace weaklearn::data {
struct Dataset;
}

namespace weaklearn::graph {

// Returns what a graph keeps of the columns of a dataset.
std::vector<ColumnType> column_types_of(const data::Dataset& dataset);

// Makes a graph of the tree below `root`. `new_index`, if given, becomes the index in the graph of each node of the
// draft, or -1.
Graph flatten(const Draft& draft, std::vector<ColumnType> columns, std::uint32_t root = 0,
              std::vector<std::int32_t>* new_index = nullptr);

// Makes a graph of a program. Its root is node 0, children have higher indices, and its branches have weights.
Graph flatten_levels(const Draft& draft, std::vector<ColumnType> columns);

}  // namespace weaklearn::graph
