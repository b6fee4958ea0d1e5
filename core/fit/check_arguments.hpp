// fit/: one function per learner that checks its arguments, grows a draft, prunes it and returns a Graph.
//
// Entry points: fit_c45, fit_topdown, fit_stump, fit_program, fit_oc1, fit_sadt, fit_separator, fit_boost_odt,
// fit_rules. The bindings call these. All of them take a dataset and one weight per row; rows of weight 0 are absent.
// fit_c45 and fit_topdown need no weights if every row weighs 1.
// All of them throw std::invalid_argument for a bad argument.
//
// This file: the checks that several learners have in common.
#pragma once

#include <cstdint>
#include <span>

#include "criteria/class_factors.hpp"
#include "data/dataset.hpp"
#include "data/weight_view.hpp"
#include "fit/pruning_options.hpp"

namespace weaklearn::fit {

void check_weights(const data::Dataset& dataset, data::WeightView weights);
// The same where weights may be left out, because every row weighs 1.
void check_weights_if_given(const data::Dataset& dataset, data::WeightView weights);
void check_min_objects(double min_objects);
void check_max_features(std::uint32_t max_features);
void check_class_factors(const data::Dataset& dataset, const criteria::ClassFactors& classes);
void check_shrinkage(double shrinkage);
void check(const PruningOptions& options);

}  // namespace weaklearn::fit
