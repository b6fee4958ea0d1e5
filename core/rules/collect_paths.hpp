// The paths of trees from the root to the leaves, from which rules start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "rules/ruleset.hpp"

namespace weaklearn::rules {

// A branch of a split. `node` and `branch` identify it.
struct PathStep {
  std::uint32_t node = 0;
  std::uint32_t branch = 0;

  bool operator==(const PathStep&) const = default;
};

struct Path {
  const graph::Graph* tree = nullptr;
  std::vector<PathStep> steps;  // from the root down
  std::int32_t label = 0;       // of the leaf
};

// A program can have far more paths than nodes. More than this are an error.
constexpr std::size_t most_paths = 200000;

// Returns the paths to the leaves of 1 effective row or more, tree by tree in pre-order. `factors` are the relative
// weights of classes, or empty: then it is the weight of a leaf that counts. With `exactly`, it is compared in float32
// as in the original program. Otherwise a number that is 1 in real arithmetic counts as 1. Throws
// std::invalid_argument if there are too many paths.
std::vector<Path> collect_paths(std::span<const graph::Graph* const> trees, bool exactly,
                                std::span<const double> factors = {});

// Returns the condition that the rows of a branch satisfy. The split must not be oblique.
Condition condition_of(const graph::Graph& tree, PathStep step);

// The kinds of conditions in the order in which C4.5rules sorts them: one value, threshold, set of values.
int sort_class(ConditionKind kind);

// Sorts conditions as C4.5rules prints them. `kept` says which of them remain; the result lists the positions of the
// remaining ones. The relation between conditions of different kinds is not an ordering, so the steps of the original
// are repeated: a selection sort over all conditions, in which the dropped ones keep their places.
std::vector<std::uint32_t> sorted_positions(const std::vector<Condition>& conditions, const std::vector<bool>& kept);

}  // namespace weaklearn::rules
