// A node for tests, and a naive computation of what the search for splits should find there.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "data/node_rows.hpp"
#include "naive_impurity.hpp"
#include "random_table.hpp"
#include "splits/node_view.hpp"

namespace weaklearn::tests {

using splits::NodeView;

// A node that has the given rows of a table. It owns all that its NodeView points to.
struct TestNode {
  TestNode(const data::Dataset& dataset, std::vector<std::uint32_t> chosen, const std::vector<double>& weights)
      : rows(std::move(chosen)), class_weights(dataset.n_classes, 0.0), class_rows(dataset.n_classes, 0) {
    for (const std::uint32_t row : rows) {
      class_weights[static_cast<std::size_t>(dataset.classes[row])] += weights[row];
      ++class_rows[static_cast<std::size_t>(dataset.classes[row])];
    }
    std::vector<std::uint32_t> local_index(dataset.n_classes);
    for (std::size_t k = 0; k < local_index.size(); ++k)
      if (class_weights[k] != 0.0) local_index[k] = view.n_local++;
    for (const std::uint32_t row : rows)
      local_class.push_back(local_index[static_cast<std::size_t>(dataset.classes[row])]);
    view.rows = rows;
    view.local_class = local_class;
    view.class_of = dataset.classes;
    view.tagging = data::Tagging(dataset);
    view.class_weights = class_weights;
    view.class_rows = class_rows;
    view.total = std::accumulate(class_weights.begin(), class_weights.end(), 0.0);
  }
  TestNode(const TestNode&) = delete;

  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> local_class;
  std::vector<double> class_weights;
  std::vector<std::uint32_t> class_rows;
  NodeView view;
};

inline std::vector<std::uint32_t> random_rows(Random& random, std::uint32_t n_rows, double probability) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < n_rows; ++row)
    if (uniform(random) < probability) rows.push_back(row);
  return rows;
}

// The class weights of each group of rows.
using Groups = std::vector<std::vector<double>>;

inline double weight(const std::vector<double>& classes) {
  return std::accumulate(classes.begin(), classes.end(), 0.0);
}

template <class C>
double naive_gain(const C& criterion, const Groups& groups, double total) {
  std::vector<double> all(groups.front().size(), 0.0);
  double after = 0.0;
  for (const auto& group : groups) {
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += group[k];
    after += impurity(criterion, group);
  }
  return (impurity(criterion, all) - after) / total;
}
inline double naive_split_info(const Groups& groups, double total) {
  double known = 0.0;
  double info = 0.0;
  for (const auto& group : groups) {
    known += weight(group);
    if (weight(group) > 0.0) info -= weight(group) * std::log2(weight(group) / total);
  }
  if (total - known > 1e-9) info -= (total - known) * std::log2((total - known) / total);
  return info / total;
}

}  // namespace weaklearn::tests
