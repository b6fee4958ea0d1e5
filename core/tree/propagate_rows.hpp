// The way of rows down a tree that is being pruned.
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

namespace weaklearn::tree {

struct Item {
  std::uint32_t row;
  std::uint32_t class_number;
  double weight;
};
using Items = std::vector<Item>;

// Threads may use one descent for different subtrees.
class Descent {
 public:
  static constexpr std::uint32_t in_flight = 16;  // look-ups that wait for memory at the same time

  Descent(const graph::Draft& draft, const data::Dataset& dataset, parallel::Pool& pool)
      : draft_(draft), dataset_(dataset), codes_(dataset, tested_columns(), pool) {
    steps_.resize(draft.nodes.size());
    for (std::uint32_t i = 0; i < steps_.size(); ++i) note_change(i);
  }

  // To be told of every node that has become another one.
  void note_change(std::uint32_t at) {
    const graph::Draft::Node& node = draft_.nodes[at];
    Step& step = steps_[at];
    step = Step{};
    step.leaf = node.branches.empty();
    if (node.test != graph::Test::threshold) return;
    step.codes = codes_of(node);
    step.cut = node.cut;
    std::ranges::copy(node.branches, step.branch);
  }

  bool is_leaf(std::uint32_t at) const { return steps_[at].leaf; }

  // Takes a row without unknown values one step down from a node that is no leaf.
  std::uint32_t next_node(std::uint32_t at, std::uint32_t row) const {
    const Step& step = steps_[at];
    if (!step.by_threshold()) return end_of_branch(draft_.nodes[at], row);
    return step.branch[step.codes[row] > step.cut];
  }

  // Asks for the code that the next step of a row will look at, if that is by a threshold.
  void prefetch(std::uint32_t at, std::uint32_t row) const {
    const Step& step = steps_[at];
    if (step.by_threshold()) __builtin_prefetch(step.codes.place(row));
  }

  // Divides items by the branches they take at a test, and behind these those whose value has none; tells where each
  // of the parts begins, and the end.
  void divide(const graph::Draft::Node& node, std::span<Item> items, Items& scratch,
              std::vector<std::uint32_t>& starts) const {
    scratch.resize(std::max(scratch.size(), items.size()));
    const bool some_unknown = may_be_unknown(node);
    const std::uint32_t n_buckets = static_cast<std::uint32_t>(node.branches.size()) + some_unknown;
    const auto divide_by = [&](const auto& branch_of) {
      data::divide(items, n_buckets, n_buckets, branch_of, scratch.data(), starts);
    };
    if (node.test == graph::Test::oblique) {
      divide_by([&](const Item& item) { return is_above(node, item.row); });
      return;
    }
    const data::CodeView codes = codes_.of_rows(static_cast<std::size_t>(node.attribute), items.size());
    if (node.test == graph::Test::threshold && !some_unknown)
      divide_by(ByThreshold{codes, node.cut});
    else
      divide_by([&, n_codes = column_of(node).n_codes](const Item& item) {
        return node.branch_of(codes[item.row], n_codes);
      });
  }

  // Whether a test may meet values without a branch: unknown ones, or such as a grouping did not see. To an oblique one
  // the unknown is a number like others.
  bool may_be_unknown(const graph::Draft::Node& node) const {
    if (node.test == graph::Test::oblique) return false;
    const auto has_none = [](std::int32_t branch) { return branch < 0; };
    return column_of(node).n_unknown > 0 || std::ranges::any_of(node.value_branch, has_none);
  }

 private:
  // What most steps need, close together: a threshold, or that the node is a leaf.
  struct Step {
    data::CodeView codes;  // of a threshold; otherwise the draft has to be asked
    std::uint32_t cut = 0;
    std::uint32_t branch[2] = {};
    bool leaf = false;

    bool by_threshold() const { return codes.first != nullptr; }
  };

  struct ByThreshold {
    data::CodeView codes;
    std::uint32_t cut;

    bool operator()(const Item& item) const { return codes[item.row] > cut; }
    void prefetch(const Item& item) const { __builtin_prefetch(codes.place(item.row)); }
  };

  std::vector<bool> tested_columns() const {
    std::vector<bool> tested(dataset_.columns.size());
    for (const graph::Draft::Node& node : draft_.nodes)
      if (node.attribute >= 0) tested[static_cast<std::size_t>(node.attribute)] = true;
    return tested;
  }

  const data::Column& column_of(const graph::Draft::Node& node) const {
    return dataset_.columns[static_cast<std::size_t>(node.attribute)];
  }

  const data::CodeView& codes_of(const graph::Draft::Node& node) const {
    return codes_.of_row(static_cast<std::size_t>(node.attribute));
  }

  bool is_above(const graph::Draft::Node& node, std::uint32_t row) const {
    return graph::is_above(node.terms, node.threshold, dataset_, row);
  }

  std::uint32_t end_of_branch(const graph::Draft::Node& node, std::uint32_t row) const {
    if (node.test == graph::Test::oblique) return node.branches[is_above(node, row)];
    return node.branches[node.branch_of(codes_of(node)[row], column_of(node).n_codes)];
  }

  const graph::Draft& draft_;
  const data::Dataset& dataset_;
  const data::CodeViews codes_;
  std::vector<Step> steps_;  // per node of the draft
};

}  // namespace weaklearn::tree
