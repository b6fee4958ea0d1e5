// What every valid graph must be able to do, whatever its numbers are.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "bytes.hpp"
#include "explain/shap.hpp"
#include "graph/compact_graphs.hpp"
#include "graph/forest.hpp"
#include "graph/graph.hpp"

namespace weaklearn::fuzz {

// A false condition is a finding: the fuzzer keeps the input.
inline void require(bool condition, const char* what) {
  if (condition) return;
  std::cerr << "not true: " << what << std::endl;
  std::abort();
}

// Columns are at most 255, with at most 65,535 values.
inline std::vector<graph::ColumnType> read_columns(BytesIn& in) {
  std::vector<graph::ColumnType> columns(in.number<std::uint8_t>());
  for (graph::ColumnType& column : columns) {
    column.n_values = in.number<std::uint16_t>();
    column.single_precision = in.flag();
  }
  return columns;
}

inline void write_columns(BytesOut& out, const std::vector<graph::ColumnType>& columns) {
  out.number(static_cast<std::uint8_t>(columns.size()));
  for (const graph::ColumnType& column : columns) {
    out.number(static_cast<std::uint16_t>(column.n_values));
    out.number(static_cast<std::uint8_t>(column.single_precision));
  }
}

// Predicts rows with ordinary, extreme and missing values in every way that a forest has.
inline void use_graph(const graph::Graph& graph) {
  constexpr std::uint32_t n_rows = 9;
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double numbers[] = {0.0, nan, 1.0, -1e300, 0.5, infinity, -2.5, -infinity, 5e-324, nan, 3.0, -0.0};
  std::vector<std::vector<double>> values;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<graph::InputColumn> inputs;
  for (std::size_t c = 0; c < graph.columns.size(); ++c) {
    values.emplace_back();
    codes.emplace_back();
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      values.back().push_back(numbers[(row * (c + 1) + c) % std::size(numbers)]);
      codes.back().push_back(static_cast<std::int32_t>((row + c) % (graph.columns[c].n_values + 3)) - 1);
    }
  }
  for (std::size_t c = 0; c < graph.columns.size(); ++c)
    inputs.push_back(graph.columns[c].n_values > 0 ? graph::InputColumn{{}, codes[c].data()}
                                                   : graph::InputColumn{{values[c].data(), 1}, nullptr});
  const graph::InputRows rows{inputs, n_rows};
  const graph::Graph* const only = &graph;
  const graph::Forest forest({&only, 1});

  std::vector<std::int32_t> classes(n_rows);
  std::vector<double> confidences(n_rows);
  forest.predict_members(rows, classes.data(), confidences.data());
  for (const std::int32_t k : classes)
    require(k >= 0 && static_cast<std::uint32_t>(k) < graph.n_classes, "a prediction is a class");
  std::vector<double> shares(std::size_t{n_rows} * graph.n_classes);
  forest.class_shares(rows, shares.data());
  std::vector<std::int32_t> leaves(n_rows);
  forest.apply(rows, leaves.data());
  for (const std::int32_t leaf : leaves)
    require(leaf == -1 || graph.is_leaf(static_cast<std::uint32_t>(leaf)), "rows reach leaves");
  const graph::Paths paths = forest.decision_path(rows);
  require(static_cast<std::size_t>(paths.row_start.back()) == paths.nodes.size(), "paths have all their nodes");
  std::vector<double> taken(forest.n_branches() * graph.n_classes);
  forest.branch_class_weights(rows, classes, std::vector<double>(n_rows, 1.0), taken.data());
  require(graph.depth() < graph.nodes.size(), "a path visits a node once");

  const std::vector<const graph::Graph*> many(33, &graph);  // predicted bit by bit
  const graph::Forest copies(many);
  std::vector<std::int32_t> by_copies(n_rows * many.size());
  copies.predict_members(rows, by_copies.data(), nullptr);
  for (std::size_t i = 0; i < by_copies.size(); ++i)
    require(by_copies[i] == classes[i % n_rows], "a member predicts the same among others");

  if (graph.nodes.size() <= 64 && graph.columns.size() <= 8) {
    try {
      const double vote = 1.0;
      std::vector<double> contributions(shares.size() * graph.columns.size());
      std::vector<double> base(shares.size());
      explain::Explainer({&only, 1}, {&vote, 1}).explain(rows, contributions.data(), base.data());
    } catch (const std::invalid_argument&) {  // too many paths
    }
  }
}

}  // namespace weaklearn::fuzz
