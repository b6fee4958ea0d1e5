// What a grower keeps of a node between making it and splitting it, and what one thread works with.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "data/dataset.hpp"
#include "data/node_rows.hpp"
#include "splits/node_view.hpp"

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
  data::NodeRows node_rows;
  std::shared_ptr<const std::vector<std::uint32_t>> used_columns;  // nominal columns split into all values above
  std::shared_ptr<const MissingRows> missing;  // rows to merge into `node_rows` before the node is split
  double missing_share = 1.0;                  // of the weight of each missing row that takes this branch
};

// What one thread works with. The dataset is the whole one, or a copy of the rows of one subtree.
struct Worker {
  Worker(const data::Dataset& data, std::uint32_t thread_index)
      : dataset(data), thread(thread_index), branch_of(data.n_rows), local_index(data.n_classes) {}

  const data::Dataset& dataset;
  std::uint32_t thread;
  double least_gain = 0.0;              // a threshold or two groups must gain more than this
  std::vector<double> weights;          // per row, at the present node; empty while all rows weigh 1
  std::vector<std::uint8_t> branch_of;  // per row: the branch it takes at the present split, if a byte is enough
  std::vector<splits::Split> splits;    // per column, of the present node
  std::vector<std::uint32_t> tabled;    // columns whose splits are searched in tables, several at a time
  std::vector<std::uint32_t> others;    // all other columns
  std::vector<std::uint32_t> local_index;  // per class: its index among the classes present at the node
  std::vector<std::uint32_t> local_class;  // per row of the node: the same index of its class
  std::vector<std::uint32_t> class_rows;   // per class: the number of rows at the node
  splits::Sides<std::uint32_t> unit_sides;  // the present node with all weight above the cut
  splits::Sides<double> real_sides;
  // Memory that is used again for every split.
  std::vector<std::uint32_t> wide_branch_of;  // like branch_of, for splits with more branches than a byte holds
  std::vector<std::uint32_t> row_scratch;
  std::vector<std::uint32_t> starts;
  std::vector<std::uint32_t> n_rows;            // per branch, and then of missing value
  std::vector<std::uint32_t> open_branches;     // the branches that may be split further
  std::vector<std::uint32_t> bucket_of_branch;  // where the rows of a branch go
  std::vector<double> class_weights;            // per branch, and then of missing value, and per class

  template <class Count>
  splits::Sides<Count>& sides() {
    if constexpr (std::is_same_v<Count, double>)
      return real_sides;
    else
      return unit_sides;
  }
  // One number per row. The memory is taken at the first use.
  std::vector<std::uint32_t>& wide_branches() {
    wide_branch_of.resize(dataset.n_rows);
    return wide_branch_of;
  }
  std::size_t class_of(std::uint32_t row) const { return static_cast<std::size_t>(dataset.classes[row]); }
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
    const auto rows = open.node_rows.row_span();
    for (std::size_t i = 0; i < weights.size(); ++i) worker.weights[rows[i]] = weights[i];
  }

  OpenNode open;
  std::vector<double> weights;  // of the rows of the node; empty if all of them weigh 1
};

}  // namespace weaklearn::tree
