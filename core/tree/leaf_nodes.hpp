// Leaves, and how one of an oblique tree becomes a test: there no row is ever divided, so weights stay as they came.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::tree {

// The rows that weigh something, and what they weigh.
struct Sample {
  Sample(const data::Dataset& dataset, std::span<const double> given) {
    for (std::uint32_t row = 0; row < dataset.n_rows; ++row) {
      if (!(given[row] > 0.0)) continue;
      rows.push_back(row);
      weights.push_back(given[row]);
    }
  }

  std::vector<std::uint32_t> rows;  // ascending
  std::vector<double> weights;      // of each of them
};

// Fills in a node's weight, label and errors, as those of a leaf, from its class weights.
inline void describe_as_leaf(graph::Draft& draft, std::uint32_t number) {
  graph::Draft::Node& node = draft.nodes[number];
  const auto weights = draft.weights_of(number);
  node.weight = 0.0;
  for (const double weight : weights) node.weight += weight;
  const std::size_t label = criteria::largest(weights);
  node.label = static_cast<std::int32_t>(label);
  node.errors = criteria::weight_of_others(weights, label);
}

// Adds a leaf that holds these rows and gives its number. One without rows, as a side of a separator may be,
// answers as `fallback`.
inline std::uint32_t add_leaf(graph::Draft& draft, const data::Dataset& dataset, std::span<const std::uint32_t> rows,
                              std::span<const double> weights, std::int32_t fallback = 0) {
  const std::uint32_t number = draft.add();
  const auto of_class = draft.weights_of(number);
  for (std::size_t i = 0; i < rows.size(); ++i)
    of_class[static_cast<std::size_t>(dataset.classes[rows[i]])] += weights[i];
  describe_as_leaf(draft, number);
  if (rows.empty()) draft.nodes[number].label = fallback;
  return number;
}

// Turns a leaf into an oblique test with a leaf on each side.
template <class Condition>
void divide_leaf(graph::Draft& draft, std::uint32_t number, Condition condition, const data::Dataset& dataset,
                 std::span<const std::uint32_t> rows, std::span<const double> weights,
                 const std::vector<bool>& second_side) {
  std::vector<std::uint32_t> rows_of[2];
  std::vector<double> weights_of[2];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows_of[second_side[i]].push_back(rows[i]);
    weights_of[second_side[i]].push_back(weights[i]);
  }
  const std::int32_t label = draft.nodes[number].label;
  std::vector<std::uint32_t> branches;
  for (std::size_t side = 0; side < 2; ++side)
    branches.push_back(add_leaf(draft, dataset, rows_of[side], weights_of[side], label));
  graph::Draft::Node& node = draft.nodes[number];
  node.test = graph::Test::oblique;
  node.terms = std::move(condition.terms);
  node.threshold = condition.threshold;
  node.branches = std::move(branches);
}

}  // namespace weaklearn::tree
