// Separators of boosted stumps, and trees of them (BoostODT).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "criteria/class_factors.hpp"
#include "data/dataset.hpp"
#include "fit/pruning_options.hpp"
#include "graph/graph.hpp"
#include "separators/g2_arithmetic.hpp"
#include "separators/grow_boost_odt.hpp"

namespace weaklearn::fit {

struct FittedSeparator {
  graph::Graph graph;
  std::vector<separators::g2::Step> rounds;
};

// Separates the class `positive` from all others with at most `n_rounds` stumps.
FittedSeparator fit_separator(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t positive,
                              std::uint32_t n_rounds, std::uint32_t n_threads);

graph::Graph fit_boost_odt(const data::Dataset& dataset, std::span<const double> weights,
                           const separators::BoostOdtOptions& options, const PruningOptions& pruning,
                           const criteria::ClassFactors& classes = {});

}  // namespace weaklearn::fit
