// The stump of fewest errors: the one split that makes the fewest errors, or a leaf where no split makes fewer errors
// than a leaf. It is the weak hypothesis that Dietterich, Kearns and Mansour boost.
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::tree {

// `weights` has one weight per row; rows of weight 0 are absent. Ties go to the lowest column, then to the lowest cut.
graph::Draft grow_stump(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t n_threads);

}  // namespace weaklearn::tree
