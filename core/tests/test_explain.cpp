// Shapley values: the three ways of computing them against each other and against predictions.
#include <cmath>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "explain/block_values.hpp"
#include "explain/coalition_values.hpp"
#include "explain/joint_values.hpp"
#include "explain/quadrature.hpp"
#include "explain/shap.hpp"
#include "graphs.hpp"
#include "random_table.hpp"

namespace weaklearn::tests {
namespace {

using explain::Explainer;

// A polynomial of degree 2 n - 1 is integrated exactly by n points.
void quadrature_is_exact() {
  for (const std::uint32_t size : {1U, 2U, 3U, 8U, 25U, 200U}) {
    const explain::Quadrature quadrature(size);
    for (const std::uint32_t degree : {0U, size, 2 * size - 1}) {
      double sum = 0.0;
      for (std::uint32_t q = 0; q < size; ++q) sum += quadrature.weight[q] * std::pow(quadrature.t[q], degree);
      CHECK_NEAR(sum, 1.0 / (degree + 1.0), 1e-14);
    }
    for (std::uint32_t q = 0; q < size; ++q) CHECK_NEAR(quadrature.t[q] + quadrature.rest[q], 1.0, 1e-15);
  }
}

std::vector<double> random_row(Random& random, const graph::Graph& graph) {
  std::vector<double> row;
  for (const graph::ColumnType& column : graph.columns) {
    const bool is_missing = below(random, 5) == 0;
    const double value = column.n_values > 0 ? below(random, column.n_values)
                                             : static_cast<double>(static_cast<float>(6.0 * uniform(random) - 1.0));
    row.push_back(is_missing ? std::nan("") : value);
  }
  return row;
}

// Rows column by column, as a forest reads them.
struct Rows {
  Rows(const graph::Graph& graph, const std::vector<std::vector<double>>& rows) {
    numbers.resize(graph.columns.size());
    codes.resize(graph.columns.size());
    for (std::size_t c = 0; c < graph.columns.size(); ++c)
      for (const std::vector<double>& row : rows) {
        numbers[c].push_back(row[c]);
        codes[c].push_back(std::isnan(row[c]) ? -1 : static_cast<std::int32_t>(row[c]));
      }
    for (std::size_t c = 0; c < graph.columns.size(); ++c) {
      graph::InputColumn column;
      if (graph.columns[c].n_values > 0)
        column.codes = codes[c].data();
      else
        column.numbers = {numbers[c].data(), 1};
      columns.push_back(column);
    }
    n_rows = static_cast<std::uint32_t>(rows.size());
  }

  graph::InputRows with_threads(std::uint32_t n_threads) const { return {columns, n_rows, n_threads}; }

  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<graph::InputColumn> columns;
  std::uint32_t n_rows = 0;
};

void ways_agree_and_values_add_up() {
  Random random(11);
  for (int trial = 0; trial < 60; ++trial) {
    const RandomTable table = random_table(random, random_shape(random));
    const graph::Graph graph = random_graph(random, table, false);
    std::vector<std::vector<double>> given;
    for (int i = 0; i < 11; ++i) given.push_back(random_row(random, graph));
    const Rows rows(graph, given);
    const std::size_t per_row = graph.columns.size() * graph.n_classes;
    const graph::Graph* const members[] = {&graph, &graph};
    const double votes[] = {0.75, 0.25};
    const Explainer explainer(members, votes);
    std::vector<double> values(rows.n_rows * per_row);
    std::vector<double> base(rows.n_rows * graph.n_classes);
    explainer.explain(rows.with_threads(1), values.data(), base.data());
    std::vector<double> threaded(values.size());
    std::vector<double> threaded_base(base.size());
    explainer.explain(rows.with_threads(3), threaded.data(), threaded_base.data());
    CHECK(values == threaded);
    CHECK(base == threaded_base);

    std::vector<double> predicted(base.size());
    forest_of(graph).class_shares(rows.with_threads(1), predicted.data());
    const explain::CoalitionValues by_coalitions(graph, 1.0);
    const explain::JointValues by_unions(graph, 1.0);
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
      for (std::size_t k = 0; k < graph.n_classes; ++k) {
        double sum = base[i * graph.n_classes + k];
        for (std::size_t c = 0; c < graph.columns.size(); ++c) sum += values[i * per_row + c * graph.n_classes + k];
        CHECK_NEAR(sum, predicted[i * graph.n_classes + k], 1e-12);
      }
      std::vector<double> listed(per_row);
      std::vector<double> listed_base(graph.n_classes);
      by_coalitions.explain(given[i].data(), listed.data(), listed_base.data());
      std::vector<double> united(per_row);
      std::vector<double> united_base(graph.n_classes);
      CHECK(by_unions.explain(given[i].data(), united.data(), united_base.data()));
      for (std::size_t v = 0; v < per_row; ++v) {
        CHECK_NEAR(listed[v], values[i * per_row + v], 1e-12);
        CHECK_NEAR(united[v], values[i * per_row + v], 1e-12);
      }
    }
  }
}

void bad_arguments_are_refused() {
  const graph::Graph graph = small_graph();
  graph::Graph other = graph;
  other.columns.push_back({0, true});
  const graph::Graph* const one[] = {&graph};
  const graph::Graph* const different[] = {&graph, &other};
  const double vote[] = {1.0, 1.0};
  const double bad[] = {std::nan("")};
  CHECK_THROWS(Explainer({}, {}), std::invalid_argument);
  CHECK_THROWS(Explainer(one, vote), std::invalid_argument);
  CHECK_THROWS(Explainer(one, bad), std::invalid_argument);
  CHECK_THROWS(Explainer(different, vote), std::invalid_argument);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  quadrature_is_exact();
  ways_agree_and_values_add_up();
  bad_arguments_are_refused();
  return report("explain");
}
