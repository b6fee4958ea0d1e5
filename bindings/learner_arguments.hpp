// What every learner that grows a graph asks of its arguments, and tells the graph.
#pragma once

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "data/dataset.hpp"
#include "graph/graph.hpp"
#include "tree/c45_options.hpp"

namespace weaklearn::bindings {

inline void check_weights(const data::Dataset& dataset, std::span<const double> weights) {
  if (weights.size() != dataset.n_rows) throw std::invalid_argument("one weight per row is needed");
  double total = 0.0;
  for (const double weight : weights) {
    if (!(weight >= 0.0)) throw std::invalid_argument("weights must be numbers >= 0");
    total += weight;
  }
  if (!(total > 0.0) || total > 1e150)
    throw std::invalid_argument("the weights must sum to more than 0 and at most 1e150");
}

inline void check_confidence(double confidence) {
  if (!(confidence > 0.0 && confidence <= 1.0)) throw std::invalid_argument("confidence must be in (0, 1]");
}

// `impurities` counts for the criterion "tabulated" only.
inline tree::Criterion criterion_of(const std::string& name, const Contiguous& impurities) {
  using tree::Criterion;
  if (name == "entropy") return Criterion::gain;
  if (name == "gini") return Criterion::gini;
  if (name == "km") return Criterion::km;
  if (name == "error") return Criterion::error;
  if (name != "tabulated") throw std::invalid_argument("unknown criterion '" + name + "'");
  if (impurities.shape(0) < 2) throw std::invalid_argument("a tabulated criterion needs two values or more");
  for (std::size_t i = 0; i < impurities.shape(0); ++i)
    if (!std::isfinite(impurities(i)) || (i > 0 && impurities(i) <= 0.0))
      throw std::invalid_argument("a tabulated criterion must be finite, and above 0 after its first value");
  return Criterion::tabulated;
}

inline std::vector<double> vector_of(const Contiguous& numbers) {
  return {numbers.data(), numbers.data() + numbers.shape(0)};
}

inline std::vector<graph::Attribute> attributes_of(const data::Dataset& dataset) {
  std::vector<graph::Attribute> attributes;
  for (const data::Column& column : dataset.columns)
    attributes.push_back({column.nominal ? column.n_codes : 0, column.single_precision});
  return attributes;
}

}  // namespace weaklearn::bindings
