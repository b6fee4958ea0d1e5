// Trees of hyperplanes: OC1 and SADT.
#pragma once

#include <span>

#include "data/dataset.hpp"
#include "graph/graph.hpp"
#include "oblique/grow_oblique.hpp"

namespace weaklearn::fit {

graph::Graph fit_oc1(const data::Dataset& dataset, std::span<const double> weights, const oblique::Oc1Options& options);

graph::Graph fit_sadt(const data::Dataset& dataset, std::span<const double> weights,
                      const oblique::SadtOptions& options);

}  // namespace weaklearn::fit
