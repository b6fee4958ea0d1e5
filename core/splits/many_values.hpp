// The split of a nominal column that has too many values for the search in subset.hpp: into two groups of its frequent
// values (frequent_values.hpp), by the search in two_groups.hpp.
#pragma once

#include "splits/frequent_values.hpp"
#include "splits/two_groups.hpp"

namespace weaklearn::splits {

template <class Weights>
Split best_of_many_values(const Weights& weights, const NodeView& node, const data::Column& column, bool like_key,
                          Scratch& scratch) {
  const FrequentValues<Weights> values(weights, node, column, like_key, scratch);
  TwoGroupsSearch<Weights> search(weights.criterion, node, values.lines(), values.n_lines(), scratch.two_groups);
  Split split = search.best();
  if (split.kind != graph::SplitKind::leaf) values.expand(split);
  return split;
}

}  // namespace weaklearn::splits
