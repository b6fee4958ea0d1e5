// Fitting: one function per learner that checks its arguments, grows a draft, prunes it and returns a Graph.
//
// Entry points: fit_c45, fit_topdown, fit_stump, fit_program, fit_oc1, fit_sadt, fit_separator, fit_boost_odt. The
// bindings call these and nothing below. All of them take a dataset and one weight per row; rows of weight 0 are
// absent. All of them throw std::invalid_argument for a bad argument.
//
// This file: the checks and options that several learners have in common.
#pragma once

#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "graph/graph.hpp"

namespace weaklearn::fit {

// Pruning by pessimistic errors.
struct PruningOptions {
  bool prune = true;
  double confidence = 0.25;  // a share in (0, 1]
};

void check_weights(const data::Dataset& dataset, std::span<const double> weights);
void check_min_objects(double min_objects);
void check(const PruningOptions& options);

// Returns what a graph keeps of the columns of a dataset.
std::vector<graph::ColumnType> column_types_of(const data::Dataset& dataset);

}  // namespace weaklearn::fit
