// The way of rows down a tree that is being pruned.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "data/dataset.hpp"
#include "graph/builder.hpp"
#include "graph/terms.hpp"

namespace weaklearn::pruners {

struct Item {
  std::uint32_t row;
  std::uint32_t branch;  // that it takes at the test in hand
  double weight;
};
using Items = std::vector<Item>;

// Threads may use one descent for different subtrees.
class Descent {
 public:
  static constexpr std::uint32_t in_flight = 16;  // look-ups that wait for memory at the same time

  Descent(const graph::Draft& draft, const data::Dataset& dataset) : draft_(draft), dataset_(dataset) {
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
    step.cut = node.cut;
    std::ranges::copy(node.branches, step.branch);
    std::visit(
        [&](const auto& codes) {
          step.codes = codes.data();
          step.width = sizeof codes[0];
        },
        column_of(node).codes);
  }

  bool is_leaf(std::uint32_t at) const { return steps_[at].leaf; }

  // Takes a row without unknown values one step down from a node that is no leaf.
  std::uint32_t next_node(std::uint32_t at, std::uint32_t row) const {
    const Step& step = steps_[at];
    if (step.codes == nullptr) return end_of_branch(draft_.nodes[at], row);
    return step.branch[step.is_above(row)];
  }

  // Asks for the code that the next step of a row will look at, if that is by a threshold.
  void prefetch(std::uint32_t at, std::uint32_t row) const {
    const Step& step = steps_[at];
    if (step.codes == nullptr) return;
    __builtin_prefetch(static_cast<const std::uint8_t*>(step.codes) + std::size_t{row} * step.width);
  }

  // Notes the branch of each item at a test; as many as there are where its value has none.
  void note_branches(const graph::Draft::Node& node, std::span<Item> items) const {
    if (node.test == graph::Test::oblique) {
      for (Item& item : items) item.branch = is_above(node, item.row);
      return;
    }
    const data::Column& column = column_of(node);
    std::visit(
        [&](const auto& codes) {
          for (std::size_t i = 0; i < items.size(); ++i) {
            if (i + in_flight < items.size()) __builtin_prefetch(&codes[items[i + in_flight].row]);
            items[i].branch = node.branch_of(codes[items[i].row], column.n_codes);
          }
        },
        column.codes);
  }

  // Whether a test may meet values without a branch: unknown ones, or such as a grouping did not see. To an oblique one
  // the unknown is a number like others.
  bool may_be_unknown(const graph::Draft::Node& node) const {
    if (node.test == graph::Test::oblique) return false;
    return column_of(node).n_unknown > 0 || std::ranges::any_of(node.value_branch, [](std::int32_t b) { return b < 0; });
  }

 private:
  // What most steps need, close together: a threshold, or that the node is a leaf.
  struct Step {
    const void* codes = nullptr;  // of a threshold; otherwise the draft has to be asked
    std::uint32_t cut = 0;
    std::uint32_t branch[2] = {};
    std::uint8_t width = 0;  // of a code, in bytes
    bool leaf = false;

    bool is_above(std::uint32_t row) const {
      if (width == 1) return static_cast<const std::uint8_t*>(codes)[row] > cut;
      if (width == 2) return static_cast<const std::uint16_t*>(codes)[row] > cut;
      return static_cast<const std::uint32_t*>(codes)[row] > cut;
    }
  };

  const data::Column& column_of(const graph::Draft::Node& node) const {
    return dataset_.columns[static_cast<std::size_t>(node.attribute)];
  }

  bool is_above(const graph::Draft::Node& node, std::uint32_t row) const {
    return graph::is_above(node.terms, node.threshold, dataset_, row);
  }

  std::uint32_t end_of_branch(const graph::Draft::Node& node, std::uint32_t row) const {
    if (node.test == graph::Test::oblique) return node.branches[is_above(node, row)];
    const data::Column& column = column_of(node);
    return node.branches[node.branch_of(code_of(column, row), column.n_codes)];
  }

  const graph::Draft& draft_;
  const data::Dataset& dataset_;
  std::vector<Step> steps_;  // per node of the draft
};

}  // namespace weaklearn::pruners
