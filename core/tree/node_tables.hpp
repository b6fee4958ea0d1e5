// The tables of value by class of a node, kept for its children.
//
// Growing spends most of its time on counting the rows of nodes by value and class. The largest child of a node needs
// no counting: its tables are those of the node less those of its other children. The difference is exact, because
// tables are kept only where sums of weights are exact (OpenNode::exact): with counts, and with weights that are
// multiples of one unit. So the tree is the same whether tables are kept or not.
//
//     node:    [ table of column 0 | table of column 1 | ... ]     counted, or handed down
//     small:   [ ...                                         ]     counted
//     large:   [ ...                                         ]     node - small
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::tree {

struct Worker;
struct OpenNode;
class ThreadTeam;

// The cells of all tables of a node, one table after the other: counts where the search counts rows
// (Worker::counts_rows), and weights otherwise.
struct NodeTables {
  std::vector<std::uint32_t> counts;
  std::vector<double> weights;

  bool empty() const { return counts.empty() && weights.empty(); }
  template <class Count>
  std::vector<Count>& cells() {
    if constexpr (std::is_same_v<Count, double>)
      return weights;
    else
      return counts;
  }
};

// Says which columns have tables and where, and makes the tables of nodes. A table has a line of cells per code, and
// then one for missing values; a line has a cell per class.
class TableKeeper {
 public:
  // The codes of the columns are bytes. Without columns no tables are kept.
  TableKeeper(const data::Dataset& dataset, std::vector<std::uint32_t> columns);

  std::span<const std::uint32_t> columns() const { return columns_; }
  std::size_t n_cells() const { return starts_.back(); }
  // The table of the i-th of the columns.
  template <class Count>
  std::span<const Count> table(const std::vector<Count>& cells, std::size_t i) const {
    return std::span(cells).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }

  // Whether a node has so many rows that subtracting tables costs less than counting rows.
  bool pays(std::size_t n_rows) const { return !columns_.empty() && n_rows >= least_rows_; }

  // Adds up the class weights of the codes up to a cut. Returns false if the column has no table, or if some of its
  // values are missing at the node.
  bool sum_up_to(const NodeTables& tables, std::uint32_t column, std::uint32_t cut, std::vector<double>& below) const;

  // Counts the rows of a node.
  void fill(const OpenNode& open, Worker& worker, ThreadTeam& team, NodeTables& tables) const;

  // Gives the tables of the node that `worker` has just split to its children.
  void hand_down(std::span<OpenNode> children, Worker& worker, ThreadTeam& team) const;

 private:
  template <class Count>
  void fill_cells(const OpenNode& open, Worker& worker, ThreadTeam& team, std::vector<Count>& cells) const;
  template <class Count, class RowAt, class Class>
  void add_to_cells(std::size_t n_rows, const RowAt& row_at, const Class* classes, const double* weights,
                    const Worker& worker, ThreadTeam& team, std::vector<Count>& cells) const;

  std::vector<std::uint32_t> columns_;
  std::vector<std::size_t> starts_;  // per column: its first cell; then the number of cells
  std::size_t n_classes_;
  std::size_t least_rows_ = 0;
};

}  // namespace weaklearn::tree
