// C4.5's tree in double precision, in which what is equal in real arithmetic counts as equal.
#pragma once

#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"
#include "tree/c45_options.hpp"

namespace weaklearn::tree {

// Grown and collapsed, not pruned. `weights` holds one per row; rows of weight 0 are absent.
graph::Draft grow_c45(const data::Dataset& dataset, std::span<const double> weights, const C45Options& options);

}  // namespace weaklearn::tree
