// C4.5's tree in double precision. Numbers that are equal in real arithmetic count as equal.
#pragma once

#include <cstdint>

#include "criteria/class_factors.hpp"
#include "criteria/registry.hpp"
#include "data/dataset.hpp"
#include "data/weight_view.hpp"
#include "graph/draft.hpp"
#include "tree/counted_rows.hpp"
#include "tree/options.hpp"

namespace weaklearn::tree {

struct C45Options {
  criteria::CriterionName criterion{"entropy", {}};
  SplitSearchOptions search{.use_gain_ratio = true, .threshold_penalty = true};
  std::uint32_t max_depth = UINT32_MAX;
  bool collapse = true;
  std::uint32_t n_threads = 1;
  criteria::ClassFactors classes = {};  // contained in the weights of the rows already
  // Set if the rows are counted elsewhere. The dataset then only describes the columns, and weights are left out.
  CountedRows* counted = nullptr;
};

// Grows a tree and collapses it, but does not prune it. `weights` has one weight per row; rows of weight 0 are absent.
// Without weights every row weighs 1.
graph::Draft grow_c45(const data::Dataset& dataset, data::WeightView weights, const C45Options& options);

}  // namespace weaklearn::tree
