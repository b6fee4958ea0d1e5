#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "graph/draft.hpp"
#include "graph/powers.hpp"
#include "graph/shrink_shares.hpp"
#include "graphs.hpp"

namespace weaklearn::tests {
namespace {

using graph::Graph;
using graph::Node;
using graph::SplitKind;

// A list of children against a vector, around the sizes at which it takes memory of its own.
void children_are_a_list() {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint32_t> expected(below(random, 6));
    for (std::uint32_t& child : expected) child = below(random, 1000);
    graph::Children children{std::span<const std::uint32_t>(expected)};
    while (true) {
      const graph::Children copy = children;
      graph::Children moved{7};
      moved = graph::Children(children);
      CHECK(std::ranges::equal(copy, expected));
      CHECK(std::ranges::equal(moved, expected));
      CHECK_EQUAL(copy.size(), expected.size());
      CHECK_EQUAL(copy.empty(), expected.empty());
      if (expected.empty()) break;
      CHECK_EQUAL(copy.front(), expected.front());
      CHECK_EQUAL(copy[expected.size() - 1], expected.back());
      for (std::uint32_t& child : children) ++child;
      for (std::uint32_t& child : expected) ++child;
      CHECK(std::ranges::equal(children, expected));
      CHECK(!std::ranges::equal(children, copy));
      children.pop_back();
      expected.pop_back();
    }
    children = {1, 2, 3, 4};
    children.clear();
    CHECK(children.empty());
  }
}

// A shared node is not a corruption: it makes a program of a tree.
void shared_nodes_are_fine() {
  Graph graph = small_graph();
  graph.children[6] = 6;
  graph.nodes.pop_back();
  CHECK_EQUAL(graph.problem(), std::string());
  CHECK_EQUAL(graph.depth(), 2U);
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
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const graph::InputColumn column{{&missing, 1}, nullptr};
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

// Votes by class shares are sums of vote times the shares that the members have alone.
void check_votes_by_shares(const Graph& graph, const RandomTable& table) {
  const Graph* const members[] = {&graph, &graph};
  const graph::Forest forest(members);
  const auto columns = table.input();
  const std::uint32_t n_rows = table.dataset.n_rows;
  const std::size_t size = std::size_t{n_rows} * graph.n_classes;
  std::vector<double> alone(size, 0.0);
  forest_of(graph).class_shares({columns, n_rows}, alone.data());
  std::vector<double> of_members(2 * size, 0.0);
  std::vector<std::int32_t> classes(2 * std::size_t{n_rows});
  forest.predict_members({columns, n_rows}, classes.data(), nullptr, of_members.data());
  const std::vector<double> votes{2.0, 0.75};
  for (const std::uint32_t n_threads : {1U, 3U}) {
    std::vector<double> scores(size, 0.0);
    forest.count_votes({columns, n_rows, n_threads}, {votes, graph::VoteForm::shares}, scores.data());
    for (std::size_t i = 0; i < size; ++i) {
      CHECK_EQUAL(scores[i], 2.0 * alone[i] + 0.75 * alone[i]);
      CHECK_EQUAL(of_members[i], alone[i]);
      CHECK_EQUAL(of_members[size + i], alone[i]);
    }
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
    check_votes_by_shares(graph, rows);
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

// The shares of a leaf below two splits, computed by hand: the weights of the nodes above are 10 and 6.
void shares_are_shrunk_along_the_path() {
  Graph graph = small_graph();
  graph.class_weight[2 * 3] = 1.0;  // node 3, of weight 1, has one class
  graph.class_weight[2 * 3 + 1] = 0.0;
  graph.nodes[4].weight = 0.0;  // an empty leaf predicts its label without shrinkage, else as its parent does
  const std::vector<double> plain = graph::predicted_shares(graph);
  CHECK_EQUAL(plain[2 * 3], 1.0);
  CHECK_EQUAL(plain[2 * 4], 1.0);
  graph::shrink(graph, 2.0, true);
  CHECK_EQUAL(graph.problem(), std::string());
  const std::vector<double> shrunk = graph::predicted_shares(graph);
  CHECK(std::abs(shrunk[2 * 3] - (0.25 + 0.75 / (1.0 + 2.0 / 6.0))) < 1e-12);
  CHECK(std::abs(shrunk[2 * 4] - 0.25) < 1e-12);
  CHECK_EQUAL(graph.nodes[3].label, 0);
  CHECK_EQUAL(graph.nodes[4].label, 1);
  for (std::size_t i = 0; i < shrunk.size(); i += 2) CHECK(std::abs(shrunk[i] + shrunk[i + 1] - 1.0) < 1e-12);

  graph.shrinkage = {-1.0};
  CHECK(!graph.problem().empty());
  graph.shrinkage = {1.0, 1.0};
  CHECK(!graph.problem().empty());
  graph.shrinkage = {1.0};
  graph.children[6] = 6;
  graph.nodes.pop_back();
  CHECK(!graph.problem().empty());  // shared nodes have several paths
}

void powers_are_products_of_square_roots() {
  std::vector<double> numbers{0.0, 0.25, 1.0};
  for (int i = 1; i < 200; ++i) numbers.push_back(i / 200.0);
  const std::vector<double> powers = graph::powers(numbers, 2, {true, false, true});  // the exponent 2.625
  CHECK_EQUAL(powers.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double root = std::sqrt(numbers[i]);
    const double of_digits = std::sqrt(std::sqrt(root)) * root;
    CHECK_EQUAL(powers[i], of_digits * numbers[i] * numbers[i]);
    CHECK_NEAR(powers[i], std::pow(numbers[i], 2.625), 1e-15);
  }
  CHECK(graph::powers({}, 1, {true}).empty());
  CHECK(graph::powers(numbers, 1, {}) == numbers);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  children_are_a_list();
  shared_nodes_are_fine();
  missing_values_follow_branch_weights();
  class_shares_sum_to_one();
  missing_values_are_shared();
  deep_graph();
  shares_are_shrunk_along_the_path();
  powers_are_products_of_square_roots();
  bad_arguments_of_a_forest_are_refused();
  return report("graph");
}
