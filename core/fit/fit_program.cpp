#include "fit/fit_program.hpp"

#include <stdexcept>
#include <utility>

#include "fit/check_arguments.hpp"
#include "graph/flatten_draft.hpp"
#include "program/merge_registry.hpp"
#include "program/prune_program.hpp"

namespace weaklearn::fit {

std::vector<std::string> merge_rule_names() {
  return std::apply([](const auto&... entry) { return std::vector<std::string>{std::string(entry.name)...}; },
                    program::merge_rules);
}

FittedProgram fit_program(const data::Dataset& dataset, std::span<const double> weights,
                          const program::ProgramOptions& options, const PruningOptions& pruning) {
  check_weights(dataset, weights);
  check_min_objects(options.min_objects);
  check_class_factors(dataset, options.classes);
  check(pruning);
  if (!(options.merging.merge_share >= 0.0 && options.merging.merge_share <= 1.0))
    throw std::invalid_argument("merge_share must be in [0, 1]");
  if (options.merging.max_width < 1) throw std::invalid_argument("max_width must be >= 1");
  program::Program program = program::grow_program(dataset, weights, options);
  if (pruning.prune) program::prune_program(program.draft, dataset, weights, pruning.confidence, options.classes);
  return {graph::flatten_levels(program.draft, graph::column_types_of(dataset)), std::move(program.levels),
          program.stopped};
}

}  // namespace weaklearn::fit
