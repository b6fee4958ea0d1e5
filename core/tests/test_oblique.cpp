#include <algorithm>
#include <string>
#include <vector>

#include "check.hpp"
#include "graph/draft.hpp"
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

// By comparing and by counting: in order of keys, and of equal keys as given.
void places_are_sorted() {
  Random random(1);
  std::vector<Position> scratch;
  for (int round = 0; round < 300; ++round) {
    std::vector<Position> positions(below(random, round % 2 == 0 ? 20 : 2000));
    const std::uint32_t n_keys = 1 + below(random, 50);
    for (std::uint32_t i = 0; i < positions.size(); ++i) {
      const double number = round % 3 == 0 ? below(random, n_keys) : 1e3 * (share(random) - 0.5);
      positions[i] = {oblique::key_of(number), i};
    }
    std::vector<Position> expected = positions;
    std::ranges::stable_sort(expected, {}, &Position::key);
    oblique::sort_positions(positions, scratch);
    for (std::size_t i = 0; i < positions.size(); ++i) CHECK_EQUAL(positions[i].item, expected[i].item);
  }
}

// Keys are in the order of the numbers.
void keys_ascend() {
  const std::vector<double> numbers = {-1e300, -1e30, -2.0, -1.0, -1e-30, 0.0, 1e-30, 0.5, 1.0, 1e30, 1e300};
  for (std::size_t i = 1; i < numbers.size(); ++i)
    CHECK(oblique::key_of(numbers[i - 1]) < oblique::key_of(numbers[i]));
  CHECK_EQUAL(oblique::key_of(-0.0), oblique::key_of(0.0));
}

oblique::Oc1Options random_oc1(Random& random) {
  constexpr const char* names[] = {"twoing", "gain", "gini", "max_minority", "sum_minority", "variance"};
  oblique::Oc1Options options;
  options.tree.criterion = names[below(random, 6)];
  options.tree.validation_share = below(random, 2) * 0.4 * share(random);
  options.n_restarts = below(random, 5);
  options.n_jumps = below(random, 6);
  options.tree.max_depth = below(random, 4) == 0 ? below(random, 4) : 50;
  options.tree.seed = below(random, 1000);
  return options;
}

// Sound graphs, whose leaves hold the rows that answering leads to them: with nothing held out their weights are those
// that a walk of the training rows finds.
void check_tree(const RandomTable& table, const std::vector<double>& weights, const Draft& draft, bool whole) {
  const Graph graph = graph::flatten(draft, table.attributes());
  CHECK_EQUAL(graph.problem(), std::string());
  if (!whole) return;
  const Graph* const one = &graph;
  const graph::Forest forest(std::span(&one, 1));
  const auto columns = table.input();
  const graph::InputRows rows{columns, table.dataset.n_rows, 1};
  std::vector<std::int32_t> answers(table.dataset.n_rows);
  forest.predict_members(rows, answers.data(), nullptr);
  double errors = 0.0;
  for (std::size_t row = 0; row < answers.size(); ++row)
    if (answers[row] != table.dataset.classes[row]) errors += weights[row];
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
    const Draft by_threads = oblique::grow_oc1(table.dataset, weights, options);
    CHECK_EQUAL(difference(graph::flatten(draft, table.attributes()), graph::flatten(by_threads, table.attributes())),
                std::string());

    oblique::SadtOptions annealed;
    annealed.tree = options.tree;
    annealed.cooling = {10.0 * share(random), 0.99, 1 + below(random, 100)};
    check_tree(table, weights, oblique::grow_sadt(table.dataset, weights, annealed), options.tree.validation_share == 0.0);
  }
  CHECK(n_planes > 200);
}

// Numbers of any size: sums neither overflow nor fail to be numbers.
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

// A tree by hand: node 2 and its test below are of no use among the rows held out.
void weakest_links_go_first() {
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
  Draft cut = draft;
  const std::vector<double> useless = {5, 1, 1, 1, 0, 1, 0};
  tree::prune_cost_complexity(cut, useless);  // equal errors: the smaller tree, but never the root alone
  CHECK_EQUAL(cut.nodes[2].children.size(), std::size_t{0});
  CHECK_EQUAL(cut.nodes[0].children.size(), std::size_t{2});
  cut = draft;
  const std::vector<double> useful = {5, 1, 3, 1, 0, 0, 0};
  tree::prune_cost_complexity(cut, useful);
  CHECK_EQUAL(cut.nodes[3].children.size(), std::size_t{2});
}

// Far from zero, too, where the mean of squares and the square of the mean are almost the same.
void influence_is_the_spread() {
  RandomTable table;
  table.dataset.n_classes = 1;
  table.dataset.classes.assign(4, 0);
  table.numbers = {{1e9, 1e9 + 1, 1e9 + 1, unknown_number}};
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
  places_are_sorted();
  keys_ascend();
  trees_on_random_tables();
  extreme_numbers();
  weakest_links_go_first();
  influence_is_the_spread();
  return report("oblique");
}
