#include "fit/fit_c45.hpp"

#include <stdexcept>
#include <utility>

#include "fit/check_arguments.hpp"
#include "graph/flatten_draft.hpp"
#include "graph/shrink_shares.hpp"
#include "release8/c45_release8.hpp"
#include "splits/row_blocks.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/columns_like_keys.hpp"
#include "tree/drop_impossible_branches.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::fit {
namespace {

void check(const data::Dataset& dataset, data::WeightView weights, const C45FitOptions& options) {
  if (options.tree.counted == nullptr) check_weights_if_given(dataset, weights);
  if (options.tree.counted != nullptr && options.release8)
    throw std::invalid_argument("the arithmetic of Release 8 needs rows that are here");
  const tree::SplitSearchOptions& search = options.tree.search;
  check_min_objects(search.min_objects);
  check_max_features(search.max_features);
  if (options.release8 && search.max_features != UINT32_MAX)
    throw std::invalid_argument("the arithmetic of Release 8 has no random features");
  check_class_factors(dataset, options.tree.classes);
  if (options.release8 && options.tree.classes.given())
    throw std::invalid_argument("the arithmetic of Release 8 has no relative weights of classes");
  if (options.release8 && search.missing_takes_branch)
    throw std::invalid_argument("the arithmetic of Release 8 has no branch for missing values");
  check(options.pruning);
  if (options.limits.max_leaves < 1 || !(options.limits.min_impurity_decrease >= 0.0) ||
      !(options.limits.ccp_alpha >= 0.0))
    throw std::invalid_argument("max_leaves must be >= 1, min_impurity_decrease and ccp_alpha must be >= 0");
  if (options.release8 && options.limits.any())
    throw std::invalid_argument("the arithmetic of Release 8 has no limits on the size of a tree");
  check_shrinkage(options.shrinkage);
  if (options.release8 && options.shrinkage > 0.0)
    throw std::invalid_argument("the arithmetic of Release 8 has no shrinkage");
  if ((search.use_gain_ratio || options.release8) && options.tree.criterion.name != "entropy")
    throw std::invalid_argument("the gain ratio and the arithmetic of Release 8 need the criterion 'entropy', not '" +
                                options.tree.criterion.name + "'");
  if (options.release8 && search.random_splits)
    throw std::invalid_argument("the arithmetic of Release 8 has no random splits");
  if (!search.subset || !options.release8) return;
  for (const data::Column& column : dataset.columns)
    if (column.nominal && column.n_codes > tree::most_subset_values)
      throw std::invalid_argument("a column has too many values for the subset splits of Release 8");
}

graph::Draft grow_release8(const data::Dataset& dataset, data::WeightView weights, const C45FitOptions& options) {
  const tree::SplitSearchOptions& search = options.tree.search;
  std::vector<double> numbers;
  for (std::uint32_t row = 0; row < dataset.n_rows; ++row) numbers.push_back(weights.empty() ? 1.0 : weights[row]);
  release8::Trees trees = release8::grow_release8(dataset, numbers,
                                                  {.use_gain_ratio = search.use_gain_ratio,
                                                   .min_objects = search.min_objects,
                                                   .subset = search.subset,
                                                   .threshold_penalty = search.threshold_penalty,
                                                   .max_depth = options.tree.max_depth,
                                                   .prune = options.pruning.prune,
                                                   .confidence = options.pruning.confidence});
  return options.pruning.prune ? std::move(trees.pruned) : std::move(trees.unpruned);
}

graph::Draft grow_without_collapsing(const data::Dataset& dataset, data::WeightView weights,
                                     const C45FitOptions& options) {
  tree::C45Options in_full = options.tree;
  in_full.collapse = false;
  graph::Draft draft = tree::grow_c45(dataset, weights, in_full);
  tree::limit_size(draft, options.tree.criterion, options.limits);
  return draft;
}

graph::Draft grow_within_limits(const data::Dataset& dataset, data::WeightView weights, const C45FitOptions& options) {
  if (!options.limits.any()) return tree::grow_c45(dataset, weights, options.tree);
  graph::Draft draft = grow_without_collapsing(dataset, weights, options);
  // Collapsing starts from the errors that each node makes as a leaf. Empty leaves make none.
  for (std::uint32_t i = 0; i < draft.nodes.size(); ++i)
    if (draft.nodes[i].weight > 0.0) draft.describe_as_leaf(i);
  tree::relabel_by_costs(draft, options.tree.classes);
  options.tree.collapse ? tree::collapse(draft) : tree::add_up_errors(draft);
  return draft;
}

graph::Draft grow(const data::Dataset& dataset, data::WeightView weights, const C45FitOptions& options) {
  graph::Draft draft = grow_within_limits(dataset, weights, options);
  if (!options.pruning.prune) return draft;
  if (options.tree.counted != nullptr)
    tree::prune_counted(draft, dataset, *options.tree.counted, options.pruning.confidence, options.tree.classes);
  else
    tree::prune_pessimistic(draft, dataset, weights, options.pruning.confidence, options.tree.n_threads,
                            options.tree.classes);
  if (options.tree.search.subset && !options.tree.search.random_splits) tree::drop_impossible_branches(draft, dataset);
  return draft;
}

}  // namespace

std::vector<std::uint32_t> inseparable_columns(const data::Dataset& dataset) {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t c = 0; c < dataset.columns.size(); ++c) {
    const data::Values& values = dataset.columns[c].values;
    if (values.size() > 1 && !(values.front() < values.back() - splits::smallest_gap)) columns.push_back(c);
  }
  return columns;
}

std::vector<std::uint32_t> columns_like_keys(const data::Dataset& dataset, double total) {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t c = 0; c < dataset.columns.size(); ++c)
    if (tree::is_like_key(dataset.columns[c], total)) columns.push_back(c);
  return columns;
}

graph::Graph fit_c45(const data::Dataset& dataset, data::WeightView weights, const C45FitOptions& options) {
  check(dataset, weights, options);
  const graph::Draft draft =
      options.release8 ? grow_release8(dataset, weights, options) : grow(dataset, weights, options);
  graph::Graph graph = graph::flatten(draft, graph::column_types_of(dataset));
  if (options.shrinkage > 0.0) graph::shrink(graph, options.shrinkage, options.tree.classes.costs.empty());
  return graph;
}

std::vector<tree::PruningStep> c45_pruning_path(const data::Dataset& dataset, data::WeightView weights,
                                                const C45FitOptions& options) {
  check(dataset, weights, options);
  if (options.release8) throw std::invalid_argument("the arithmetic of Release 8 has no cost-complexity pruning");
  C45FitOptions in_full = options;
  in_full.limits.ccp_alpha = 0.0;
  return tree::cost_complexity_path(grow_without_collapsing(dataset, weights, in_full), options.tree.criterion);
}

}  // namespace weaklearn::fit
