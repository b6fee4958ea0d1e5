// C4.5's pruning: bottom-up, a node becomes a leaf, or gives way to its largest branch, when the
// pessimistic estimate of its errors does not rise by more than 0.1.
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::tree {

// The draft must describe these rows, as its grower left it. Errors become estimates; where a branch is
// raised, weights and labels are counted anew. The number of threads changes nothing.
void prune_pessimistic(graph::Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
                       double confidence, std::uint32_t n_threads = 1);

}  // namespace weaklearn::tree
