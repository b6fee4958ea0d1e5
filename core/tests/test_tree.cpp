// The growers besides C4.5's: stumps and best first.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "check.hpp"
#include "grow.hpp"
#include "tree/grow_stump.hpp"
#include "tree/grow_topdown.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::tests {
namespace {

using graph::Graph;
using tree::C45Options;
using tree::TopDownOptions;

void check_stump(const Graph& graph, double total) {
  CHECK_EQUAL(graph.problem(), std::string());
  CHECK_NEAR(graph.nodes[0].weight, total, 1e-9 * total);
  CHECK(graph.depth() <= 1);
  if (graph.is_leaf(0)) return;
  double weight = 0.0;
  double errors = 0.0;
  for (const std::uint32_t branch : graph.children_of(0)) {
    weight += graph.nodes[branch].weight;
    errors += graph.nodes[branch].errors;
  }
  double largest = 0.0;
  for (const double x : std::span(graph.class_weight).first(graph.nodes[0].n_classes)) largest = std::max(largest, x);
  CHECK_NEAR(weight, total, 1e-9 * total);
  CHECK_NEAR(errors, graph.nodes[0].errors, 1e-9 * total);
  CHECK(errors < total - largest);
}

Graph grow_stump(const RandomTable& table, const std::vector<double>& weights, std::uint32_t n_threads = 1) {
  return graph::flatten(tree::grow_stump(table.dataset, weights, n_threads), table.column_types());
}

// One test at most, with fewer errors than the label alone, and no more than C4.5's best single test makes.
void stumps_on_random_tables() {
  Random random(7);
  std::size_t n_tests = 0;
  for (int round = 0; round < 1500; ++round) {
    RandomTable table = random_table(random, random_shape(random));
    if (round % 5 == 0 && !table.numbers.empty())  // neighbours in float32 or only in double
      for (double& x : table.numbers[0]) x = 1e6 * (1 + x * 1e-9);
    table.encode();
    const std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    const Graph stump = grow_stump(table, weights);
    const C45Options one_split{.criterion = {"gini", {}}, .search = {.min_objects = 0}, .max_depth = 1};
    check_stump(stump, sum_of(weights));
    CHECK(stump.nodes[0].errors <= grow(table, weights, one_split).nodes[0].errors + 1e-9 * sum_of(weights));
    n_tests += stump.depth();
  }
  CHECK(n_tests > 500);
}

void threads_change_no_stump() {
  Random random(8);
  for (const Weighting weighting : {Weighting::unit, Weighting::real}) {
    const RandomTable table = random_table(random, {.n_rows = 9000, .n_continuous = 4, .missing = 0.05});
    const std::vector<double> weights = random_weights(random, table.dataset.n_rows, weighting);
    const Graph alone = grow_stump(table, weights);
    CHECK_EQUAL(alone.depth(), 1U);
    for (const std::uint32_t n_threads : {2U, 4U})
      CHECK_EQUAL(difference(grow_stump(table, weights, n_threads), alone), std::string());
  }
}

TopDownOptions topdown_options(Random& random) {
  TopDownOptions options;
  constexpr const char* names[] = {"entropy", "gini", "km", "error", "tabulated"};
  options.criterion.name = names[below(random, 5)];
  if (options.criterion.name == "tabulated")  // 4 q (1 - q)
    for (int i = 0; i <= 64; ++i)
      options.criterion.parameters.push_back(2.0 * i * i / 4096 * (1.0 - 0.5 * i * i / 4096));
  options.two_groups = below(random, 2) == 0;
  options.min_objects = 1.0 + below(random, 2);
  return options;
}

Graph topdown(const RandomTable& table, const std::vector<double>& weights, TopDownOptions options,
              std::uint64_t n_rounds) {
  options.n_rounds = n_rounds;
  return graph::flatten(tree::grow_topdown(table.dataset, weights, options), table.column_types());
}

// In any order the same tree comes out, and each round before the last adds one split.
void topdown_on_random_tables() {
  Random random(8);
  std::size_t n_tests = 0;
  for (int round = 0; round < 700; ++round) {
    const RandomTable table = random_table(random, random_shape(random));
    const std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    const TopDownOptions options = topdown_options(random);
    const Graph whole = topdown(table, weights, options, UINT64_MAX);
    CHECK_EQUAL(whole.problem(), std::string());
    CHECK_EQUAL(difference(topdown(table, weights, options, 1000), whole), std::string());
    const std::size_t n_rounds = below(random, 6);
    const Graph first = topdown(table, weights, options, n_rounds);
    CHECK_EQUAL(first.problem(), std::string());
    CHECK_EQUAL(n_splits(first), std::min(n_rounds, n_splits(whole)));
    n_tests += n_splits(whole);
    // Pruning meets values that a grouping did not see.
    graph::Draft draft = tree::grow_topdown(table.dataset, weights, options);
    tree::prune_pessimistic(draft, table.dataset, weights, 0.25);
    const Graph pruned = graph::flatten(draft, table.column_types());
    CHECK_EQUAL(pruned.problem(), std::string());
    CHECK(pruned.nodes.size() <= whole.nodes.size());
  }
  CHECK(n_tests > 5000);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  stumps_on_random_tables();
  threads_change_no_stump();
  topdown_on_random_tables();
  return report("tree");
}
