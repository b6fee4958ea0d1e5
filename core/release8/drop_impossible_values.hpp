// Cleans up subset splits after pruning. Values that cannot reach a node any more are removed from the last branch of
// its split. A last branch without values is removed.
#pragma once

#include "graph/draft.hpp"
#include "release8/training_set.hpp"

namespace weaklearn::release8 {

void drop_impossible_values(const TrainingSet& set, graph::Draft& draft);

}  // namespace weaklearn::release8
