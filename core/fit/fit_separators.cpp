#include "fit/fit_separators.hpp"

#include <stdexcept>

#include "fit/check_arguments.hpp"
#include "graph/flatten_draft.hpp"
#include "separators/boosted_separator.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::fit {

FittedSeparator fit_separator(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t positive,
                              std::uint32_t n_rounds, std::uint32_t n_threads) {
  check_weights(dataset, weights);
  if (positive >= dataset.n_classes) throw std::invalid_argument("the positive class does not exist");
  FittedSeparator fitted;
  const graph::Draft draft =
      separators::separator_graph(dataset, weights, positive, n_rounds, n_threads, fitted.rounds);
  fitted.graph = graph::flatten(draft, graph::column_types_of(dataset));
  return fitted;
}

graph::Graph fit_boost_odt(const data::Dataset& dataset, std::span<const double> weights,
                           const separators::BoostOdtOptions& options, const PruningOptions& pruning,
                           const criteria::ClassFactors& classes) {
  check_weights(dataset, weights);
  check(pruning);
  check_class_factors(dataset, classes);
  graph::Draft draft = separators::grow_boost_odt(dataset, weights, options);
  tree::relabel_leaves(draft, classes);
  if (pruning.prune) tree::prune_pessimistic(draft, dataset, weights, pruning.confidence, options.n_threads, classes);
  return graph::flatten(draft, graph::column_types_of(dataset));
}

}  // namespace weaklearn::fit
