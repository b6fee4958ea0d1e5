#include "fit/fit_stump.hpp"

#include "fit/check_arguments.hpp"
#include "graph/flatten_draft.hpp"
#include "tree/grow_stump.hpp"

namespace weaklearn::fit {

graph::Graph fit_stump(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t n_threads) {
  check_weights(dataset, weights);
  return graph::flatten(tree::grow_stump(dataset, weights, n_threads), graph::column_types_of(dataset));
}

}  // namespace weaklearn::fit
