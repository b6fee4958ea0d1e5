// oblique/: decision trees whose splits are hyperplanes.
//
// Terms:
//   feature   a numeric input of a hyperplane; a column is one or several features (numeric_features.hpp)
//   plane     a coefficient per feature and a constant; a row is left of it if its sum is below 0
//   point     a row of a node with scaled features (node_points.hpp)
//   sides     the class weights left and right of a plane (SideWeights in line_search.hpp)
//   crossing  the value of a coefficient at which a point changes side
//
// OC1 (Murthy, Kasif and Salzberg 1994) climbs from several starts (oc1_hill_climbing.hpp), SADT (Heath, Kasif and
// Salzberg 1993) anneals (sadt_annealing.hpp). Both trees are grown depth first and pruned with held-out rows.
//
// Entry points: grow_oc1 and grow_sadt (this file).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "criteria/class_factors.hpp"
#include "data/dataset.hpp"
#include "graph/draft.hpp"
#include "oblique/sadt_annealing.hpp"

namespace weaklearn::oblique {

// The options of both growers.
struct ObliqueTreeOptions {
  std::string criterion = "twoing";  // a name of criteria::two_sided_impurities
  double validation_share = 0.1;     // the share of the rows that is held out for pruning
  std::uint32_t max_depth = UINT32_MAX;
  std::uint64_t seed = 0;
  criteria::ClassFactors classes = {};  // contained in the weights of the rows already
};

struct Oc1Options {
  ObliqueTreeOptions tree;
  std::uint32_t n_restarts = 20;
  std::uint32_t n_jumps = 5;
  std::uint32_t n_threads = 1;
};

struct SadtOptions {
  ObliqueTreeOptions tree;
  Cooling cooling;
};

graph::Draft grow_oc1(const data::Dataset& dataset, std::span<const double> weights, const Oc1Options& options);

graph::Draft grow_sadt(const data::Dataset& dataset, std::span<const double> weights, const SadtOptions& options);

}  // namespace weaklearn::oblique
