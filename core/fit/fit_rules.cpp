#include "fit/fit_rules.hpp"

#include <stdexcept>
#include <utility>

#include "fit/check_arguments.hpp"
#include "graph/flatten_draft.hpp"

namespace weaklearn::fit {

rules::Ruleset fit_rules(const data::Dataset& dataset, std::span<const double> weights, const C45FitOptions& tree,
                         rules::Options rules) {
  check(PruningOptions{true, rules.confidence});
  if (rules.fisher && !(*rules.fisher > 0.0 && *rules.fisher <= 1.0))
    throw std::invalid_argument("the level of Fisher's test must be in (0, 1]");
  if (!(rules.redundancy > 0.0)) throw std::invalid_argument("redundancy must be greater than 0");
  rules.release8 = tree.release8;
  rules.n_threads = tree.tree.n_threads;
  C45FitOptions unpruned = tree;
  unpruned.pruning.prune = false;
  rules::Ruleset ruleset = rules::learn_rules(dataset, weights, grow_c45(dataset, weights, unpruned), rules);
  ruleset.columns = graph::column_types_of(dataset);
  return ruleset;
}

}  // namespace weaklearn::fit
