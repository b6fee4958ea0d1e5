#include "release8/c45_release8.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "release8/drop_impossible_values.hpp"
#include "release8/grow_tree.hpp"
#include "release8/pessimistic_errors.hpp"
#include "release8/prune_tree.hpp"
#include "release8/training_set.hpp"
#include "release8/weighted_rows.hpp"

namespace weaklearn::release8 {
namespace {

void check(const data::Dataset& dataset, std::span<const double> weights, const Options& options) {
  if (!(options.min_objects > 0.0))
    throw std::invalid_argument("min_objects must be greater than 0, not " + std::to_string(options.min_objects));
  if (!(options.confidence >= 0.0 && options.confidence <= 1.0))
    throw std::invalid_argument("confidence must be a share between 0 and 1, not " +
                                std::to_string(options.confidence));
  if (weights.size() != dataset.n_rows)
    throw std::invalid_argument("got " + std::to_string(weights.size()) + " weights for " +
                                std::to_string(dataset.n_rows) + " rows");
  for (const double weight : weights)
    if (!(weight >= 0.0) || !std::isfinite(static_cast<float>(weight)))
      throw std::invalid_argument("weights must be finite in float32 and not negative, not " + std::to_string(weight));
}

}  // namespace

Trees grow_release8(const data::Dataset& dataset, std::span<const double> weights, const Options& options) {
  check(dataset, weights, options);
  const TrainingSet set(dataset, weights);
  if (set.rows.empty()) throw std::invalid_argument("no row has a weight greater than 0");

  WeightedRows rows(set);
  graph::Draft unpruned = Grower(set, rows, options).grow();
  graph::Draft pruned = unpruned;
  if (options.prune) {
    rows.reset_weights();
    Pruner(set, rows, percent_of(options.confidence), pruned).prune();
    if (options.subset) drop_impossible_values(set, pruned);
  }
  return {std::move(unpruned), std::move(pruned)};
}

}  // namespace weaklearn::release8
