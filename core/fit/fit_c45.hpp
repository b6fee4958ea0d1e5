// C4.5: its tree in double precision, or as Release 8 computes it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "data/weight_view.hpp"
#include "fit/pruning_options.hpp"
#include "graph/graph.hpp"
#include "tree/grow_c45.hpp"
#include "tree/limit_size.hpp"

namespace weaklearn::fit {

struct C45FitOptions {
  tree::C45Options tree;
  tree::SizeLimits limits;  // not for Release 8
  PruningOptions pruning;
  double shrinkage = 0.0;   // lambda of hierarchical shrinkage; not for Release 8
  bool release8 = false;  // compute in float32 with the rounding and the defects of the original program
};

// Returns the continuous columns whose values are so close together that C4.5 never splits them.
std::vector<std::uint32_t> inseparable_columns(const data::Dataset& dataset);

// Returns the columns like keys (tree/columns_like_keys.hpp) of rows that weigh `total` together.
std::vector<std::uint32_t> columns_like_keys(const data::Dataset& dataset, double total);

graph::Graph fit_c45(const data::Dataset& dataset, data::WeightView weights, const C45FitOptions& options);

// Returns the steps of cost-complexity pruning of the tree that fit_c45 grows before it prunes. Not for Release 8.
std::vector<tree::PruningStep> c45_pruning_path(const data::Dataset& dataset, data::WeightView weights,
                                                const C45FitOptions& options);

}  // namespace weaklearn::fit
