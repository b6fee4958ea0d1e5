// Branching programs, level by level (Mansour and McAllester; Elomaa and Kaariainen): all nodes of a level
// are split, each by its best binary test, and the children that are not pure are merged into the next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "criteria/registry.hpp"
#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::program {

enum class Merge : std::uint8_t { none, grid, budget, width };

struct ProgramOptions {
  criteria::CriterionName criterion{"km", {}};
  Merge merge = Merge::grid;       // a grid is for two classes
  double merge_share = 0.5;        // budget: the share of a level's gain that merging may cost
  std::uint64_t max_width = UINT64_MAX;
  std::uint64_t max_levels = UINT64_MAX;
  std::uint64_t max_nodes = UINT64_MAX;  // tests, not leaves: a level is split wholly or not at all
  bool split_without_gain = false;       // split a level that no test improves, without merging
  double min_objects = 1.0;
  std::uint32_t n_threads = 1;
};

// One round of splitting and merging; indices are of the weights of the nodes that are split, scaled to sum to 1.
struct Level {
  std::uint32_t nodes = 0;       // that were split
  std::uint32_t children = 0;    // pure ones included
  std::uint32_t next_nodes = 0;  // what the children that are not pure were merged into
  double width = 0.0;            // cells of the grid; 0: there was none
  double before = 0.0;
  double after = 0.0;            // when split
  double merged = 0.0;           // when merged
  bool forced = false;           // split though nothing is gained
  std::vector<double> advantages;  // of each split
};

enum class Stop : std::uint8_t {
  no_node_left,  // all are pure, or no test improves any
  no_gain,       // tests improve what they can judge, the level as a whole does not
  max_levels,
  max_nodes,
  repeated,      // an earlier level had the same rows in the same nodes
};

struct Program {
  graph::Draft draft;
  std::vector<Level> levels;
  Stop stopped = Stop::no_node_left;
};

Program grow_program(const data::Dataset& dataset, std::span<const double> weights, const ProgramOptions& options);

}  // namespace weaklearn::program
