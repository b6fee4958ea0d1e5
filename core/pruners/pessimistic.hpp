// C4.5's pruning: bottom-up, a node becomes a leaf, or gives way to its largest branch, when the
// pessimistic estimate of its errors does not rise by more than 0.1.
#pragma once

#include <span>

#include "data/dataset.hpp"
#include "graph/builder.hpp"

namespace weaklearn::pruners {

// Weights, labels and errors of the nodes are written anew: errors become estimates.
void prune_pessimistic(graph::Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
                       double confidence);

// After pruning a tree with tests on subsets: the last branch of such a test goes when none of its values
// can still occur there.
void drop_impossible_branches(graph::Draft& draft, const data::Dataset& dataset);

}  // namespace weaklearn::pruners
