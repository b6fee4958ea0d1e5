// TopDown: a tree that grows best split first.
#pragma once

#include <span>

#include "data/dataset.hpp"
#include "data/weight_view.hpp"
#include "fit/pruning_options.hpp"
#include "graph/graph.hpp"
#include "tree/grow_topdown.hpp"

namespace weaklearn::fit {

// `leaf_of`, if not empty, becomes the leaf of each row, or -1 for all rows if that is not known: see grow_topdown.hpp.
// It is not known after pruning either.
graph::Graph fit_topdown(const data::Dataset& dataset, data::WeightView weights, const tree::TopDownOptions& options,
                         const PruningOptions& pruning, double shrinkage = 0.0, tree::LeafOfRow leaf_of = {});

}  // namespace weaklearn::fit
