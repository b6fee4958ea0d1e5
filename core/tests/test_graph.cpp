#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "graph/flatten_draft.hpp"
#include "graph/forest.hpp"
#include "graph/graph.hpp"
#include "random_table.hpp"
#include "release8/c45_release8.hpp"
#include "tree/drop_impossible_branches.hpp"
#include "tree/grow_c45.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::tests {
namespace {

using graph::Graph;
using graph::Node;
using graph::SplitKind;

// 0: threshold on column 0 -> 1, 2;  1: multiway on column 1 -> 3, 4, 5;  2: subsets of column 1 -> 6, 7.
Graph small_graph() {
  Graph graph;
  graph.n_classes = 2;
  graph.columns = {{0, true}, {3, true}};
  graph.children = {1, 2, 3, 4, 5, 6, 7};
  graph.value_branch = {0, 1, -1};
  graph.nodes.resize(8);
  const auto set_split = [&](std::size_t i, SplitKind split, std::int32_t column, std::uint32_t first,
                             std::uint32_t n) {
    graph.nodes[i].split = split;
    graph.nodes[i].column = column;
    graph.nodes[i].first_branch = first;
    graph.nodes[i].n_branches = n;
  };
  set_split(0, SplitKind::threshold, 0, 0, 2);
  set_split(1, SplitKind::multiway, 1, 2, 3);
  set_split(2, SplitKind::subset, 1, 5, 2);
  const double weights[] = {10, 6, 4, 1, 2, 3, 2, 2};
  for (std::size_t i = 0; i < 8; ++i) {
    Node& node = graph.nodes[i];
    node.weight = weights[i];
    node.label = i % 2;
    node.first_class = static_cast<std::uint32_t>(graph.class_index.size());
    node.n_classes = 2;
    graph.class_index.insert(graph.class_index.end(), {0, 1});
    graph.class_weight.insert(graph.class_weight.end(), {weights[i] * 0.25, weights[i] * 0.75});
  }
  return graph;
}

void finds_every_corruption() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_EQUAL(small_graph().problem(), std::string());
  CHECK_EQUAL(small_graph().depth(), 2U);
  const std::vector<std::function<void(Graph&)>> corruptions = {
      [](Graph& g) { g.n_classes = 0; },
      [](Graph& g) { g.branch_weights = {1, 2, 3}; },
      [](Graph& g) { g.branch_weights = {6, 4, 1, 2, 3, 2, -1}; },
      [&](Graph& g) { g.branch_weights = {nan, 4, 1, 2, 3, 2, 2}; },
      [](Graph& g) { g.nodes.clear(); },
      [](Graph& g) { g.class_weight.pop_back(); },
      [](Graph& g) {
        g.class_index.pop_back();
        g.class_weight.pop_back();
      },
      [](Graph& g) { g.nodes[3].label = -1; },
      [](Graph& g) { g.nodes[3].label = 2; },
      [&](Graph& g) { g.nodes[3].weight = nan; },
      [&](Graph& g) { g.nodes[3].weight = infinity; },
      [](Graph& g) { g.nodes[3].weight = -1; },
      [&](Graph& g) { g.nodes[3].errors = nan; },
      [](Graph& g) { g.nodes[0].first_branch = 6; },
      [](Graph& g) { g.nodes[0].first_branch = UINT32_MAX; },
      [](Graph& g) { g.nodes[1].n_branches = UINT32_MAX; },
      [](Graph& g) { g.children[0] = 8; },
      [](Graph& g) { g.children[0] = UINT32_MAX; },
      [](Graph& g) { g.nodes[7].first_class = 15; },
      [](Graph& g) { g.nodes[7].n_classes = UINT32_MAX; },
      [](Graph& g) { g.class_index[3] = 2; },
      [](Graph& g) { g.class_index[3] = -1; },
      [&](Graph& g) { g.class_weight[3] = nan; },
      [](Graph& g) { g.class_weight[3] = -0.5; },
      [](Graph& g) { g.nodes[3].n_branches = 1; },            // a leaf with branches
      [](Graph& g) { g.nodes[0].column = -1; },
      [](Graph& g) { g.nodes[0].column = 2; },
      [](Graph& g) { g.nodes[0].column = 1; },                // threshold on a nominal column
      [&](Graph& g) { g.nodes[0].threshold = nan; },
      [&](Graph& g) { g.nodes[0].threshold = -infinity; },
      [](Graph& g) { g.nodes[0].n_branches = 1; },
      [](Graph& g) { g.nodes[1].column = 0; },                // multiway on a continuous column
      [](Graph& g) { g.nodes[1].n_branches = 2; },
      [](Graph& g) { g.nodes[2].column = 0; },                // subsets of a continuous column
      [](Graph& g) { g.nodes[2].n_branches = 0; },
      [](Graph& g) { g.columns[1].n_values = 4; },
      [](Graph& g) { g.nodes[2].first_value = 1; },
      [](Graph& g) { g.nodes[2].first_value = UINT32_MAX; },
      [](Graph& g) { g.value_branch[0] = 2; },
      [](Graph& g) { g.value_branch[0] = -2; },
      [](Graph& g) { g.nodes[0].split = static_cast<SplitKind>(4); },
      [](Graph& g) { g.children[3] = 0; },                    // a circle through the root
      [](Graph& g) { g.children[3] = 1; },                    // a circle of one
      [](Graph& g) {
        g.children[5] = 1;
        g.children[3] = 2;
      }, // a circle of two
      [](Graph& g) { g.children[1] = 1; },                    // 2 cannot be reached
      [](Graph& g) { g.nodes.push_back(g.nodes[7]); },
      [](Graph& g) {  // the range of branches of node 2 is that of the root: 2 leads to itself
        g.nodes[2] = g.nodes[0];
        g.nodes.resize(6);
        g.children.resize(5);
      },
  };
  for (std::size_t i = 0; i < corruptions.size(); ++i) {
    Graph graph = small_graph();
    corruptions[i](graph);
    const bool found = !graph.problem().empty();
    if (!found) std::cerr << "corruption number " << i << std::endl;
    CHECK(found);
  }
  // A branch that belongs to no node must be refused or ignored, but never followed.
  Graph graph = small_graph();
  graph.children.push_back(1000000);
  CHECK(graph.problem().size() < 200);
}

// A shared node is not a corruption: it makes a program of a tree.
void shared_nodes_are_fine() {
  Graph graph = small_graph();
  graph.children[6] = 6;
  graph.nodes.pop_back();
  CHECK_EQUAL(graph.problem(), std::string());
  CHECK_EQUAL(graph.depth(), 2U);
}

graph::Forest forest_of(const Graph& graph) {
  const Graph* const only = &graph;
  return graph::Forest({&only, 1});
}

// Both branches of node 1 and one of node 2 lead to one leaf of weight 9, the rest to one of weight 1.
// A row with a missing value is distributed as the training rows were, not by the weights of the leaves.
void missing_values_follow_branch_weights() {
  Graph graph;
  graph.n_classes = 2;
  graph.columns = {{0, true}};
  graph.children = {1, 2, 3, 3, 3, 4};
  graph.branch_weights = {5, 5, 2, 3, 4, 1};
  graph.nodes.resize(5);
  const double weights[] = {10, 5, 5, 9, 1};
  for (std::uint32_t i = 0; i < 5; ++i) {
    Node& node = graph.nodes[i];
    if (i < 3) {
      node.split = SplitKind::threshold;
      node.column = 0;
      node.first_branch = 2 * i;
      node.n_branches = 2;
    }
    node.weight = weights[i];
    node.label = i == 4;
    node.first_class = i;
    node.n_classes = 1;
    graph.class_index.push_back(node.label);
    graph.class_weight.push_back(weights[i]);
  }
  CHECK_EQUAL(graph.problem(), std::string());
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const graph::InputColumn column{{&unknown, 1}, nullptr};
  double shares[2] = {0.0, 0.0};
  forest_of(graph).class_shares({{&column, 1}, 1}, shares);
  CHECK_NEAR(shares[0], 0.9, 1e-12);
  CHECK_NEAR(shares[1], 0.1, 1e-12);
}

void check_predictions(const Graph& graph, const RandomTable& table, double tolerance) {
  const graph::Forest forest = forest_of(graph);
  const auto columns = table.input();
  const std::uint32_t n_rows = table.dataset.n_rows;
  std::vector<std::int32_t> classes(n_rows, -1);
  std::vector<double> weights(std::size_t{n_rows} * graph.n_classes, 0.0);
  forest.predict_members({columns, n_rows}, classes.data(), nullptr);
  forest.class_shares({columns, n_rows}, weights.data());
  for (std::uint32_t row = 0; row < n_rows; ++row) {
    const double* of_row = weights.data() + std::size_t{row} * graph.n_classes;
    double sum = 0.0;
    std::uint32_t largest = 0;
    for (std::uint32_t k = 0; k < graph.n_classes; ++k) {
      CHECK(of_row[k] >= 0.0);
      sum += of_row[k];
      if (of_row[k] > of_row[largest] + 1e-9) largest = k;
    }
    CHECK_NEAR(sum, 1.0, tolerance);
    CHECK_EQUAL(classes[row], static_cast<std::int32_t>(largest));
  }
  for (const std::uint32_t n_threads : {2U, 4U}) {
    std::vector<std::int32_t> again(n_rows, -1);
    std::vector<double> weights_again(weights.size(), 0.0);
    forest.predict_members({columns, n_rows, n_threads}, again.data(), nullptr);
    forest.class_shares({columns, n_rows, n_threads}, weights_again.data());
    CHECK(again == classes);
    CHECK(weights_again == weights);
  }
}

// The weights that leave a node along its branches sum to the weight that arrives there, in every class.
void check_branch_class_weights(const Graph& graph, const RandomTable& table, Random& random) {
  const auto columns = table.input();
  const std::uint32_t n_rows = table.dataset.n_rows;
  std::vector<std::int32_t> classes(n_rows);
  std::vector<double> weights(n_rows);
  std::vector<double> at(graph.nodes.size() * graph.n_classes, 0.0);
  for (std::uint32_t row = 0; row < n_rows; ++row) {
    classes[row] = static_cast<std::int32_t>(below(random, graph.n_classes));
    weights[row] = below(random, 3);
    at[static_cast<std::size_t>(classes[row])] += weights[row];
  }
  std::size_t n_branches = 0;
  for (const Node& node : graph.nodes) n_branches += node.n_branches;
  std::vector<double> taken(n_branches * graph.n_classes, 0.0);
  forest_of(graph).branch_class_weights({columns, n_rows, 4}, classes, weights, taken.data());
  std::size_t branch = 0;
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    for (std::uint32_t k = 0; k < graph.n_classes; ++k) {
      double leaving = 0.0;
      for (std::uint32_t b = 0; b < graph.nodes[node].n_branches; ++b) {
        const double of_branch = taken[(branch + b) * graph.n_classes + k];
        at[std::size_t{graph.children_of(node)[b]} * graph.n_classes + k] += of_branch;
        leaving += of_branch;
      }
      if (!graph.is_leaf(node)) CHECK_NEAR(leaving, at[std::size_t{node} * graph.n_classes + k], 1e-6 * n_rows);
    }
    branch += graph.nodes[node].n_branches;
  }
}

Graph random_graph(Random& random, const RandomTable& table, bool release8) {
  tree::C45Options options;
  options.search.min_objects = 1.0 + below(random, 2);
  options.search.subset = below(random, 2) == 0;
  const bool prune = below(random, 2) == 0;
  const double confidence = 0.05 + 0.95 * uniform(random);
  const std::vector<double> weights =
      random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
  if (release8) {
    const release8::Options same{.min_objects = options.search.min_objects,
                                 .subset = options.search.subset,
                                 .prune = prune,
                                 .confidence = confidence};
    return graph::flatten(release8::grow_release8(table.dataset, weights, same).pruned, table.column_types());
  }
  graph::Draft draft = tree::grow_c45(table.dataset, weights, options);
  if (prune) tree::prune_pessimistic(draft, table.dataset, weights, confidence);
  if (prune && options.search.subset) tree::drop_impossible_branches(draft, table.dataset);
  return graph::flatten(draft, table.column_types());
}

void class_shares_sum_to_one() {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    Shape shape = random_shape(random);
    const bool release8 = round % 3 == 0;
    const Graph graph = random_graph(random, random_table(random, shape), release8);
    CHECK_EQUAL(graph.problem(), std::string());
    shape.missing = 0.3 * (round % 2);
    shape.n_values += round % 5 == 0;  // values that training never declared
    const RandomTable rows = random_table(random, shape);
    check_predictions(graph, rows, release8 ? 1e-5 : 1e-9);
    check_branch_class_weights(graph, rows, random);
  }
  Shape large{.n_rows = 20000, .n_classes = 4, .n_continuous = 4, .missing = 0.1};
  const RandomTable table = random_table(random, large);
  check_predictions(
      random_graph(random, random_table(random, {.n_rows = 500, .n_classes = 4, .n_continuous = 4}), false), table,
      1e-9);
}

// Computed by hand: 0.6 of the row with a missing value goes to node 1, 0.4 to node 2.
void missing_values_are_shared() {
  const Graph graph = small_graph();
  const double numbers[] = {-1, 1, missing_number};
  const std::int32_t codes[] = {1, 2, 0};
  const std::vector<graph::InputColumn> columns = {{{numbers, 1}, nullptr}, {{}, codes}};
  double weights[6] = {};
  forest_of(graph).class_shares({columns, 3}, weights);
  for (int row = 0; row < 3; ++row) {
    CHECK_NEAR(weights[2 * row], 0.25, 1e-12);
    CHECK_NEAR(weights[2 * row + 1], 0.75, 1e-12);
  }
  std::int32_t leaves[3];
  forest_of(graph).apply({columns, 3}, leaves);
  CHECK_EQUAL(leaves[0], 4);
  CHECK_EQUAL(leaves[1],
              6);  // no subset has the value 2: both leaves of node 2 have the share 0.5, the lower index wins
  CHECK_EQUAL(leaves[2], 3);
  const graph::Paths paths = forest_of(graph).decision_path({columns, 3});
  CHECK(paths.row_start == std::vector<std::int64_t>({0, 3, 7, 12}));
  CHECK(paths.nodes == std::vector<std::int32_t>({0, 1, 4, 0, 2, 6, 7, 0, 1, 2, 3, 6}));
  CHECK(paths.shares == std::vector<double>({1, 1, 1, 1, 1, 0.5, 0.5, 1, 0.6, 0.4, 0.6, 0.4}));
  Graph other = graph;
  other.class_weight[2 * 3] = 1;  // node 3 is certain of class 0
  other.class_weight[2 * 3 + 1] = 0;
  std::ranges::fill(weights, 0.0);
  forest_of(other).class_shares({columns, 3}, weights);
  CHECK_NEAR(weights[4], 0.6 * 1 + 0.4 * 0.25, 1e-12);
}

template <class T>
void spoil(Random& random, std::vector<T>& values) {
  if (values.empty()) return;
  T& value = values[below(random, static_cast<std::uint32_t>(values.size()))];
  switch (below(random, 5)) {
    case 0:
      value = static_cast<T>(-1);
      break;
    case 1:
      value = std::numeric_limits<T>::max();
      break;
    case 2:
      value = std::numeric_limits<T>::lowest();
      break;
    case 3:
      value = static_cast<T>(below(random, 12));
      break;
    default:
      if (value < std::numeric_limits<T>::max()) value = static_cast<T>(value + static_cast<T>(1));
      break;
  }
}

void spoil(Random& random, Node& node) {
  const std::uint32_t number = below(random, 3) == 0 ? UINT32_MAX - below(random, 3) : below(random, 12);
  switch (below(random, 11)) {
    case 0:
      node.split = static_cast<SplitKind>(below(random, 6));
      break;
    case 1:
      node.column = static_cast<std::int32_t>(number);
      break;
    case 2:
      node.label = static_cast<std::int32_t>(number);
      break;
    case 3:
      node.threshold = below(random, 2) ? missing_number : 1e308;
      break;
    case 4:
      node.weight = below(random, 2) ? missing_number : 0.0;
      break;
    case 5:
      node.errors = below(random, 2) ? missing_number : -1e308;
      break;
    case 6:
      node.first_branch = number;
      break;
    case 7:
      node.n_branches = number;
      break;
    case 8:
      node.first_value = number;
      break;
    case 9:
      node.first_class = number;
      break;
    default:
      node.n_classes = number;
      break;
  }
}

void spoil(Random& random, Graph& graph) {
  switch (below(random, 9)) {
    case 0:
      spoil(random, graph.children);
      break;
    case 1:
      spoil(random, graph.value_branch);
      break;
    case 2:
      spoil(random, graph.class_index);
      break;
    case 3:
      spoil(random, graph.class_weight);
      break;
    case 4:
      graph.children.resize(below(random, static_cast<std::uint32_t>(graph.children.size()) + 3));
      break;
    case 5:
      graph.columns[below(random, static_cast<std::uint32_t>(graph.columns.size()))].n_values = below(random, 9);
      break;
    case 6:
      graph.n_classes = below(random, 5);
      break;
    default:
      spoil(random, graph.nodes[below(random, static_cast<std::uint32_t>(graph.nodes.size()))]);
      break;
  }
}

// Every corruption is found or does no harm: rows must reach an end in every graph that passes the check.
void random_corruption_does_no_harm() {
  Random random(2);
  std::uint32_t found = 0;
  for (int round = 0; round < 40; ++round) {
    Shape shape = random_shape(random);
    const Graph valid = random_graph(random, random_table(random, shape), false);
    shape.missing = 0.3;
    shape.n_rows = 20;
    const RandomTable rows = random_table(random, shape);
    // A column may have changed its kind, so every column has both numbers and codes.
    std::vector<graph::InputColumn> columns = rows.input();
    const std::vector<double> numbers(shape.n_rows, 0.5);
    const std::vector<std::int32_t> codes(shape.n_rows, 1);
    for (graph::InputColumn& column : columns) {
      if (column.codes == nullptr) column.codes = codes.data();
      if (column.numbers.first == nullptr) column.numbers.first = numbers.data();
    }
    for (int again = 0; again < 300; ++again) {
      Graph graph = valid;
      for (std::uint32_t n = 1 + below(random, 3); n-- > 0;) spoil(random, graph);
      const std::string problem = graph.problem();
      if (!problem.empty()) {
        ++found;
        continue;
      }
      const graph::Forest forest = forest_of(graph);
      std::vector<std::int32_t> classes(shape.n_rows);
      forest.predict_members({columns, shape.n_rows}, classes.data(), nullptr);
      for (const std::int32_t k : classes) CHECK(k >= 0 && static_cast<std::uint32_t>(k) < graph.n_classes);
      std::size_t n_branches = 0;
      for (const Node& node : graph.nodes) n_branches += node.n_branches;
      std::vector<double> taken(n_branches * graph.n_classes);
      forest.branch_class_weights({columns, shape.n_rows}, classes, std::vector<double>(shape.n_rows, 1.0),
                                  taken.data());
      std::vector<std::int32_t> leaves(shape.n_rows);
      forest.apply({columns, shape.n_rows}, leaves.data());
      for (const std::int32_t leaf : leaves) CHECK(leaf == -1 || graph.is_leaf(static_cast<std::uint32_t>(leaf)));
      const graph::Paths paths = forest.decision_path({columns, shape.n_rows});
      CHECK_EQUAL(paths.row_start.size(), std::size_t{shape.n_rows} + 1);
      CHECK_EQUAL(static_cast<std::size_t>(paths.row_start.back()), paths.nodes.size());
      CHECK(graph.depth() < graph.nodes.size());
    }
  }
  CHECK(found > 1000);
}

void deep_graph() {
  constexpr std::uint32_t levels = 50000;
  Graph graph;
  graph.n_classes = 1;
  graph.columns = {{0, true}};
  for (std::uint32_t i = 0; i < levels; ++i) {
    Node node;
    node.split = SplitKind::threshold;
    node.column = 0;
    node.threshold = i;
    node.weight = 1 + levels - i;
    node.first_branch = 2 * i;
    node.n_branches = 2;
    graph.nodes.push_back(node);
    graph.children.insert(graph.children.end(), {levels + i, i + 1 < levels ? i + 1 : 2 * levels});
  }
  graph.nodes.resize(2 * levels + 1);
  for (std::uint32_t i = levels; i < graph.nodes.size(); ++i) graph.nodes[i].weight = 1;
  CHECK_EQUAL(graph.problem(), std::string());
  CHECK_EQUAL(graph.depth(), levels);
  const double numbers[] = {0, 1e6, missing_number};
  const std::vector<graph::InputColumn> columns = {{{numbers, 1}, nullptr}};
  std::int32_t classes[3];
  forest_of(graph).predict_members({columns, 3}, classes, nullptr);
  CHECK_EQUAL(classes[2], 0);
}

void bad_arguments_of_a_forest_are_refused() {
  const Graph graph = small_graph();
  Graph more_classes = graph;
  more_classes.n_classes = 3;
  const Graph* const twice[] = {&graph, &graph};
  const Graph* const different[] = {&graph, &more_classes};
  CHECK_THROWS(graph::Forest(std::span<const Graph* const>()), std::invalid_argument);
  CHECK_THROWS(graph::Forest(different), std::invalid_argument);

  const double numbers[] = {0.0, 1.0};
  const std::int32_t codes[] = {0, 1};
  const std::vector<graph::InputColumn> columns = {{{numbers, 1}, nullptr}, {{}, codes}};
  const graph::InputRows rows{columns, 2};
  const std::vector<double> votes{1.0, 1.0};
  const std::vector<std::int32_t> classes{0, 1};
  const std::vector<std::int32_t> wrong_classes{0, 2};
  const std::vector<std::uint32_t> priority{1, 0};
  const std::vector<std::uint32_t> repeated{1, 1};
  std::vector<double> out(64, 0.0);
  std::vector<std::int32_t> predicted(2);
  const graph::Forest forest(twice);
  const graph::Forest single = forest_of(graph);
  const graph::Votes too_few{std::span(votes).first(1)};
  CHECK_THROWS(forest.count_votes(rows, too_few, out.data()), std::invalid_argument);
  CHECK_THROWS(forest.predict(rows, {votes}, repeated, predicted.data()), std::invalid_argument);
  CHECK_THROWS(forest.predict(rows, {votes}, std::span(priority).first(1), predicted.data()), std::invalid_argument);
  CHECK_THROWS(forest.margins(rows, {votes}, wrong_classes, out.data()), std::invalid_argument);
  CHECK_THROWS(forest.class_shares(rows, out.data()), std::invalid_argument);
  CHECK_THROWS(single.excess(rows, out.data()), std::invalid_argument);
  CHECK_THROWS(single.branch_class_weights(rows, classes, std::span(votes).first(1), out.data()),
               std::invalid_argument);
  forest.predict(rows, {votes}, priority, predicted.data());
  single.branch_class_weights(rows, classes, votes, out.data());
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  finds_every_corruption();
  shared_nodes_are_fine();
  missing_values_follow_branch_weights();
  class_shares_sum_to_one();
  missing_values_are_shared();
  random_corruption_does_no_harm();
  deep_graph();
  bad_arguments_of_a_forest_are_refused();
  return report("graph");
}
