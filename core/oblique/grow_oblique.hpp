// Trees of hyperplanes, depth first: OC1 (Murthy, Kasif and Salzberg 1994) and SADT (Heath, Kasif and Salzberg
// 1993). They differ in how they search for a plane.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "graph/draft.hpp"
#include "oblique/sadt_annealing.hpp"

namespace weaklearn::oblique {

// What both growers have in common.
struct ObliqueTreeOptions {
  std::string criterion = "twoing";  // a name of criteria::two_sided_impurities
  double validation_share = 0.1;     // of the rows, held out for pruning
  std::uint32_t max_depth = UINT32_MAX;
  std::uint64_t seed = 0;
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
