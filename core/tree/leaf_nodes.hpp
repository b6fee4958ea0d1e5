// Making leaves, and turning a leaf of an oblique tree into a split. In an oblique tree every row takes one branch, so
// the weights of rows never change.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::tree {

// The rows of positive weight.
struct PresentRows {
  PresentRows(const data::Dataset& dataset, std::span<const double> all_weights) {
    for (std::uint32_t row = 0; row < dataset.n_rows; ++row) {
      if (!(all_weights[row] > 0.0)) continue;
      rows.push_back(row);
      weights.push_back(all_weights[row]);
    }
  }

  std::vector<std::uint32_t> rows;  // ascending
  std::vector<double> weights;      // of each of them
};

// Fills in the weight, label and errors that a node has as a leaf, from its class weights.
inline void describe_as_leaf(graph::Draft& draft, std::uint32_t index) {
  graph::Draft::Node& node = draft.nodes[index];
  const auto weights = draft.weights_of(index);
  node.weight = 0.0;
  for (const double weight : weights) node.weight += weight;
  const std::size_t label = criteria::largest(weights);
  node.label = static_cast<std::int32_t>(label);
  node.errors = criteria::weight_of_others(weights, label);
}

// Adds a leaf that holds these rows, and returns its index. A side of a separator may have no rows: such a leaf gets
// the label `fallback`.
inline std::uint32_t add_leaf(graph::Draft& draft, const data::Dataset& dataset, std::span<const std::uint32_t> rows,
                              std::span<const double> weights, std::int32_t fallback = 0) {
  const std::uint32_t index = draft.add();
  const auto of_class = draft.weights_of(index);
  for (std::size_t i = 0; i < rows.size(); ++i)
    of_class[static_cast<std::size_t>(dataset.classes[rows[i]])] += weights[i];
  describe_as_leaf(draft, index);
  if (rows.empty()) draft.nodes[index].label = fallback;
  return index;
}

// Turns a leaf into an oblique split with a leaf on each side.
template <class Condition>
void split_leaf(graph::Draft& draft, std::uint32_t index, Condition condition, const data::Dataset& dataset,
                std::span<const std::uint32_t> rows, std::span<const double> weights,
                const std::vector<bool>& second_side) {
  std::vector<std::uint32_t> rows_of[2];
  std::vector<double> weights_of[2];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows_of[second_side[i]].push_back(rows[i]);
    weights_of[second_side[i]].push_back(weights[i]);
  }
  const std::int32_t label = draft.nodes[index].label;
  std::vector<std::uint32_t> branches;
  for (std::size_t side = 0; side < 2; ++side)
    branches.push_back(add_leaf(draft, dataset, rows_of[side], weights_of[side], label));
  graph::Draft::Node& node = draft.nodes[index];
  node.split = graph::SplitKind::oblique;
  node.terms = std::move(condition.terms);
  node.threshold = condition.threshold;
  node.children = std::move(branches);
}

}  // namespace weaklearn::tree
