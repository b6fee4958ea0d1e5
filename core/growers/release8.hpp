// C4.5 Release 8 as the original program computes it: float32 at its rounding points, items in its
// order in memory, defects included. For node-for-node agreement, not for speed.
#pragma once

#include <span>

#include "data/dataset.hpp"
#include "graph/builder.hpp"
#include "growers/c45_options.hpp"

namespace weaklearn::growers {

struct Release8Trees {
  graph::Draft unpruned;
  graph::Draft pruned;  // a copy of `unpruned` when options.prune is false
};

// `weights` holds one weight per row; rows of weight 0 are absent.
Release8Trees grow_release8(const data::Dataset& dataset, std::span<const double> weights,
                            const C45Options& options);

}  // namespace weaklearn::growers
