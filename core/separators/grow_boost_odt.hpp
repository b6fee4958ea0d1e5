// BoostODT (Henry, Nock and Nielsen): an oblique tree, grown breadth first. A leaf with several classes is split by the
// sign of a separator of stumps, boosted on the rows of this leaf alone. A separator has two sides. If there are more
// than two classes, they are first put into two groups: by the split of one column that lowers the impurity of Kearns
// and Mansour most. For two classes that impurity is the exponential loss of the tree.
#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::separators {

struct BoostOdtOptions {
  std::uint32_t n_stumps = 50;
  std::uint32_t max_depth = 4;
  std::uint64_t max_splits = ~std::uint64_t{0};
  std::uint32_t n_threads = 1;
};

// `weights` holds one weight per row. Rows of weight 0 are absent.
graph::Draft grow_boost_odt(const data::Dataset& dataset, std::span<const double> weights,
                            const BoostOdtOptions& options);

}  // namespace weaklearn::separators
