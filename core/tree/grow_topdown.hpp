// TopDown (Dietterich, Kearns and Mansour): of all leaves and their best tests, split the one that lowers
// the index, the sum of weight times impurity over all leaves, most. Of equal drops (criteria::index_noise) the
// leaf that became one first.
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"
#include "tree/c45_options.hpp"

namespace weaklearn::tree {

// The tree after at most `n_rounds` splits. The tests do not depend on their order: with rounds enough it
// is the tree that grows depth first.
graph::Draft grow_topdown(const data::Dataset& dataset, std::span<const double> weights, const C45Options& options,
                          std::uint64_t n_rounds);

}  // namespace weaklearn::tree
