#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "check.hpp"
#include "random_table.hpp"
#include "separators/boosted_separator.hpp"
#include "separators/g2_arithmetic.hpp"
#include "separators/grow_boost_odt.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::tests {
namespace {

namespace g2 = separators::g2;
using graph::Graph;

// Checks that sending the training rows down the graph gives each node the weights that it had while growing.
void check_branch_weights(const Graph& graph, const RandomTable& table, const std::vector<double>& weights) {
  CHECK_EQUAL(graph.problem(), std::string());
  const Graph* const only = &graph;
  const graph::Forest forest({&only, 1});
  const auto columns = table.input();
  std::vector<double> taken(graph.children.size() * graph.n_classes, 0.0);
  forest.branch_class_weights({columns, table.dataset.n_rows, 1}, table.dataset.classes, weights, taken.data());
  for (const graph::Node& node : graph.nodes)
    for (std::uint32_t b = node.first_branch; b < node.first_branch + node.n_branches; ++b) {
      const graph::Node& end = graph.nodes[graph.children[b]];
      std::vector<double> expected(graph.n_classes, 0.0);
      if (end.weight > 0.0)
        for (std::uint32_t k = end.first_class; k < end.first_class + end.n_classes; ++k)
          expected[static_cast<std::size_t>(graph.class_index[k])] = graph.class_weight[k];
      for (std::uint32_t k = 0; k < graph.n_classes; ++k)
        CHECK_NEAR(taken[std::size_t{b} * graph.n_classes + k], expected[k], 1e-9);
    }
}

void trees_predict_as_they_grew() {
  Random random(2);
  for (int trial = 0; trial < 150; ++trial) {
    Shape shape = random_shape(random);
    if (trial % 5 == 0) shape.n_rows = 400;
    const RandomTable table = random_table(random, shape);
    const auto weights = random_weights(random, table.dataset.n_rows, static_cast<Weighting>(trial % 3));
    separators::BoostOdtOptions options;
    options.n_stumps = 1 + below(random, 8);
    options.max_depth = below(random, 4);
    options.max_splits = 1 + below(random, 5);
    const Graph tree =
        graph::flatten(separators::grow_boost_odt(table.dataset, weights, options), table.column_types());
    CHECK(tree.depth() <= options.max_depth);
    CHECK((tree.nodes.size() - 1) / 2 <= options.max_splits);
    check_branch_weights(tree, table, weights);
    options.n_threads = 3;
    const Graph again =
        graph::flatten(separators::grow_boost_odt(table.dataset, weights, options), table.column_types());
    CHECK_EQUAL(difference(tree, again), std::string());
    CHECK(tree.term_numbers == again.term_numbers);
    graph::Draft draft = separators::grow_boost_odt(table.dataset, weights, options);
    tree::prune_pessimistic(draft, table.dataset, weights, 0.25);
    const Graph pruned = graph::flatten(draft, table.column_types());
    CHECK_EQUAL(pruned.problem(), std::string());
    CHECK(pruned.nodes.size() <= tree.nodes.size());
  }
}

void separators_predict_as_they_grew() {
  Random random(3);
  for (int trial = 0; trial < 150; ++trial) {
    const RandomTable table = random_table(random, random_shape(random));
    const auto weights = random_weights(random, table.dataset.n_rows, static_cast<Weighting>(trial % 3));
    std::vector<g2::Step> rounds;
    const std::uint32_t positive = below(random, table.dataset.n_classes);
    const Graph graph =
        graph::flatten(separators::separator_graph(table.dataset, weights, positive, 1 + below(random, 9), 1, rounds),
                       table.column_types());
    check_branch_weights(graph, table, weights);
    for (const g2::Step& round : rounds) CHECK(round.mu > 0.0 && round.mu <= g2::largest_mu);
    if (graph.is_leaf(0)) continue;
    const Graph* const only = &graph;
    const graph::Forest forest({&only, 1});
    std::vector<double> excess(table.dataset.n_rows);
    const auto columns = table.input();
    forest.excess({columns, table.dataset.n_rows, 1}, excess.data());
    double most = 0.0;
    for (const g2::Step& round : rounds) most += round.coefficient;
    for (const double sum : excess) CHECK(std::abs(sum) <= most * (1.0 + 1e-9));
  }
}

void a_step_follows_the_paper() {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 1 + below(random, 20);
    std::vector<double> weights;
    std::vector<double> outputs;
    for (std::size_t i = 0; i < n; ++i) {
      weights.push_back((below(random, 2) == 0 ? -1.0 : 1.0) * (uniform(random) + 0.01));
      outputs.push_back(8.0 * uniform(random) - 4.0);
    }
    double before = 0.0;
    for (const double weight : weights) before += std::abs(weight);
    const g2::Step step = g2::step(weights, outputs);
    double after = 0.0;
    for (const double weight : weights) after += std::abs(weight);
    if (n > 1 && std::abs(step.mu) < 0.999) CHECK_NEAR(after, before, 1e-9 * before);
    CHECK(std::abs(step.mu) <= g2::largest_mu);
  }
  std::vector<double> unchanged = {0.5, -0.5};
  const g2::Step no_step = g2::step(unchanged, std::vector<double>{0.0, 0.0});
  CHECK_EQUAL(no_step.mu, 0.0);
  CHECK_EQUAL(unchanged[0], 0.5);
  CHECK_NEAR(g2::leaf_output(3.0, 1.0), 0.5 * std::log(3.0), 1e-12);
  CHECK(std::isfinite(g2::leaf_output(3.0, 0.0)) && g2::leaf_output(3.0, 0.0) > 11.8);
  CHECK_EQUAL(g2::leaf_output(0.0, 0.0), 0.0);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  trees_predict_as_they_grew();
  separators_predict_as_they_grew();
  a_step_follows_the_paper();
  return report("separators");
}
