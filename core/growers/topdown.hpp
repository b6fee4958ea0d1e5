// TopDown (Dietterich, Kearns and Mansour): of all leaves and their best tests, split the one that lowers
// the index, the sum of weight times impurity over all leaves, most.
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "graph/builder.hpp"
#include "growers/c45_options.hpp"

namespace weaklearn::growers {

// Drops of the index, as shares of the training weight, that differ by less are equal: the leaf that became
// one first is split. Coarser than rounding, so that the order can be told from the finished tree.
constexpr double index_grain = 1e-12;

// The tree after at most `n_rounds` splits. The tests do not depend on their order: with rounds enough it
// is the tree that grows depth first.
graph::Draft grow_topdown(const data::Dataset& dataset, std::span<const double> weights, const C45Options& options,
                          std::uint64_t n_rounds);

}  // namespace weaklearn::growers
