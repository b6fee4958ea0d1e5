// Random tables with raw and encoded columns, and the comparison of graphs.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "data/dataset.hpp"
#include "data/encode_column.hpp"
#include "graph/flatten_draft.hpp"
#include "graph/forest.hpp"
#include "graph/graph.hpp"

namespace weaklearn::tests {

using Random = std::mt19937_64;
constexpr double missing_number = std::numeric_limits<double>::quiet_NaN();

inline std::uint32_t below(Random& random, std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); }
inline double uniform(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

struct Shape {
  std::uint32_t n_rows = 60;
  std::uint32_t n_classes = 3;
  std::uint32_t n_continuous = 2;
  std::uint32_t n_nominal = 2;
  std::uint32_t n_values = 4;    // declared values of nominal columns
  std::uint32_t n_distinct = 0;  // values of a continuous column; 0: real numbers that are all different
  double missing = 0.0;          // share of missing values
  double noise = 0.3;            // share of rows with a random class
};

// Continuous columns come first.
struct RandomTable {
  data::Dataset dataset;
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<std::uint32_t> n_values;

  void encode() {
    dataset.n_rows = static_cast<std::uint32_t>(dataset.classes.size());
    dataset.columns.clear();
    data::SortScratch scratch;
    for (const auto& column : numbers)
      dataset.columns.push_back(data::encode_continuous({column.data(), 1}, dataset.n_rows, false, scratch));
    for (std::size_t c = 0; c < codes.size(); ++c)
      dataset.columns.push_back(data::encode_nominal(codes[c], n_values[c]));
  }
  void append_copy_of(std::uint32_t row) {
    for (auto& column : numbers) column.push_back(column[row]);
    for (auto& column : codes) column.push_back(column[row]);
    dataset.classes.push_back(dataset.classes[row]);
  }
  void append_missing() {
    for (auto& column : numbers) column.push_back(missing_number);
    for (auto& column : codes) column.push_back(-1);
    dataset.classes.push_back(0);
  }
  std::vector<graph::ColumnType> column_types() const { return graph::column_types_of(dataset); }
  std::vector<graph::InputColumn> input() const {
    std::vector<graph::InputColumn> result;
    for (const auto& column : numbers) result.push_back({{column.data(), 1}, nullptr});
    for (const auto& column : codes) result.push_back({{}, column.data()});
    return result;
  }
};

// Returns a table of two classes with one continuous column. Without `numbers`, the value of a row is its index.
inline RandomTable two_classes(std::vector<std::int32_t> classes, std::vector<double> numbers = {}) {
  RandomTable table;
  table.dataset.n_classes = 2;
  table.dataset.classes = std::move(classes);
  while (numbers.size() < table.dataset.classes.size()) numbers.push_back(static_cast<double>(numbers.size()));
  table.numbers = {std::move(numbers)};
  table.encode();
  return table;
}

// The class is a function of the columns, except for noise, so that trees have something to learn.
inline RandomTable random_table(Random& random, const Shape& shape) {
  RandomTable table;
  table.dataset.n_classes = shape.n_classes;
  table.numbers.assign(shape.n_continuous, std::vector<double>(shape.n_rows));
  table.codes.assign(shape.n_nominal, std::vector<std::int32_t>(shape.n_rows));
  table.n_values.assign(shape.n_nominal, shape.n_values);
  for (std::uint32_t row = 0; row < shape.n_rows; ++row) {
    double signal = 0.0;
    for (auto& column : table.numbers) {
      column[row] =
          shape.n_distinct > 0 ? below(random, shape.n_distinct) - shape.n_distinct / 2.0 : 8 * uniform(random) - 4;
      signal += shape.n_distinct > 0 ? 8 * column[row] / shape.n_distinct : column[row];
    }
    for (auto& column : table.codes) {
      column[row] = static_cast<std::int32_t>(below(random, shape.n_values));
      signal += column[row] % 3;
    }
    const auto signal_class = static_cast<std::uint32_t>(std::abs(std::floor(signal / 2)));
    const bool is_noise = uniform(random) < shape.noise;
    table.dataset.classes.push_back(
        static_cast<std::int32_t>(is_noise ? below(random, shape.n_classes) : signal_class % shape.n_classes));
    for (auto& column : table.numbers)
      if (uniform(random) < shape.missing) column[row] = missing_number;
    for (auto& column : table.codes)
      if (uniform(random) < shape.missing) column[row] = -1;
  }
  table.encode();
  return table;
}

inline Shape random_shape(Random& random) {
  Shape shape;
  shape.n_rows = 1 + below(random, 120);
  shape.n_classes = 1 + below(random, 5);
  shape.n_continuous = below(random, 4);
  shape.n_nominal = below(random, 4) + (shape.n_continuous == 0);
  shape.n_values = 1 + below(random, 8);
  shape.n_distinct = below(random, 2) * (1 + below(random, 20));
  shape.missing = below(random, 2) * 0.3 * uniform(random);
  shape.noise = uniform(random);
  return shape;
}

enum class Weighting { unit, integer, real };

inline std::vector<double> random_weights(Random& random, std::uint32_t n_rows, Weighting weighting) {
  std::vector<double> weights(n_rows, 1.0);
  if (weighting == Weighting::integer)
    for (double& weight : weights) weight = below(random, 4);
  if (weighting == Weighting::real)
    for (double& weight : weights) weight = below(random, 5) == 0 ? 0.0 : 3 * uniform(random) + 1e-3;
  if (n_rows > 0) weights[below(random, n_rows)] = 1.0;  // at least one row is present
  return weights;
}

// Returns an empty string if two graphs are equal, and otherwise the first difference. `tolerance` applies to weights
// and errors: it is absolute for values below 1 and relative for greater ones.
inline std::string difference(const graph::Graph& a, const graph::Graph& b, double tolerance = 0.0) {
  const auto close = [tolerance](double x, double y) {
    return x == y || std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y));
  };
  if (a.nodes.size() != b.nodes.size())
    return std::to_string(a.nodes.size()) + " nodes and " + std::to_string(b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const graph::Node& x = a.nodes[i];
    const graph::Node& y = b.nodes[i];
    if (x.split != y.split || x.column != y.column || x.label != y.label || x.threshold != y.threshold ||
        x.n_branches != y.n_branches || x.first_branch != y.first_branch || x.first_value != y.first_value)
      return "node " + std::to_string(i) + " has another split or another label";
    if (!close(x.weight, y.weight) || !close(x.errors, y.errors))
      return "node " + std::to_string(i) + " weighs " + std::to_string(x.weight) + " with " + std::to_string(x.errors) +
             " errors, and " + std::to_string(y.weight) + " with " + std::to_string(y.errors);
  }
  if (a.children != b.children || a.value_branch != b.value_branch) return "branches differ";
  if (a.class_index != b.class_index) return "classes of nodes differ";
  for (std::size_t k = 0; k < a.class_weight.size(); ++k)
    if (!close(a.class_weight[k], b.class_weight[k])) return "class weights differ";
  return "";
}

}  // namespace weaklearn::tests
