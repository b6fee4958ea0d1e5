// The growers besides C4.5's: stumps, best first, and programs.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "check.hpp"
#include "grow.hpp"
#include "growers/program.hpp"
#include "growers/stump.hpp"
#include "growers/topdown.hpp"
#include "pruners/pessimistic.hpp"
#include "pruners/program.hpp"

namespace weaklearn::tests {
namespace {

using graph::Graph;
using growers::C45Options;
using growers::Criterion;

void check_stump(const Graph& graph, double total) {
  CHECK_EQUAL(graph.problem(), std::string());
  CHECK_NEAR(graph.nodes[0].weight, total, 1e-9 * total);
  CHECK(graph.depth() <= 1);
  if (graph.is_leaf(0)) return;
  double weight = 0.0;
  double errors = 0.0;
  for (const std::uint32_t branch : graph.branches_of(0)) {
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
  return graph::flatten(growers::grow_stump(table.dataset, weights, n_threads), table.attributes());
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
    C45Options one_test;
    one_test.criterion = Criterion::gini;
    one_test.min_objects = 0;
    one_test.max_depth = 1;
    check_stump(stump, sum_of(weights));
    CHECK(stump.nodes[0].errors <= grow(table, weights, one_test).nodes[0].errors + 1e-9 * sum_of(weights));
    n_tests += stump.depth();
  }
  CHECK(n_tests > 500);
}

void threads_change_no_stump() {
  Random random(8);
  for (const Weighting weighting : {Weighting::unit, Weighting::real}) {
    const RandomTable table = random_table(random, {.n_rows = 9000, .n_continuous = 4, .unknown = 0.05});
    const std::vector<double> weights = random_weights(random, table.dataset.n_rows, weighting);
    const Graph alone = grow_stump(table, weights);
    CHECK_EQUAL(alone.depth(), 1U);
    for (const std::uint32_t n_threads : {2U, 4U})
      CHECK_EQUAL(difference(grow_stump(table, weights, n_threads), alone), std::string());
  }
}

C45Options topdown_options(Random& random) {
  C45Options options;
  constexpr Criterion kinds[] = {Criterion::gain, Criterion::gini, Criterion::km, Criterion::error,
                                 Criterion::tabulated};
  options.criterion = kinds[below(random, 5)];
  if (options.criterion == Criterion::tabulated)  // 4 q (1 - q)
    for (int i = 0; i <= 64; ++i) options.impurities.push_back(2.0 * i * i / 4096 * (1.0 - 0.5 * i * i / 4096));
  options.grouping = below(random, 2) == 0;
  options.min_objects = 1.0 + below(random, 2);
  options.threshold_penalty = false;
  options.collapse = false;
  return options;
}

Graph topdown(const RandomTable& table, const std::vector<double>& weights, const C45Options& options,
              std::uint64_t n_rounds) {
  return graph::flatten(growers::grow_topdown(table.dataset, weights, options, n_rounds), table.attributes());
}

std::size_t n_splits(const Graph& graph) {
  return static_cast<std::size_t>(
      std::ranges::count_if(graph.nodes, [](const graph::Node& node) { return node.n_branches > 0; }));
}

// In any order the same tree comes out, and each round before the last adds one split.
void topdown_on_random_tables() {
  Random random(8);
  std::size_t n_tests = 0;
  for (int round = 0; round < 700; ++round) {
    const RandomTable table = random_table(random, random_shape(random));
    const std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    const C45Options options = topdown_options(random);
    const Graph whole = topdown(table, weights, options, UINT64_MAX);
    CHECK_EQUAL(whole.problem(), std::string());
    CHECK_EQUAL(difference(topdown(table, weights, options, 1000), whole), std::string());
    const std::size_t n_rounds = below(random, 6);
    const Graph first = topdown(table, weights, options, n_rounds);
    CHECK_EQUAL(first.problem(), std::string());
    CHECK_EQUAL(n_splits(first), std::min(n_rounds, n_splits(whole)));
    n_tests += n_splits(whole);
    // Pruning meets values that a grouping did not see.
    graph::Draft draft = growers::grow_topdown(table.dataset, weights, options, UINT64_MAX);
    pruners::prune_pessimistic(draft, table.dataset, weights, 0.25);
    const Graph pruned = graph::flatten(draft, table.attributes());
    CHECK_EQUAL(pruned.problem(), std::string());
    CHECK(pruned.nodes.size() <= whole.nodes.size());
  }
  CHECK(n_tests > 5000);
}

// Whatever it is merged by: the graph is sound, no level loses what it gained, and a pruned one is no larger.
void programs_on_random_tables() {
  Random random(77);
  std::size_t n_shared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const RandomTable table = random_table(random, random_shape(random));
    const std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    growers::ProgramOptions options;
    options.criterion = static_cast<Criterion>(1 + below(random, 4));
    options.merge = static_cast<growers::Merge>(below(random, 4));
    if (options.merge == growers::Merge::grid && table.dataset.n_classes > 2) options.merge = growers::Merge::budget;
    options.max_width = 1 + below(random, 6);
    options.split_without_gain = below(random, 2) == 0;
    options.n_threads = 1 + below(random, 2);
    growers::Program program = growers::grow_program(table.dataset, weights, options);
    const Graph graph = graph::flatten_levels(program.draft, table.attributes());
    CHECK_EQUAL(graph.problem(), std::string());
    CHECK_EQUAL(graph.branches.size(), graph.flow.size());
    CHECK_EQUAL(graph.depth(), static_cast<std::uint32_t>(program.levels.size()));
    for (const growers::Level& level : program.levels) {
      CHECK(level.merged <= level.before + 1e-9);
      if (options.merge == growers::Merge::width) CHECK(level.next_nodes <= options.max_width);
    }
    n_shared += graph.branches.size() + 1 - graph.nodes.size();
    pruners::prune_program(program.draft, table.dataset, weights, 0.25);
    const Graph pruned = graph::flatten_levels(program.draft, table.attributes());
    CHECK_EQUAL(pruned.problem(), std::string());
    CHECK(n_splits(pruned) <= n_splits(graph));
  }
  CHECK(n_shared > 100);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  stumps_on_random_tables();
  threads_change_no_stump();
  topdown_on_random_tables();
  programs_on_random_tables();
  return report("growers");
}
