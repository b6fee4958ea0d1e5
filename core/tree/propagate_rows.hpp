// Propagates rows down a tree that is being pruned.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "data/dataset.hpp"
#include "data/node_rows.hpp"
#include "data/row_codes.hpp"
#include "data/weight_view.hpp"
#include "graph/draft.hpp"
#include "graph/oblique_terms.hpp"
#include "tree/weight_unit.hpp"

namespace weaklearn::tree {

// A row of a table without missing values. Its class and weight are looked up.
struct WholeRow {
  std::uint32_t row;
};

// A row of which only a share may be at a node.
struct RowShare {
  std::uint32_t row;
  std::uint32_t class_index;
  double weight;
};

// Returns whether a split may meet values without a branch: missing values, or values that it has not seen in training,
// unless it has a missing branch. An oblique split has a number for missing values.
inline bool meets_values_without_branch(const graph::Draft::Node& node, const data::Dataset& dataset) {
  if (node.split == graph::SplitKind::leaf || node.split == graph::SplitKind::oblique || node.missing_branch >= 0)
    return false;
  const auto has_none = [](std::int32_t branch) { return branch < 0; };
  return dataset.columns[static_cast<std::size_t>(node.column)].n_missing > 0 ||
         std::ranges::any_of(node.value_branch, has_none);
}

// What is known of the rows: those of the dataset, or copies of a few of them, which have indices of their own. In a
// large dataset each look-up would be a cache miss.
class KnownRows {
 public:
  KnownRows(const data::Dataset& dataset, data::WeightView weights, WeightUnit unit)
      : codes(dataset), dataset_(&dataset), given_(weights), unit_(unit) {
    for (std::size_t row = 0; row < weights.size() && all_weigh_one_; ++row)
      all_weigh_one_ = weights[row] == 0.0 || weights[row] == 1.0;
  }

  std::uint32_t n_rows() const { return rows_.empty() ? dataset_->n_rows : static_cast<std::uint32_t>(rows_.size()); }
  double weight(const RowShare& row) const { return row.weight; }
  double weight(const WholeRow& row) const {
    if (all_weigh_one_) return 1.0;
    return weights_.empty() ? unit_.of_row(given_[row.row]) : weights_[row.row];
  }
  std::uint32_t class_of(const RowShare& row) const { return row.class_index; }
  std::uint32_t class_of(const WholeRow& row) const {
    return static_cast<std::uint32_t>(classes_.empty() ? dataset_->classes[row.row] : classes_[row.row]);
  }

  // Becomes a copy of some of the rows of another, and gives these rows their indices in the copy.
  template <class Row>
  void copy(const KnownRows& from, std::span<Row> rows, const std::vector<bool>& wanted_columns) {
    rows_.clear();
    classes_.clear();
    weights_.clear();
    rows_.reserve(rows.size());
    if constexpr (std::is_same_v<Row, WholeRow>) {
      classes_.reserve(rows.size());
      if (!all_weigh_one_) weights_.reserve(rows.size());
    }
    for (const Row& row : rows) {
      rows_.push_back(row.row);
      if constexpr (std::is_same_v<Row, WholeRow>) {
        classes_.push_back(static_cast<std::int32_t>(from.class_of(row)));
        if (!all_weigh_one_) weights_.push_back(from.weight(row));
      }
    }
    codes.copy_rows(from.codes, wanted_columns, rows_);
    for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i].row = i;
  }
  // Gives the rows of the copy, in any order, their former indices again.
  template <class Row>
  void restore(std::span<Row> rows) const {
    for (Row& row : rows) row.row = rows_[row.row];
  }

  data::RowCodes codes;

 private:
  const data::Dataset* dataset_;
  data::WeightView given_;  // per row of the dataset
  WeightUnit unit_;
  bool all_weigh_one_ = true;
  std::vector<std::uint32_t> rows_;  // of a copy: the indices of its rows in what was copied
  std::vector<std::int32_t> classes_;
  std::vector<double> weights_;
};

// Several threads may use one propagation for different subtrees.
class RowPropagation {
 public:
  static constexpr std::uint32_t in_flight = 16;  // rows whose look-ups wait for memory at the same time

  RowPropagation(const graph::Draft& draft, const data::Dataset& dataset) : draft_(draft), dataset_(dataset) {
    steps_.resize(draft.nodes.size());
    for (std::uint32_t i = 0; i < steps_.size(); ++i) note_change(i);
  }

  // Must be called for every node that has changed.
  void note_change(std::uint32_t at) {
    const graph::Draft::Node& node = draft_.nodes[at];
    Step& step = steps_[at];
    step = Step{};
    step.leaf = node.children.empty();
    if (node.split != graph::SplitKind::threshold || goes_below_cut_if_missing(node)) return;
    step.by_threshold = true;
    step.column = static_cast<std::uint32_t>(node.column);
    step.cut = node.cut;
    std::ranges::copy(node.children, step.branch);
  }

  bool is_leaf(std::uint32_t at) const { return steps_[at].leaf; }

  // Returns the child that a row takes at a node that is not a leaf. The value of the row must not be missing, unless
  // the node has a missing branch.
  std::uint32_t next_node(std::uint32_t at, std::uint32_t row, const data::RowCodes& codes) const {
    const Step& step = steps_[at];
    if (!step.by_threshold) return end_of_branch(draft_.nodes[at], row, codes);
    return step.branch[codes.of_column(step.column)[row] > step.cut];
  }

  // The same for a row whose codes are bytes, side by side (data/row_codes.hpp).
  std::uint32_t next_node(std::uint32_t at, std::uint32_t row, const data::RowCodes& codes, const std::uint8_t* bytes,
                          const std::uint32_t* places) const {
    const Step& step = steps_[at];
    if (!step.by_threshold) return end_of_branch(draft_.nodes[at], row, codes);
    return step.branch[bytes[places[step.column]] > step.cut];
  }

  // Prefetches the code that next_node() will read for a row, if the node is a threshold split.
  void prefetch(std::uint32_t at, std::uint32_t row, const data::RowCodes& codes) const {
    const Step& step = steps_[at];
    if (step.by_threshold) parallel::prefetch(codes.of_column(step.column).address(row));
  }

  // Partitions rows by the branches they take at a split. The rows whose value has no branch come last. `starts`
  // becomes the start of each group of rows, and the end.
  template <class Row>
  void partition(const graph::Draft::Node& node, std::span<Row> rows, const data::RowCodes& row_codes,
                 data::ScratchMemory<Row>& scratch, std::vector<std::uint32_t>& starts) const {
    const bool some_missing = may_be_missing(node);
    const std::uint32_t n_buckets = static_cast<std::uint32_t>(node.children.size()) + some_missing;
    const auto partition_by = [&](const auto& branch_of) {
      data::partition(rows, n_buckets, n_buckets, branch_of, scratch.of_size(rows.size()), starts);
    };
    if (node.split == graph::SplitKind::oblique) {
      partition_by([&](const Row& row) { return is_above(node, row.row); });
      return;
    }
    const data::CodeView codes = row_codes.of_column(static_cast<std::size_t>(node.column));
    if (node.split == graph::SplitKind::threshold && !some_missing && !goes_below_cut_if_missing(node))
      partition_by(ByThreshold{codes, node.cut});
    else
      partition_by(
          [&, n_codes = column_of(node).n_codes](const Row& row) { return node.branch_of(codes[row.row], n_codes); });
  }

  bool may_be_missing(const graph::Draft::Node& node) const { return meets_values_without_branch(node, dataset_); }

  // Returns for each column whether a split reads its codes.
  std::vector<bool> split_columns() const {
    std::vector<bool> used(dataset_.columns.size());
    for (const graph::Draft::Node& node : draft_.nodes)
      if (node.column >= 0) used[static_cast<std::size_t>(node.column)] = true;
    return used;
  }

 private:
  // What most steps need, close together in memory: a threshold, or that the node is a leaf.
  struct Step {
    std::uint32_t column = 0;
    std::uint32_t cut = 0;
    std::uint32_t branch[2] = {};
    // Whether it is a threshold split that sends all codes above the cut to its second branch. All others are looked up
    // in the draft. The code of a missing value is above every cut.
    bool by_threshold = false;
    bool leaf = false;
  };

  struct ByThreshold {
    data::CodeView codes;
    std::uint32_t cut;

    bool operator()(const auto& row) const { return codes[row.row] > cut; }
    void prefetch(const auto& row) const { parallel::prefetch(codes.address(row.row)); }
  };

  // Whether a threshold split sends missing values, whose code is above the cut, to the first branch.
  bool goes_below_cut_if_missing(const graph::Draft::Node& node) const {
    return node.missing_branch == 0 && column_of(node).n_missing > 0;
  }

  const data::Column& column_of(const graph::Draft::Node& node) const {
    return dataset_.columns[static_cast<std::size_t>(node.column)];
  }

  bool is_above(const graph::Draft::Node& node, std::uint32_t row) const {
    return graph::is_above(node.terms, node.threshold, dataset_, row);
  }

  std::uint32_t end_of_branch(const graph::Draft::Node& node, std::uint32_t row, const data::RowCodes& codes) const {
    if (node.split == graph::SplitKind::oblique) return node.children[is_above(node, row)];
    const std::uint32_t code = codes.of_column(static_cast<std::size_t>(node.column))[row];
    return node.children[node.branch_of(code, column_of(node).n_codes)];
  }

  const graph::Draft& draft_;
  const data::Dataset& dataset_;
  std::vector<Step> steps_;  // per node of the draft
};

}  // namespace weaklearn::tree
