// A node that may be split, with its rows: what a grower keeps of a node between making it and splitting it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "data/node_rows.hpp"
#include "tree/node_tables.hpp"
#include "tree/worker.hpp"

namespace weaklearn::tree {

// The rows whose value was missing at a split, with their weights there. They go down every branch.
struct MissingRows {
  data::NodeRows node_rows;
  std::vector<double> weights;
};

// A node that may be split, with its rows.
struct OpenNode {
  std::uint32_t node = 0;
  std::uint32_t depth = 0;
  bool unit = true;  // all rows weigh 1
  bool exact = true;  // sums of the weights of rows are exact, whatever their order
  bool incomplete = false;  // if rows are counted elsewhere: its class weights lack the rows of missing value
  std::uint64_t seed = 0;  // of the draw of columns: it follows from the seed of the tree and the path to the node
  data::NodeRows node_rows;
  NodeTables tables;  // of the rows of the node, if its parent handed them down
  std::shared_ptr<const std::vector<std::uint32_t>> used_columns;  // nominal columns split into all values above
  std::shared_ptr<const MissingRows> missing;  // rows to merge into `node_rows` before the node is split
  double missing_share = 1.0;                  // of the weight of each missing row that takes this branch
};

// A node that is split later, with the weights of its rows. A row whose value is missing is at several nodes with
// a different weight at each, so a worker's weights may have changed by then.
struct DeferredNode {
  DeferredNode(OpenNode node, const Worker& worker) : open(std::move(node)) {
    if (!open.unit)
      for (const std::uint32_t row : open.node_rows.row_span()) weights.push_back(worker.weights[row]);
  }
  DeferredNode(OpenNode node, std::vector<double> row_weights)
      : open(std::move(node)), weights(std::move(row_weights)) {}
  void restore_weights(Worker& worker) const {
    if (worker.own_weights.empty()) return;  // they never change
    const auto rows = open.node_rows.row_span();
    for (std::size_t i = 0; i < weights.size(); ++i) worker.own_weights[rows[i]] = weights[i];
  }

  OpenNode open;
  std::vector<double> weights;  // of the rows of the node; empty if all of them weigh 1
};

}  // namespace weaklearn::tree
