// TopDown (Dietterich, Kearns and Mansour). Of all leaves and their best splits, it splits the leaf that lowers the
// weighted impurity of the leaves (the index of the papers) most. Ties, up to criteria::impurity_noise, go to the leaf
// that was made first.
#pragma once

#include <cstdint>
#include <span>

#include "criteria/class_factors.hpp"
#include "criteria/registry.hpp"
#include "data/dataset.hpp"
#include "graph/draft.hpp"
#include "tree/counted_rows.hpp"

namespace weaklearn::tree {

struct TopDownOptions {
  criteria::CriterionName criterion{"km", {}};
  std::uint64_t n_rounds = UINT64_MAX;  // most splits
  std::uint32_t max_depth = UINT32_MAX;
  double min_objects = 1.0;
  bool two_groups = false;  // nominal values in two groups, not each in a branch of its own
  bool missing_takes_branch = false;  // see SplitSearchOptions
  std::uint32_t max_features = UINT32_MAX;  // columns to evaluate at a node; see draw_columns.hpp
  std::uint64_t seed = 0;                   // of the draws
  std::uint32_t n_threads = 1;
  criteria::ClassFactors classes = {};  // contained in the weights of the rows already
  // If the rows are counted elsewhere. The dataset then only describes the columns, and there are no weights.
  CountedRows* counted = nullptr;
  std::span<double> rounded_weights = {};  // see TrainingRows
};

// Without weights every row weighs 1. Returns the tree after at most `n_rounds` splits. The split of a leaf does not
// depend on the order of growing: without a limit the result is the tree that grows depth first.
//
// `leaf_of`, if not empty, becomes the node of the draft in which each row ends. All are -1 where that is not known: if
// some value is missing, if some row has weight 0, or if there is no limit.
graph::Draft grow_topdown(const data::Dataset& dataset, std::span<const double> weights, const TopDownOptions& options,
                          std::span<std::int32_t> leaf_of = {});

}  // namespace weaklearn::tree
