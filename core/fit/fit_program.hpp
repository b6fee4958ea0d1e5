// Branching programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "fit/pruning_options.hpp"
#include "graph/graph.hpp"
#include "program/grow_program.hpp"

namespace weaklearn::fit {

struct FittedProgram {
  graph::Graph graph;
  std::vector<program::Level> levels;  // as they were grown, before pruning
  program::Stop stopped;
};

// Returns the names of the merge rules.
std::vector<std::string> merge_rule_names();

FittedProgram fit_program(const data::Dataset& dataset, std::span<const double> weights,
                          const program::ProgramOptions& options, const PruningOptions& pruning);

}  // namespace weaklearn::fit
