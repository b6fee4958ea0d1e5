#include "fit/fit_oblique.hpp"

#include <stdexcept>

#include "fit/check_arguments.hpp"
#include "graph/flatten_draft.hpp"
#include "tree/collapse_subtrees.hpp"

namespace weaklearn::fit {
namespace {

void check(const oblique::ObliqueTreeOptions& options) {
  if (!(options.validation_share >= 0.0 && options.validation_share < 1.0))
    throw std::invalid_argument("validation_share must be in [0, 1)");
}

}  // namespace

graph::Graph fit_oc1(const data::Dataset& dataset, std::span<const double> weights,
                     const oblique::Oc1Options& options) {
  check_weights(dataset, weights);
  check(options.tree);
  check_class_factors(dataset, options.tree.classes);
  graph::Draft draft = oblique::grow_oc1(dataset, weights, options);
  tree::relabel_leaves(draft, options.tree.classes);
  return graph::flatten(draft, graph::column_types_of(dataset));
}

graph::Graph fit_sadt(const data::Dataset& dataset, std::span<const double> weights,
                      const oblique::SadtOptions& options) {
  check_weights(dataset, weights);
  check(options.tree);
  if (!(options.cooling.temperature >= 0.0)) throw std::invalid_argument("temperature must be >= 0");
  if (!(options.cooling.factor >= 0.0 && options.cooling.factor <= 1.0))
    throw std::invalid_argument("cooling must be in [0, 1]");
  check_class_factors(dataset, options.tree.classes);
  graph::Draft draft = oblique::grow_sadt(dataset, weights, options);
  tree::relabel_leaves(draft, options.tree.classes);
  return graph::flatten(draft, graph::column_types_of(dataset));
}

}  // namespace weaklearn::fit
