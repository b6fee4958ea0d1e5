// What one thread works with while it grows a tree: its dataset, the present node, and scratch memory.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "data/dataset.hpp"
#include "data/node_rows.hpp"
#include "data/weight_view.hpp"
#include "splits/node_view.hpp"
#include "tree/columns_like_keys.hpp"
#include "tree/draw_columns.hpp"
#include "tree/node_tables.hpp"

namespace weaklearn::tree {

// The dataset is the whole one, or a copy of the rows of one subtree.
struct Worker {
  Worker(const data::Dataset& data, std::uint32_t thread_index)
      : dataset(data), thread(thread_index), branch_of(data.n_rows), local_index(data.n_classes) {}

  const data::Dataset& dataset;
  std::uint32_t thread;
  double least_gain = 0.0;              // a threshold or two groups must gain more than this
  data::WeightView weights;             // per row, at the present node; empty while all rows weigh 1
  std::vector<double> own_weights;  // where `weights` are, if they change from node to node, or of a copy of rows
  std::vector<std::uint8_t> own_counts;  // of a copy of rows: where `weights` are, if they are counts
  std::vector<std::uint8_t> branch_of;  // per row: the branch it takes at the present split, if a byte is enough
  std::vector<splits::Split> splits;  // per column, of the present node
  std::vector<std::uint32_t> evaluated;  // columns whose splits are those of the present node, ascending
  ColumnDraw draw;  // of the columns to evaluate, if not all are
  std::vector<std::uint32_t> tabled;  // columns whose splits are searched in tables, several at a time
  std::vector<std::uint32_t> others;  // all other columns
  bool keeps_tables = false;  // whether `tables` are those of the present node, for its children
  bool counts_rows = false;  // whether the search counts rows, because all of them weigh 1
  NodeTables tables;
  // Set if rows are counted elsewhere: it tells where the tables of all columns lie in `tables`.
  const TableKeeper* counted = nullptr;
  const RowsOfKeys* rows_of_keys = nullptr;  // lie behind these tables
  std::vector<double> shares;  // per branch of the last split: the share of rows of missing value; empty if none
  std::vector<std::uint32_t> local_index;  // per class: its index among the classes present at the node
  std::vector<std::uint32_t> local_class;  // per row of the node: the same index of its class
  std::vector<std::uint32_t> class_rows;  // per class: the number of rows at the node
  std::vector<double> local_factors;  // per class present at the node: its factor, if classes have factors
  splits::Sides<std::uint32_t> unit_sides;  // the present node with all weight above the cut
  splits::Sides<double> real_sides;
  // Memory that is used again for every split.
  std::vector<std::uint32_t> node_classes;  // per row of a part of a node: its class
  std::vector<double> node_weights;  // per row of a part of a node: its weight
  std::vector<std::uint32_t> wide_branch_of;  // like branch_of, for splits with more branches than a byte holds
  data::ScratchMemory<std::uint32_t> row_scratch;
  std::vector<std::uint32_t> starts;
  std::vector<std::uint32_t> n_rows;  // per branch, and then of missing value
  std::vector<std::uint32_t> open_branches;  // the branches that may be split further
  std::vector<std::uint32_t> bucket_of_branch;  // where the rows of a branch go
  std::vector<double> class_weights;  // per branch, and then of missing value, and per class

  template <class Count>
  splits::Sides<Count>& sides() {
    if constexpr (std::is_same_v<Count, double>)
      return real_sides;
    else
      return unit_sides;
  }
  void take_weights(std::vector<double> row_weights) {
    own_weights = std::move(row_weights);
    weights = own_weights;
  }
  // Copies the weights of some rows of another worker.
  void copy_weights(const Worker& from, std::span<const std::uint32_t> rows) {
    if (from.weights.has_counts()) {
      own_counts.reserve(rows.size());
      for (const std::uint32_t row : rows) own_counts.push_back(static_cast<std::uint8_t>(from.weights[row]));
      weights = std::span<const std::uint8_t>(own_counts);
      return;
    }
    std::vector<double> row_weights;
    row_weights.reserve(rows.size());
    for (const std::uint32_t row : rows) row_weights.push_back(from.weights[row]);
    take_weights(std::move(row_weights));
  }
  // One number per row. The memory is taken at the first use.
  std::vector<std::uint32_t>& wide_branches() {
    wide_branch_of.resize(dataset.n_rows);
    return wide_branch_of;
  }
  // Returns the branch of a row at the present split, which has n branches.
  std::uint32_t branch(std::uint32_t row, std::size_t n) const {
    return is_narrow(n) ? branch_of[row] : wide_branch_of[row];
  }
  // Whether the index of a branch, or the one that stands for a missing value, fits into a byte.
  static bool is_narrow(std::size_t n_branches) { return n_branches < 256; }
  std::size_t class_of(std::uint32_t row) const { return static_cast<std::size_t>(dataset.classes[row]); }
};

}  // namespace weaklearn::tree
