// After pruning a tree with tests on subsets: the last branch of such a test goes when none of its values
// can still occur there.
#pragma once

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::tree {

void drop_impossible_branches(graph::Draft& draft, const data::Dataset& dataset);

}  // namespace weaklearn::tree
