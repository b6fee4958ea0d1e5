#include "fit/check_arguments.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace weaklearn::fit {

void check_weights(const data::Dataset& dataset, data::WeightView weights) {
  if (weights.size() != dataset.n_rows) throw std::invalid_argument("one weight per row is needed");
  double total = 0.0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const double weight = weights[row];
    if (!(weight >= 0.0)) throw std::invalid_argument("weights must be numbers >= 0");
    total += weight;
  }
  if (!(total > 0.0) || total > 1e150)
    throw std::invalid_argument("the weights must sum to more than 0 and at most 1e150");
}

void check_weights_if_given(const data::Dataset& dataset, data::WeightView weights) {
  if (!weights.empty() || dataset.n_rows == 0) check_weights(dataset, weights);
}

void check_min_objects(double min_objects) {
  if (!(min_objects >= 0.0)) throw std::invalid_argument("min_objects must be >= 0");
}

void check_max_features(std::uint32_t max_features) {
  if (max_features < 1) throw std::invalid_argument("max_features must be >= 1");
}

void check_shrinkage(double shrinkage) {
  if (!(shrinkage >= 0.0) || std::isinf(shrinkage)) throw std::invalid_argument("shrinkage must be a number >= 0");
}

void check_class_factors(const data::Dataset& dataset, const criteria::ClassFactors& classes) {
  const std::size_t n = dataset.n_classes;
  if (!classes.factors.empty() && classes.factors.size() != n)
    throw std::invalid_argument("one factor per class is needed");
  if (!classes.costs.empty() && (classes.costs.size() != n * n || classes.factors.empty()))
    throw std::invalid_argument("one cost per pair of classes is needed, and one factor per class");
  const auto is_bad = [](double x) { return !(x >= 0.0 && x <= 1e100); };
  if (std::ranges::any_of(classes.factors, is_bad) || std::ranges::any_of(classes.costs, is_bad))
    throw std::invalid_argument("factors and costs of classes must be numbers from 0 to 1e100");
}

void check(const PruningOptions& options) {
  if (!(options.confidence > 0.0 && options.confidence <= 1.0))
    throw std::invalid_argument("confidence must be in (0, 1]");
}

}  // namespace weaklearn::fit
