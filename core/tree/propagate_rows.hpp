// Propagates rows down a tree that is being pruned.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "data/node_rows.hpp"
#include "data/row_codes.hpp"
#include "graph/draft.hpp"
#include "graph/oblique_terms.hpp"
#include "parallel/simd.hpp"

namespace weaklearn::tree {

struct PropagatedRow {
  std::uint32_t row;
  std::uint32_t class_index;
  double weight;
};
using PropagatedRows = std::vector<PropagatedRow>;

// Returns whether a split may meet values without a branch: missing values, or values that it has not seen in training,
// unless it has a missing branch. An oblique split has a number for missing values.
inline bool meets_values_without_branch(const graph::Draft::Node& node, const data::Dataset& dataset) {
  if (node.split == graph::SplitKind::oblique || node.missing_branch >= 0) return false;
  const auto has_none = [](std::int32_t branch) { return branch < 0; };
  return dataset.columns[static_cast<std::size_t>(node.column)].n_missing > 0 ||
         std::ranges::any_of(node.value_branch, has_none);
}

// Several threads may use one propagation for different subtrees.
class RowPropagation {
 public:
  static constexpr std::uint32_t in_flight = 16;  // rows whose look-ups wait for memory at the same time

  RowPropagation(const graph::Draft& draft, const data::Dataset& dataset, parallel::ThreadPool& pool)
      : draft_(draft), dataset_(dataset), codes_(dataset, split_columns(), pool) {
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
    step.codes = codes_of(node);
    step.cut = node.cut;
    std::ranges::copy(node.children, step.branch);
  }

  bool is_leaf(std::uint32_t at) const { return steps_[at].leaf; }

  // Returns the child that a row takes at a node that is not a leaf. The value of the row must not be missing, unless
  // the node has a missing branch.
  std::uint32_t next_node(std::uint32_t at, std::uint32_t row) const {
    const Step& step = steps_[at];
    if (!step.by_threshold()) return end_of_branch(draft_.nodes[at], row);
    return step.branch[step.codes[row] > step.cut];
  }

  // Prefetches the code that next_node() will read for a row, if the node is a threshold split.
  void prefetch(std::uint32_t at, std::uint32_t row) const {
    const Step& step = steps_[at];
    if (step.by_threshold()) parallel::prefetch(step.codes.address(row));
  }

  // Partitions rows by the branches they take at a split. The rows whose value has no branch come last. `starts`
  // becomes the start of each group of rows, and the end.
  void partition(const graph::Draft::Node& node, std::span<PropagatedRow> rows, PropagatedRows& scratch,
                 std::vector<std::uint32_t>& starts) const {
    scratch.resize(std::max(scratch.size(), rows.size()));
    const bool some_missing = may_be_missing(node);
    const std::uint32_t n_buckets = static_cast<std::uint32_t>(node.children.size()) + some_missing;
    const auto partition_by = [&](const auto& branch_of) {
      data::partition(rows, n_buckets, n_buckets, branch_of, scratch.data(), starts);
    };
    if (node.split == graph::SplitKind::oblique) {
      partition_by([&](const PropagatedRow& row) { return is_above(node, row.row); });
      return;
    }
    const data::CodeView codes = codes_.of_rows(static_cast<std::size_t>(node.column), rows.size());
    if (node.split == graph::SplitKind::threshold && !some_missing && !goes_below_cut_if_missing(node))
      partition_by(ByThreshold{codes, node.cut});
    else
      partition_by([&, n_codes = column_of(node).n_codes](const PropagatedRow& row) {
        return node.branch_of(codes[row.row], n_codes);
      });
  }

  bool may_be_missing(const graph::Draft::Node& node) const { return meets_values_without_branch(node, dataset_); }

 private:
  // What most steps need, close together in memory: a threshold, or that the node is a leaf.
  struct Step {
    // Of a threshold split that sends all codes above the cut to its second branch; empty for all others, which are
    // looked up in the draft. The code of a missing value is above every cut.
    data::CodeView codes;
    std::uint32_t cut = 0;
    std::uint32_t branch[2] = {};
    bool leaf = false;

    bool by_threshold() const { return codes.first != nullptr; }
  };

  struct ByThreshold {
    data::CodeView codes;
    std::uint32_t cut;

    bool operator()(const PropagatedRow& row) const { return codes[row.row] > cut; }
    void prefetch(const PropagatedRow& row) const { parallel::prefetch(codes.address(row.row)); }
  };

  std::vector<bool> split_columns() const {
    std::vector<bool> used(dataset_.columns.size());
    for (const graph::Draft::Node& node : draft_.nodes)
      if (node.column >= 0) used[static_cast<std::size_t>(node.column)] = true;
    return used;
  }

  // Whether a threshold split sends missing values, whose code is above the cut, to the first branch.
  bool goes_below_cut_if_missing(const graph::Draft::Node& node) const {
    return node.missing_branch == 0 && column_of(node).n_missing > 0;
  }

  const data::Column& column_of(const graph::Draft::Node& node) const {
    return dataset_.columns[static_cast<std::size_t>(node.column)];
  }

  const data::CodeView& codes_of(const graph::Draft::Node& node) const {
    return codes_.of_row(static_cast<std::size_t>(node.column));
  }

  bool is_above(const graph::Draft::Node& node, std::uint32_t row) const {
    return graph::is_above(node.terms, node.threshold, dataset_, row);
  }

  std::uint32_t end_of_branch(const graph::Draft::Node& node, std::uint32_t row) const {
    if (node.split == graph::SplitKind::oblique) return node.children[is_above(node, row)];
    return node.children[node.branch_of(codes_of(node)[row], column_of(node).n_codes)];
  }

  const graph::Draft& draft_;
  const data::Dataset& dataset_;
  const data::RowCodes codes_;
  std::vector<Step> steps_;  // per node of the draft
};

}  // namespace weaklearn::tree
