#include "fit/fit_stump.hpp"

#include "fit/check_arguments.hpp"
#include "graph/flatten_draft.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/grow_stump.hpp"

namespace weaklearn::fit {

graph::Graph fit_stump(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t n_threads,
                       const criteria::ClassFactors& classes) {
  check_weights(dataset, weights);
  check_class_factors(dataset, classes);
  graph::Draft draft = tree::grow_stump(dataset, weights, n_threads);
  tree::relabel_leaves(draft, classes);
  return graph::flatten(draft, graph::column_types_of(dataset));
}

}  // namespace weaklearn::fit
