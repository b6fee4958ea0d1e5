// Rows that are counted elsewhere: a tree is grown and pruned here, and its rows are in other processes.
//
// A tree with bins depends on its rows only through sums of weights (node_tables.hpp), and these sums are exact in any
// order (weight_unit.hpp). So it is the same tree, to the bit, however the rows are distributed.
//
//     here:        Draft --Routing--> CountedRows::tables ----------------------> split of each node, by SplitFinder
//     elsewhere:                        PartOfRows, one per part --sums-->  added up
//
// A row whose value is missing at a split waits there until the shares of the branches are known. They follow from the
// sums of all parts.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tree/routing.hpp"
#include "tree/weight_unit.hpp"

namespace weaklearn::tree {

// A node, and the subtree through which its rows are sent.
struct RowsAndSubtree {
  std::uint32_t node;
  std::uint32_t subtree;
};

class CountedRows {
 public:
  CountedRows(WeightUnit unit_of_weights, bool all_rows_weigh_one)
      : unit(unit_of_weights), all_weigh_one(all_rows_weigh_one) {}
  CountedRows(const CountedRows&) = delete;
  CountedRows& operator=(const CountedRows&) = delete;
  virtual ~CountedRows() = default;

  const WeightUnit unit;
  const bool all_weigh_one;

  // Returns the tables of some nodes of a tree that grows, node by node. Those of a node lie one after the other: of
  // each column a line per code, then one for missing values, with a cell per class. Behind them are RowsOfKeys.
  virtual std::vector<double> tables(const Routing& tree, std::span<const std::uint32_t> nodes) = 0;

  // Sends the rows of each node through the subtree, and returns the class weights of its nodes, in the order of
  // nodes_below(). If the subtree is a child of the node, only the rows of the other children are sent. A row whose
  // value is missing at a split without shares remains there, and is part of the sums of that node only.
  virtual std::vector<double> node_sums(const Routing& tree, std::span<const RowsAndSubtree> requests) = 0;
};

}  // namespace weaklearn::tree
