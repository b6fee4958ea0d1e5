// release8/: C4.5 Release 8 as the original program computes it, so that trees agree node for node: float32 at its
// rounding points, rows in its order in memory, defects included. It is not made for speed.
//
// Terms:
//   the original   the C program that Quinlan published
//   outcome        a line of a table of weights: 0 for missing values, 1, 2, ... for the branches of a split
//   info           an entropy times its weight
//   score          the quantity by which splits compete: gain ratio or gain
//   range          the rows of a node, a range of the array of all rows (weighted_rows.hpp)
//
// This code differs from the original only where the original is undefined or does not end: see merge_pure_blocks() in
// subset_splits.cpp and the last lines of SplitEvaluator::continuous().
//
// Entry point: grow_release8 (this file). It grows (grow_tree.hpp) and prunes (prune_tree.hpp).
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::release8 {

struct Options {
  bool use_gain_ratio = true;  // false: option -g of the original
  double min_objects = 2.0;
  bool subset = false;
  bool threshold_penalty = true;
  std::uint32_t max_depth = UINT32_MAX;
  bool prune = true;
  double confidence = 0.25;  // a share, not a percentage
};

struct Trees {
  graph::Draft unpruned;
  graph::Draft pruned;  // a copy of `unpruned` when options.prune is false
};

// `weights` holds one weight per row. Rows of weight 0 are absent. Throws std::invalid_argument if options or weights
// are invalid, or if the tree is too deep.
Trees grow_release8(const data::Dataset& dataset, std::span<const double> weights, const Options& options);

}  // namespace weaklearn::release8
