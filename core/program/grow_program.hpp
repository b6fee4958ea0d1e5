// Branching programs, grown level by level (Mansour and McAllester; Elomaa and Kaariainen). All nodes of a level are
// split, each by its best binary split, and the children that are not pure are merged into the nodes of the next level.
//
// Terms used in this folder:
//   level              the nodes of the same depth that are not pure
//   mixed child        a child that is not pure; only these are merged
//   merge rule         decides which mixed children become one node (merge_rule.hpp, merge_registry.hpp)
//   weighted impurity  of a level, the index of the papers (weighted_impurity.hpp)
//   branch weight      the weight of the rows that take a branch
//
// Entry points: grow_program and prune_program. core/fit composes them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "criteria/class_factors.hpp"
#include "criteria/registry.hpp"
#include "data/dataset.hpp"
#include "graph/draft.hpp"
#include "program/merge_rule.hpp"

namespace weaklearn::program {

struct ProgramOptions {
  criteria::CriterionName criterion{"km", {}};
  std::string merge_rule = "grid";  // a name of merge_registry.hpp
  MergeOptions merging;
  std::uint64_t max_levels = UINT64_MAX;
  std::uint64_t max_nodes = UINT64_MAX;  // splits, not leaves; a level is split wholly or not at all
  bool split_without_gain = false;  // split a level that no split improves, without merging
  double min_objects = 1.0;
  bool missing_takes_branch = false;  // see SplitSearchOptions
  std::uint32_t n_threads = 1;
  criteria::ClassFactors classes = {};  // contained in the weights of the rows already
};

// One round of splitting and merging. Weighted impurities refer to the nodes that are split, whose weights are scaled
// to sum to 1.
struct Level {
  std::uint32_t nodes = 0;  // the nodes that were split
  std::uint32_t children = 0;  // their children, pure ones included
  std::uint32_t next_nodes = 0;  // the nodes that the mixed children were merged into
  double width = 0.0;  // the cells of the grid; 0 if there was none
  double before = 0.0;  // weighted impurity before the splits,
  double after = 0.0;  // after them,
  double merged = 0.0;  // and after merging
  bool forced = false;  // the level was split although nothing is gained
  std::vector<double> advantages;  // of each split
};

enum class Stop : std::uint8_t {
  no_open_node,  // all nodes are pure, or no split improves any of them
  no_gain,  // splits improve single nodes, but not the level as a whole
  max_levels,
  max_nodes,
  repeated,  // an earlier level had the same rows in the same nodes
};

struct Program {
  graph::Draft draft;
  std::vector<Level> levels;
  Stop stopped = Stop::no_open_node;
};

Program grow_program(const data::Dataset& dataset, std::span<const double> weights, const ProgramOptions& options);

}  // namespace weaklearn::program
