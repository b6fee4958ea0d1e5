#include "fit/fit_rules.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "fit/check_arguments.hpp"
#include "graph/flatten_draft.hpp"

namespace weaklearn::fit {
namespace {

void check(const rules::Options& options) {
  check(PruningOptions{true, options.confidence});
  if (options.fisher && !(*options.fisher > 0.0 && *options.fisher <= 1.0))
    throw std::invalid_argument("the level of Fisher's test must be in (0, 1]");
  if (!(options.redundancy > 0.0)) throw std::invalid_argument("redundancy must be greater than 0");
}

void check(const graph::Graph& tree, const std::vector<graph::ColumnType>& columns, std::uint32_t n_classes) {
  bool same_columns = tree.n_classes == n_classes && tree.columns.size() == columns.size();
  for (std::size_t c = 0; same_columns && c < columns.size(); ++c)
    same_columns = tree.columns[c].n_values == columns[c].n_values;
  if (!same_columns) throw std::invalid_argument("a tree has other columns or classes than the table");
  if (!tree.missing_branch.empty()) throw std::invalid_argument("a rule cannot say that missing values take a branch");
  for (const graph::Node& node : tree.nodes)
    if (node.split == graph::SplitKind::oblique)
      throw std::invalid_argument("an oblique split cannot be written as a condition of a rule");
}

}  // namespace

rules::Ruleset fit_rules(const data::Dataset& dataset, std::span<const double> weights, const C45FitOptions& tree,
                         rules::Options rules) {
  check(rules);
  check_weights(dataset, weights);
  rules.release8 = tree.release8;
  rules.n_threads = tree.tree.n_threads;
  rules.class_factors = tree.tree.classes.factors;
  C45FitOptions unpruned = tree;
  unpruned.pruning.prune = false;
  const graph::Graph grown = fit_c45(dataset, weights, unpruned);
  const graph::Graph* const trees[] = {&grown};
  rules::Ruleset ruleset = rules::learn_rules(dataset, weights, trees, rules);
  ruleset.columns = grown.columns;
  return ruleset;
}

rules::Ruleset simplify_trees(const data::Dataset& dataset, std::span<const double> weights,
                              std::span<const graph::Graph* const> trees, const rules::Options& rules) {
  check(rules);
  check_weights(dataset, weights);
  check_class_factors(dataset, {rules.class_factors, {}});
  const std::vector<graph::ColumnType> columns = graph::column_types_of(dataset);
  if (trees.empty()) throw std::invalid_argument("there is no tree to make rules of");
  for (const graph::Graph* tree : trees) check(*tree, columns, dataset.n_classes);
  rules::Ruleset ruleset = rules::learn_rules(dataset, weights, trees, rules);
  ruleset.columns = columns;
  return ruleset;
}

}  // namespace weaklearn::fit
