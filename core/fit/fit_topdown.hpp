// TopDown: a tree that grows best split first.
#pragma once

#include <span>

#include "data/dataset.hpp"
#include "fit/pruning_options.hpp"
#include "graph/graph.hpp"
#include "tree/grow_topdown.hpp"

namespace weaklearn::fit {

graph::Graph fit_topdown(const data::Dataset& dataset, std::span<const double> weights,
                         const tree::TopDownOptions& options, const PruningOptions& pruning, double shrinkage = 0.0);

}  // namespace weaklearn::fit
