// Cost-complexity pruning (Breiman and others 1984) as OC1 does it: of the trees that cutting the weakest links one
// after the other leaves, the one of fewest errors among rows held out.
#pragma once

#include <span>

#include "graph/draft.hpp"

namespace weaklearn::tree {

// `held_out_errors`: per node of the draft, the errors that it would make as a leaf among the rows held out. Nodes
// come before their branches. Of equally good trees the smallest; the root is never cut.
void prune_cost_complexity(graph::Draft& draft, std::span<const double> held_out_errors);

}  // namespace weaklearn::tree
