// The stump of fewest errors.
#pragma once

#include <cstdint>
#include <span>

#include "criteria/class_factors.hpp"
#include "data/dataset.hpp"
#include "graph/graph.hpp"

namespace weaklearn::fit {

graph::Graph fit_stump(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t n_threads,
                       const criteria::ClassFactors& classes = {});

}  // namespace weaklearn::fit
