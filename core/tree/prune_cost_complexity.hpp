// Cost-complexity pruning (Breiman and others 1984) as OC1 does it. Cutting the weakest links one after the other makes
// a sequence of trees; the result is the tree with the fewest errors on rows held out.
#pragma once

#include <span>

#include "graph/draft.hpp"

namespace weaklearn::tree {

// `held_out_errors` has, per node of the draft, the errors that it would make as a leaf on the rows held out. Nodes
// must come before their children. Ties go to the smallest tree. The root is never cut.
void prune_cost_complexity(graph::Draft& draft, std::span<const double> held_out_errors);

}  // namespace weaklearn::tree
