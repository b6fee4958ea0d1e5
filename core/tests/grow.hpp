#pragma once

#include <vector>

#include "growers/c45.hpp"
#include "random_table.hpp"

namespace weaklearn::tests {

inline graph::Graph grow(const RandomTable& table, const std::vector<double>& weights,
                         const growers::C45Options& options) {
  return graph::flatten(growers::grow_c45(table.dataset, weights, options), table.attributes());
}

inline double sum_of(const std::vector<double>& weights) {
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  return sum;
}

}  // namespace weaklearn::tests
