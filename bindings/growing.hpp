// What every learner that grows a graph asks of its arguments, and tells the graph.
#pragma once

#include <span>
#include <stdexcept>
#include <vector>

#include "data/dataset.hpp"
#include "graph/graph.hpp"

namespace weaklearn::bindings {

inline void check_weights(const data::Dataset& dataset, std::span<const double> weights) {
  if (weights.size() != dataset.n_rows) throw std::invalid_argument("one weight per row is needed");
  double total = 0.0;
  for (const double weight : weights) {
    if (!(weight >= 0.0)) throw std::invalid_argument("weights must be numbers >= 0");
    total += weight;
  }
  if (!(total > 0.0) || total > 1e150) throw std::invalid_argument("the weights must sum to more than 0 and at most 1e150");
}

inline std::vector<graph::Attribute> attributes_of(const data::Dataset& dataset) {
  std::vector<graph::Attribute> attributes;
  for (const data::Column& column : dataset.columns)
    attributes.push_back({column.nominal ? column.n_codes : 0, column.single_precision});
  return attributes;
}

}  // namespace weaklearn::bindings
