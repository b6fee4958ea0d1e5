#include "fit/fit_program.hpp"

#include <stdexcept>
#include <utility>

#include "program/prune_program.hpp"

namespace weaklearn::fit {

FittedProgram fit_program(const data::Dataset& dataset, std::span<const double> weights,
                          const program::ProgramOptions& options, const PruningOptions& pruning) {
  check_weights(dataset, weights);
  check_min_objects(options.min_objects);
  check(pruning);
  if (!(options.merge_share >= 0.0 && options.merge_share <= 1.0))
    throw std::invalid_argument("merge_share must be in [0, 1]");
  if (options.max_width < 1) throw std::invalid_argument("max_width must be >= 1");
  program::Program program = program::grow_program(dataset, weights, options);
  if (pruning.prune) program::prune_program(program.draft, dataset, weights, pruning.confidence);
  return {graph::flatten_levels(program.draft, attributes_of(dataset)), std::move(program.levels), program.stopped};
}

}  // namespace weaklearn::fit
