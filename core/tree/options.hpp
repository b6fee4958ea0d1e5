// What the growers of trees share of their options. Each grower has a struct of its own that is composed of these.
#pragma once

#include <cstdint>

namespace weaklearn::tree {

// The search for subsets scores every pair of groups in every round. With more values it would take too long, and they
// are put into two groups (splits/many_values.hpp).
constexpr std::uint32_t most_subset_values = 1000;

// How the best split of a node is searched.
struct SplitSearchOptions {
  double min_objects = 2.0;        // at least two children must have this many rows
  bool use_gain_ratio = false;     // choose the column by C4.5's gain ratio instead of the gain
  bool subset = false;             // nominal columns: C4.5's groups of values
  bool two_groups = false;         // nominal columns: two groups of values
  bool random_splits = false;      // one split per column, drawn at random; see splits/random_split.hpp
  bool threshold_penalty = false;  // charge a threshold for the number of cuts tried; only for criteria in bits
  // Rows of missing value take one branch, which the split learns. Otherwise they go down every branch in shares.
  bool missing_takes_branch = false;
  std::uint32_t max_features = UINT32_MAX;  // columns to evaluate at a node, drawn at random; see draw_columns.hpp
  std::uint64_t seed = 0;                   // of the draws
};

// Which nodes may be split at all.
struct GrowthLimits {
  double min_objects = 2.0;  // a node needs twice this many rows
  std::uint32_t max_depth = UINT32_MAX;
};

}  // namespace weaklearn::tree
