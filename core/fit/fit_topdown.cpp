#include "fit/fit_topdown.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "fit/check_arguments.hpp"
#include "graph/flatten_draft.hpp"
#include "graph/shrink_shares.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::fit {

graph::Graph fit_topdown(const data::Dataset& dataset, data::WeightView weights, const tree::TopDownOptions& options,
                         const PruningOptions& pruning, double shrinkage, tree::LeafOfRow leaf_of) {
  if (options.counted == nullptr) check_weights_if_given(dataset, weights);
  check_min_objects(options.min_objects);
  check_max_features(options.max_features);
  check_class_factors(dataset, options.classes);
  check(pruning);
  check_shrinkage(shrinkage);
  if (!leaf_of.empty() && leaf_of.size() != dataset.n_rows) throw std::invalid_argument("one leaf per row is needed");
  if (leaf_of.is_narrow() && !tree::leaves_fit_in_bytes(dataset, options.n_rounds, options.two_groups))
    throw std::invalid_argument("the tree may have more nodes than a byte can tell apart");
  graph::Draft draft = tree::grow_topdown(dataset, weights, options, leaf_of);
  if (pruning.prune && options.counted != nullptr)
    tree::prune_counted(draft, dataset, *options.counted, pruning.confidence, options.classes);
  else if (pruning.prune)
    tree::prune_pessimistic(draft, dataset, weights, pruning.confidence, options.n_threads, options.classes);
  if (pruning.prune) leaf_of.fill(-1);
  std::vector<std::int32_t> new_index;
  graph::Graph graph = graph::flatten(draft, graph::column_types_of(dataset), 0, &new_index);
  for (std::size_t row = 0; row < leaf_of.size(); ++row)
    if (const std::int32_t leaf = leaf_of[row]; leaf >= 0) leaf_of.set(row, new_index[static_cast<std::size_t>(leaf)]);
  if (shrinkage > 0.0) graph::shrink(graph, shrinkage, options.classes.costs.empty());
  return graph;
}

}  // namespace weaklearn::fit
