// The decision of pessimistic pruning at one node.
#pragma once

#include <cstdint>

#include "criteria/tolerance.hpp"

namespace weaklearn::tree {

constexpr double pruning_tolerance = 0.1;  // an estimate may rise by this much

// What a node becomes: a leaf, its heaviest child (which is raised), or what it is.
enum class Pruning : std::uint8_t { leaf, child, none };

inline bool leaf_beats_tree(double as_leaf, double as_tree) {
  return criteria::at_most(as_leaf, as_tree + pruning_tolerance);
}

// Decides by the estimated errors of the node as a leaf, as its heaviest child and as it is.
inline Pruning decide_pruning(double as_leaf, double as_child, double as_tree) {
  if (leaf_beats_tree(as_leaf, as_tree) && criteria::at_most(as_leaf, as_child + pruning_tolerance))
    return Pruning::leaf;
  return criteria::at_most(as_child, as_tree + pruning_tolerance) ? Pruning::child : Pruning::none;
}

// Returns the heaviest branch. Ties go to the last one.
template <class WeightOf>
std::uint32_t branch_to_raise(std::size_t n_branches, const WeightOf& known_weight_of) {
  std::uint32_t heaviest = 0;
  for (std::uint32_t b = 1; b < n_branches; ++b)
    if (criteria::at_least(known_weight_of(b), known_weight_of(heaviest))) heaviest = b;
  return heaviest;
}

}  // namespace weaklearn::tree
