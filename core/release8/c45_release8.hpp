// C4.5 Release 8 as the original program computes it: float32 at its rounding points, items in its
// order in memory, defects included. For node-for-node agreement, not for speed. Where the original
// is undefined or does not end, this departs from it: see merge_pure_blocks() in
// subset_splits.cpp and the last lines of Evaluator::continuous().
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::release8 {

struct Release8Options {
  bool use_gain_ratio = true;  // false is the original's option -g
  double min_objects = 2.0;
  bool subset = false;
  bool threshold_penalty = true;
  std::uint32_t max_depth = UINT32_MAX;
  bool prune = true;
  double confidence = 0.25;  // a share, not a percentage
};

struct Release8Trees {
  graph::Draft unpruned;
  graph::Draft pruned;  // a copy of `unpruned` when options.prune is false
};

// `weights` holds one weight per row; rows of weight 0 are absent. Throws std::invalid_argument on
// options or weights that the original does not have, std::runtime_error on a tree that
// is too deep.
Release8Trees grow_release8(const data::Dataset& dataset, std::span<const double> weights,
                            const Release8Options& options);

}  // namespace weaklearn::release8
