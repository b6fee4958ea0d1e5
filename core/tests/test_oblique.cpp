#include <algorithm>
#include <string>
#include <vector>

#include "check.hpp"
#include "graph/flatten_draft.hpp"
#include "graph/forest.hpp"
#include "graph/oblique_terms.hpp"
#include "oblique/grow_oblique.hpp"
#include "oblique/line_search.hpp"
#include "random_table.hpp"
#include "tree/prune_cost_complexity.hpp"

namespace weaklearn::tests {
namespace {

using graph::Draft;
using graph::Graph;
using oblique::Position;

// Tests both ways of sorting, by comparison and by counting. Both are stable.
void positions_are_sorted() {
  Random random(1);
  std::vector<Position> scratch;
  for (int round = 0; round < 300; ++round) {
    std::vector<Position> positions(below(random, round % 2 == 0 ? 20 : 2000));
    const std::uint32_t n_keys = 1 + below(random, 50);
    for (std::uint32_t i = 0; i < positions.size(); ++i) {
      const double number = round % 3 == 0 ? below(random, n_keys) : 1e3 * (uniform(random) - 0.5);
      positions[i] = {oblique::key_of(number), i};
    }
    std::vector<Position> expected = positions;
    std::ranges::stable_sort(expected, {}, &Position::key);
    oblique::sort_positions(positions, scratch);
    for (std::size_t i = 0; i < positions.size(); ++i) CHECK_EQUAL(positions[i].index, expected[i].index);
  }
}

void keys_are_in_the_order_of_the_numbers() {
  const std::vector<double> numbers = {-1e300, -1e30, -2.0, -1.0, -1e-30, 0.0, 1e-30, 0.5, 1.0, 1e30, 1e300};
  for (std::size_t i = 1; i < numbers.size(); ++i) CHECK(oblique::key_of(numbers[i - 1]) < oblique::key_of(numbers[i]));
  CHECK_EQUAL(oblique::key_of(-0.0), oblique::key_of(0.0));
}

oblique::Oc1Options random_oc1(Random& random) {
  constexpr const char* names[] = {"twoing", "gain", "gini", "max_minority", "sum_minority", "variance"};
  oblique::Oc1Options options;
  options.tree.criterion = names[below(random, 6)];
  options.tree.validation_share = below(random, 2) * 0.4 * uniform(random);
  options.n_restarts = below(random, 5);
  options.n_jumps = below(random, 6);
  options.tree.max_depth = below(random, 4) == 0 ? below(random, 4) : 50;
  options.tree.seed = below(random, 1000);
  return options;
}

// Checks that the graph is valid. If no rows were held out, its errors must be the errors of its predictions on the
// training rows.
void check_tree(const RandomTable& table, const std::vector<double>& weights, const Draft& draft,
                bool no_rows_held_out) {
  const Graph graph = graph::flatten(draft, table.column_types());
  CHECK_EQUAL(graph.problem(), std::string());
  if (!no_rows_held_out) return;
  const Graph* const only = &graph;
  const graph::Forest forest(std::span(&only, 1));
  const auto columns = table.input();
  const graph::InputRows rows{columns, table.dataset.n_rows, 1};
  std::vector<std::int32_t> predictions(table.dataset.n_rows);
  forest.predict_members(rows, predictions.data(), nullptr);
  double errors = 0.0;
  for (std::size_t row = 0; row < predictions.size(); ++row)
    if (predictions[row] != table.dataset.classes[row]) errors += weights[row];
  CHECK_NEAR(errors, graph.nodes[0].errors, 1e-9 * graph.nodes[0].weight);
}

void trees_on_random_tables() {
  Random random(2);
  std::size_t n_planes = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const RandomTable table = random_table(random, random_shape(random));
    const std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    oblique::Oc1Options options = random_oc1(random);
    const Draft draft = oblique::grow_oc1(table.dataset, weights, options);
    check_tree(table, weights, draft, options.tree.validation_share == 0.0);
    for (const Draft::Node& node : draft.nodes) n_planes += node.terms.size() > 1;
    options.n_threads = 2 + below(random, 4);
    const Draft with_threads = oblique::grow_oc1(table.dataset, weights, options);
    const Graph graph = graph::flatten(draft, table.column_types());
    CHECK_EQUAL(difference(graph, graph::flatten(with_threads, table.column_types())), std::string());

    oblique::SadtOptions annealed;
    annealed.tree = options.tree;
    annealed.cooling = {10.0 * uniform(random), 0.99, 1 + below(random, 100)};
    check_tree(table, weights, oblique::grow_sadt(table.dataset, weights, annealed),
               options.tree.validation_share == 0.0);
  }
  CHECK(n_planes > 200);
}

// Values of any magnitude: sums neither overflow nor become NaN.
void extreme_numbers() {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    RandomTable table = random_table(random, random_shape(random));
    for (auto& column : table.numbers)
      for (double& number : column) number *= below(random, 2) == 0 ? 1e307 : 1e-300;
    table.encode();
    const std::vector<double> weights(table.dataset.n_rows, below(random, 2) == 0 ? 1.0 : 1e140);
    oblique::Oc1Options options = random_oc1(random);
    options.tree.validation_share = 0.0;
    check_tree(table, weights, oblique::grow_oc1(table.dataset, weights, options), true);
    oblique::SadtOptions annealed;
    annealed.tree.validation_share = 0.0;
    annealed.cooling.patience = 50;
    check_tree(table, weights, oblique::grow_sadt(table.dataset, weights, annealed), true);
  }
}

// A tree made by hand. Node 2 and the split below it are useless on the held-out rows.
void pruning_removes_the_weakest_link_first() {
  Draft draft(2);
  const double weights[][2] = {{10, 9}, {8, 1}, {2, 8}, {2, 3}, {0, 5}, {2, 0}, {0, 3}};
  for (std::uint32_t i = 0; i < 7; ++i) {
    draft.add();
    std::copy(weights[i], weights[i] + 2, draft.weights_of(i).begin());
    draft.nodes[i].label = weights[i][1] > weights[i][0];
    draft.nodes[i].split = graph::SplitKind::oblique;
  }
  draft.nodes[0].children = {1, 2};
  draft.nodes[2].children = {3, 4};
  draft.nodes[3].children = {5, 6};
  Draft pruned = draft;
  const std::vector<double> useless = {5, 1, 1, 1, 0, 1, 0};
  tree::prune_cost_complexity(pruned, useless);  // ties go to the smaller tree, but the root is never pruned
  CHECK_EQUAL(pruned.nodes[2].children.size(), std::size_t{0});
  CHECK_EQUAL(pruned.nodes[0].children.size(), std::size_t{2});
  pruned = draft;
  const std::vector<double> useful = {5, 1, 3, 1, 0, 0, 0};
  tree::prune_cost_complexity(pruned, useful);
  CHECK_EQUAL(pruned.nodes[3].children.size(), std::size_t{2});
}

// The values are far from 0, where the mean of squares and the square of the mean are almost equal.
void influence_is_the_standard_deviation() {
  RandomTable table;
  table.dataset.n_classes = 1;
  table.dataset.classes.assign(4, 0);
  table.numbers = {{1e9, 1e9 + 1, 1e9 + 1, missing_number}};
  table.encode();
  std::vector<graph::DraftTerm> terms(1);
  terms[0].column = 0;
  terms[0].numbers = {2.0};
  terms[0].missing = 2e9;
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3};
  const std::vector<double> weights = {1, 1, 1, 1};
  graph::note_influence(terms, table.dataset, rows, [&](std::size_t i) { return weights[i]; });
  CHECK_NEAR(terms[0].influence, 1.0, 1e-12);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  positions_are_sorted();
  keys_are_in_the_order_of_the_numbers();
  trees_on_random_tables();
  extreme_numbers();
  pruning_removes_the_weakest_link_first();
  influence_is_the_standard_deviation();
  return report("oblique");
}
