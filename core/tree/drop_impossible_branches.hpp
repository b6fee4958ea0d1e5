// Cleans up a pruned tree with subset splits: the last branch of such a split is dropped if none of its values can
// occur at the node.
#pragma once

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::tree {

void drop_impossible_branches(graph::Draft& draft, const data::Dataset& dataset);

}  // namespace weaklearn::tree
