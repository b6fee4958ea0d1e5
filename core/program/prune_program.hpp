// Pruning a branching program: a test becomes a leaf where that does not raise the pessimistic estimate of
// the whole program's errors, and tests that answer alike become one.
#pragma once

#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::program {

// Rows that a leaf in the place of a test keeps are gone from the nodes below that others share: weights
// and labels there are counted anew. Tests are looked at from the last to the first, again and again until
// nothing changes. Errors become estimates. Nodes must come before their branches, here and after.
void prune_program(graph::Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
                   double confidence);

}  // namespace weaklearn::program
