// Pruning a branching program. A split becomes a leaf if that does not raise the pessimistic errors of the whole
// program, and splits that predict the same for every row become one.
#pragma once

#include <span>

#include "criteria/class_factors.hpp"
#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::program {

// A leaf in the place of a split keeps its rows, which then no longer reach the nodes below. Other nodes share those,
// so their weights and labels are counted again. Splits are tried from the last to the first, and again until nothing
// changes. Errors become estimates. Nodes must come before their children, and still do afterwards.
void prune_program(graph::Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
                   double confidence, const criteria::ClassFactors& classes = {});

}  // namespace weaklearn::program
