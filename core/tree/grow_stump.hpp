// The stump of fewest errors: one test, or none where no test makes fewer errors than a leaf. It is the weak
// hypothesis that Dietterich, Kearns and Mansour boost.
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::tree {

// `weights` holds one per row; rows of weight 0 are absent. Of equally good tests the lowest attribute wins,
// then the lowest cut.
graph::Draft grow_stump(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t n_threads);

}  // namespace weaklearn::tree
