// The edges of a graph in the order of a walk along all its paths. A node that several paths reach is visited once for
// each of them.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"

namespace weaklearn::explain {

// Paths of a graph with shared nodes that are followed. A tree has one path per leaf, and may be larger.
constexpr std::uint32_t most_paths = 1'000'000;

// Returns the number of paths of a graph. It may be infinite.
double count_paths(const graph::Graph& graph);

// Returns the columns that the splits of a graph test, oblique ones included, in ascending order.
std::vector<std::uint32_t> tested_columns(const graph::Graph& graph);

// Returns per branch its share of the training rows of its split. Throws std::invalid_argument if no training row took
// a branch of some split.
std::vector<double> branch_shares(const graph::Graph& graph);

// An edge from a split to a child. An edge at level l is followed by those below it, which have higher levels.
struct Edge {
  std::uint32_t level = 0;     // 1 below the root
  std::uint32_t split = 0;     // the nodes that it leads from and to
  std::uint32_t node = 0;
  std::uint32_t branch = 0;
  std::uint32_t feature = 0;   // position of the split's column in `columns`; 0 at an oblique split
  std::int32_t previous = -1;  // the lowest level above whose edge tests the same column, or -1
  double share = 0.0;          // of the training rows of the split that take the branch
  double z = 0.0;              // the product of the shares of the edges of the path that test this column
  std::uint32_t first_last = 0;  // at a leaf: last[first_last .. first_last + n_last)
  std::uint32_t n_last = 0;
};

struct PathTree {
  // The graph must be a tree, or have at most `most_paths` paths.
  explicit PathTree(const graph::Graph& graph);

  const graph::Graph& graph;
  std::vector<Edge> edges;
  std::vector<std::uint32_t> columns;  // that splits test, without those of oblique splits
  std::vector<std::uint32_t> last;     // levels of the last edge of a path that tests each of its columns
  std::uint32_t depth = 0;
  std::uint32_t most_features = 0;     // on a path; not counted in graphs with oblique splits
  bool is_oblique = false;             // whether some split is
};

}  // namespace weaklearn::explain
