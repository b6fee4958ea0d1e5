// Adds the leaves of a tree of separators, and splits a leaf by a separator. Every row takes one branch, so the weights
// of rows never change.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "data/dataset.hpp"
#include "graph/draft.hpp"
#include "separators/boosted_separator.hpp"

namespace weaklearn::separators {

// Adds a leaf that holds these rows, and returns its index. A side of a separator may have no rows: such a leaf gets
// the label `fallback`.
inline std::uint32_t add_leaf(graph::Draft& draft, const data::Dataset& dataset, std::span<const std::uint32_t> rows,
                              std::span<const double> weights, std::int32_t fallback = 0) {
  const std::uint32_t index = draft.add();
  const auto of_class = draft.weights_of(index);
  for (std::size_t i = 0; i < rows.size(); ++i)
    of_class[static_cast<std::size_t>(dataset.classes[rows[i]])] += weights[i];
  draft.describe_as_leaf(index);
  if (rows.empty()) draft.nodes[index].label = fallback;
  return index;
}

// Turns a leaf into an oblique split with a leaf on each side.
inline void split_leaf(graph::Draft& draft, std::uint32_t index, Separator separator, const data::Dataset& dataset,
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
  node.terms = std::move(separator.terms);
  node.threshold = separator.threshold;
  node.children = graph::Children(branches);
}

}  // namespace weaklearn::separators
