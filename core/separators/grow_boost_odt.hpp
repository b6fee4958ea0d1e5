// BoostODT (Henry, Nock and Nielsen): an oblique tree, grown breadth first. A leaf that holds several classes is
// divided by the sign of a separator of stumps, boosted on the leaf's instances alone. A separator has two sides: of
// more than two classes, the test of one attribute that lowers the impurity of Kearns and Mansour most says which
// of them go together. For two classes that impurity is the exponential loss of the tree.
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::separators {

struct BoostOdtOptions {
  std::uint32_t n_stumps = 50;
  std::uint32_t max_depth = 4;
  std::uint64_t max_tests = ~std::uint64_t{0};
  std::uint32_t n_threads = 1;
};

// `weights` holds one per row; rows of weight 0 are absent.
graph::Draft grow_boost_odt(const data::Dataset& dataset, std::span<const double> weights,
                            const BoostOdtOptions& options);

}  // namespace weaklearn::separators
