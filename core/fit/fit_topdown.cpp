#include "fit/fit_topdown.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "fit/check_arguments.hpp"
#include "graph/flatten_draft.hpp"
#include "graph/shrink_shares.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::fit {

graph::Graph fit_topdown(const data::Dataset& dataset, std::span<const double> weights,
                         const tree::TopDownOptions& options, const PruningOptions& pruning, double shrinkage,
                         std::span<std::int32_t> leaf_of) {
  if (options.counted == nullptr) check_weights_if_given(dataset, weights);
  check_min_objects(options.min_objects);
  check_max_features(options.max_features);
  check_class_factors(dataset, options.classes);
  check(pruning);
  check_shrinkage(shrinkage);
  if (!options.rounded_weights.empty() && (options.rounded_weights.size() != dataset.n_rows || pruning.prune))
    throw std::invalid_argument("one rounded weight per row is needed, and a tree that is pruned keeps its weights");
  if (!leaf_of.empty() && leaf_of.size() != dataset.n_rows) throw std::invalid_argument("one leaf per row is needed");
  graph::Draft draft = tree::grow_topdown(dataset, weights, options, leaf_of);
  if (pruning.prune && options.counted != nullptr)
    tree::prune_counted(draft, dataset, *options.counted, pruning.confidence, options.classes);
  else if (pruning.prune)
    tree::prune_pessimistic(draft, dataset, weights, pruning.confidence, options.n_threads, options.classes);
  if (pruning.prune) std::ranges::fill(leaf_of, -1);
  std::vector<std::int32_t> new_index;
  graph::Graph graph = graph::flatten(draft, graph::column_types_of(dataset), 0, &new_index);
  for (std::int32_t& leaf : leaf_of)
    if (leaf >= 0) leaf = new_index[static_cast<std::size_t>(leaf)];
  if (shrinkage > 0.0) graph::shrink(graph, shrinkage, options.classes.costs.empty());
  return graph;
}

}  // namespace weaklearn::fit
