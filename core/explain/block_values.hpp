// Shapley values for a graph whose splits test one column each, for eight rows at a time. The walk along the paths
// keeps, for each point of the quadrature and each row, the product of the factors of the features of the path.
#pragma once

#include <cstdint>
#include <vector>

#include "explain/path_tree.hpp"
#include "explain/quadrature.hpp"
#include "explain/row_numbers.hpp"

namespace weaklearn::explain {

// What a graph without oblique splits needs to explain rows.
struct BlockTree {
  BlockTree(const graph::Graph& graph, double vote);

  // Numbers that depend on the edge alone, one per point of the quadrature, for columns whose values are known.
  struct EdgeTables {
    std::vector<double> numbers;
    std::vector<std::size_t> first;  // per edge: weight / (t + (1 - t) z), then, if the column was tested before, what
                                     // the product is multiplied by: hot before and after, hot then cold, cold
  };
  // A class share of a leaf, times the vote.
  struct ClassShare {
    std::uint32_t class_index;
    double share;
  };

  PathTree paths;
  Quadrature quadrature;
  std::vector<double> cold_weight;  // per point: weight / (1 - t)
  EdgeTables tables;  // empty if they would take too much memory: they only save time
  std::vector<double> bounds;  // per node: its threshold, rounded as the column is
  std::vector<std::uint32_t> first_share;  // per node: leaf_shares[first_share[node] .. first_share[node + 1])
  std::vector<ClassShare> leaf_shares;
  std::vector<bool> may_lack;  // per feature: whether a split has no branch for some declared value
};

// Memory for a block of rows; make one per thread.
struct BlockMemory {
  void prepare(const BlockTree& tree, std::uint32_t n_classes);

  std::vector<RowNumbers> rows;  // per feature of the graph: the value, NaN if it is missing
  std::vector<RowNumbers> values;  // per feature of the graph and class: the result
  std::vector<RowNumbers> base;  // per class: the result
  std::vector<RowNumbers> product;  // per level and point
  std::vector<RowNumbers> hot, cold, empty;  // per level: o, z, and the share of the row if no feature is used
  std::vector<std::uint32_t> path;  // per level: the edge
  std::vector<std::uint8_t> is_general;  // per feature: whether some o is neither 0 nor 1, or some z not the edge's
};

// Explains the rows in `memory.rows`.
void explain_block(const BlockTree& tree, BlockMemory& memory);

}  // namespace weaklearn::explain
