// C4.5rules: a ruleset from the unpruned tree of C4.5, or from other trees.
#pragma once

#include <span>

#include "fit/fit_c45.hpp"
#include "rules/learn_rules.hpp"
#include "rules/ruleset.hpp"

namespace weaklearn::fit {

// `tree.pruning` is not used: rules start from the unpruned tree. `rules.release8`, `rules.n_threads` and
// `rules.class_factors` are those of the tree.
rules::Ruleset fit_rules(const data::Dataset& dataset, std::span<const double> weights, const C45FitOptions& tree,
                         rules::Options rules);

// Makes a ruleset of trees or programs that were grown otherwise. Their columns and classes are those of the dataset.
rules::Ruleset simplify_trees(const data::Dataset& dataset, std::span<const double> weights,
                              std::span<const graph::Graph* const> trees, const rules::Options& rules);

}  // namespace weaklearn::fit
