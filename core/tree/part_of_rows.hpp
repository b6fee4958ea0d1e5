// A part of the rows of a fit, and the sums that a tree needs of it; see counted_rows.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "tree/columns_like_keys.hpp"
#include "tree/counted_rows.hpp"
#include "tree/routing.hpp"
#include "tree/weight_unit.hpp"

namespace weaklearn::tree {

class PartOfRows {
 public:
  // `weights` has one weight per row; rows of weight 0 are absent.
  PartOfRows(const data::Dataset& dataset, std::span<const double> weights, WeightUnit unit);

  // See CountedRows. Between two calls for the same tree, which may only have grown, the rows remember where they are.
  // A tree of another name starts at its root.
  std::vector<double> tables(const Routing& tree, std::uint64_t name_of_tree, std::span<const std::uint32_t> nodes);
  std::vector<double> node_sums(const Routing& tree, std::span<const RowsAndSubtree> requests) const;

 private:
  // The rows at a node. `weights` is empty unless some of them are shares of rows of missing value.
  struct RowsOfNode {
    std::vector<std::uint32_t> rows;
    std::vector<double> weights;
  };

  class Sender;
  using TwoLists = std::array<std::vector<std::uint32_t>, 2>;

  std::vector<std::uint32_t> present_rows() const;
  std::optional<TwoLists> split_in_two(const Routing& tree, std::uint32_t node,
                                       std::span<const std::uint32_t> rows) const;
  void move_down(const Routing& tree);
  void move_to_children(const Routing& tree, std::uint32_t node);
  double weight_at(const RowsOfNode& here, std::size_t i) const {
    return here.weights.empty() ? weights_[here.rows[i]] : here.weights[i];
  }
  void check(const Routing& tree) const;
  void add_to_tables(const RowsOfNode& here, std::span<double> cells) const;

  const data::Dataset& dataset_;
  const WeightUnit unit_;
  const RowsOfKeys rows_of_keys_;
  const std::vector<double> weights_;  // per row, rounded
  const bool all_weigh_one_;  // those that are not absent
  std::size_t n_cells_ = 0;
  std::mutex mutex_;  // of the rows by node
  std::uint64_t name_of_tree_ = 0;
  bool has_started_ = false;
  std::vector<RowsOfNode> rows_of_;  // per node: rows wait where they were when the node was a leaf
};

}  // namespace weaklearn::tree
