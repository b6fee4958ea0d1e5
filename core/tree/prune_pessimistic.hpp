// C4.5's pruning. From the bottom up, a node becomes a leaf, or is replaced by its heaviest child (the child is
// raised), if the pessimistic estimate of its errors does not rise by more than 0.1.
#pragma once

#include <cstdint>
#include <span>

#include "criteria/class_factors.hpp"
#include "data/dataset.hpp"
#include "data/weight_view.hpp"
#include "graph/draft.hpp"
#include "tree/counted_rows.hpp"

namespace weaklearn::tree {

// The draft must have been grown on these rows and weights. Errors become estimates. Where a child is raised, weights
// and labels are counted again. The number of threads does not change the result.
void prune_pessimistic(graph::Draft& draft, const data::Dataset& dataset, data::WeightView weights, double confidence,
                       std::uint32_t n_threads = 1, const criteria::ClassFactors& classes = {});

// The same for rows that are counted elsewhere. The dataset describes the columns.
void prune_counted(graph::Draft& draft, const data::Dataset& dataset, CountedRows& rows, double confidence,
                   const criteria::ClassFactors& classes = {});

}  // namespace weaklearn::tree
