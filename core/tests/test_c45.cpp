// C4.5, grown depth first, in both arithmetics.
#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "fit/fit_c45.hpp"
#include "grow.hpp"
#include "release8/c45_release8.hpp"

namespace weaklearn::tests {
namespace {

using graph::Graph;
using Release8Options = release8::Options;
using tree::C45Options;

Release8Options release8_options(const C45Options& options) {
  return {.use_gain_ratio = options.search.use_gain_ratio,
          .min_objects = options.search.min_objects,
          .subset = options.search.subset,
          .threshold_penalty = options.search.threshold_penalty,
          .max_depth = options.max_depth};
}

C45Options random_options(Random& random) {
  C45Options options;
  constexpr const char* names[] = {"entropy", "entropy", "gini", "km"};
  const std::uint32_t which = below(random, 4);
  options.criterion.name = names[which];
  options.search.use_gain_ratio = which == 0;
  options.search.min_objects = 0.5 * below(random, 7);
  options.search.subset = below(random, 2) == 0;
  options.search.threshold_penalty = below(random, 2) == 0;
  if (below(random, 4) == 0) options.max_depth = below(random, 4);
  return options;
}

// Checks a tree: the branches of a node have its weight, the errors of a node are those of its leaves, and labels are
// majorities.
void check_tree(const Graph& graph, double total, const C45Options& options) {
  CHECK_EQUAL(graph.problem(), std::string());
  CHECK_NEAR(graph.nodes[0].weight, total, 1e-9 * total);
  CHECK(graph.depth() <= options.max_depth);
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    double largest = 0.0;
    double of_label = 0.0;
    for (std::uint32_t k = node.first_class; k < node.first_class + node.n_classes; ++k) {
      largest = std::max(largest, graph.class_weight[k]);
      if (graph.class_index[k] == node.label) of_label = graph.class_weight[k];
    }
    CHECK_NEAR(of_label, largest, 1e-8 * total);
    if (graph.is_leaf(i)) continue;
    double weight = 0.0;
    double errors = 0.0;
    for (const std::uint32_t branch : graph.children_of(i)) {
      weight += graph.nodes[branch].weight;
      errors += graph.nodes[branch].errors;
    }
    CHECK_NEAR(weight, node.weight, 1e-9 * total);
    CHECK_NEAR(errors, node.errors, 1e-9 * total);
    CHECK(errors < node.weight - of_label - 1e-3 + 1e-9 * total);  // or it would have been collapsed
  }
}

void trees_of_random_tables_are_valid() {
  Random random(1);
  std::size_t n_nodes = 0;
  for (int round = 0; round < 1500; ++round) {
    const RandomTable table = random_table(random, random_shape(random));
    const std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    const C45Options options = random_options(random);
    const Graph graph = grow(table, weights, options);
    check_tree(graph, sum_of(weights), options);
    n_nodes += graph.nodes.size();
  }
  CHECK(n_nodes > 5000);  // the tables were worth growing on
}

// A row of weight 2 equals two copies of the row, and a row of weight 0 equals no row.
void integer_weights_equal_copies() {
  Random random(2);
  for (int round = 0; round < 400; ++round) {
    const RandomTable table = random_table(random, random_shape(random));
    const std::vector<double> weights = random_weights(random, table.dataset.n_rows, Weighting::integer);
    RandomTable copies = table;
    for (auto& column : copies.numbers) column.clear();
    for (auto& column : copies.codes) column.clear();
    copies.dataset.classes.clear();
    for (std::uint32_t row = 0; row < table.dataset.n_rows; ++row)
      for (double copy = 0; copy < weights[row]; ++copy) {
        for (std::size_t c = 0; c < table.numbers.size(); ++c) copies.numbers[c].push_back(table.numbers[c][row]);
        for (std::size_t c = 0; c < table.codes.size(); ++c) copies.codes[c].push_back(table.codes[c][row]);
        copies.dataset.classes.push_back(table.dataset.classes[row]);
      }
    copies.encode();
    const C45Options options = random_options(random);
    const Graph weighted = grow(table, weights, options);
    const Graph copied = grow(copies, std::vector<double>(copies.dataset.n_rows, 1.0), options);
    CHECK_EQUAL(difference(weighted, copied, 1e-9), std::string());
  }
}

// Tests many and few values, unit and real weights, with and without missing values.
void threads_do_not_change_the_tree() {
  Random random(3);
  for (int variant = 0; variant < 4; ++variant) {
    Shape shape{.n_rows = 22000, .n_classes = 3, .n_continuous = 4, .n_nominal = 2, .noise = 0.2};
    shape.missing = variant % 2 == 0 ? 0.0 : 0.03;
    RandomTable table = random_table(random, shape);
    for (double& x : table.numbers[3]) x = std::floor(x * 10);
    table.encode();
    const std::vector<double> weights =
        random_weights(random, shape.n_rows, variant < 2 ? Weighting::unit : Weighting::real);
    C45Options options;
    constexpr const char* names[] = {"entropy", "entropy", "gini", "km"};
    options.criterion.name = names[variant];
    options.search.use_gain_ratio = variant == 0;
    options.search.min_objects = 20;
    options.search.subset = variant == 1;
    const Graph alone = grow(table, weights, options);
    CHECK(alone.nodes.size() > 50);
    for (const std::uint32_t n_threads : {2U, 4U}) {
      options.n_threads = n_threads;
      CHECK_EQUAL(difference(grow(table, weights, options), alone), std::string());
    }
  }
}

// Checks that sending the rows down the finished tree gives each node the weight that it had while growing.
void check_weights_on_the_way(const RandomTable& table, const std::vector<double>& weights, const Graph& tree) {
  const Graph* const members[] = {&tree};
  std::vector<double> taken(tree.children.size() * tree.n_classes, 0.0);
  graph::Forest(members).branch_class_weights({table.input(), table.dataset.n_rows}, table.dataset.classes, weights,
                                              taken.data());
  auto weight = taken.begin();
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
    for (const std::uint32_t branch : tree.children_of(i)) {
      CHECK_NEAR(std::accumulate(weight, weight + tree.n_classes, 0.0), tree.nodes[branch].weight, 1e-6);
      weight += tree.n_classes;
    }
}

// There are so many rows that subtrees are grown on copies of their rows, and their subtrees on copies of these. A
// subtree that another thread grows is copied once.
void copies_of_rows_do_not_change_the_tree() {
  Random random(8);
  for (const std::uint32_t n_classes : {2U, 3U}) {
    Shape shape{.n_rows = 300000, .n_classes = n_classes, .n_continuous = 2, .n_nominal = 1, .noise = 0.1};
    shape.missing = n_classes == 2 ? 0.0 : 0.001;
    RandomTable table = random_table(random, shape);
    if (n_classes == 2)  // a slope, for many steps
      for (std::uint32_t row = 0; row < shape.n_rows; ++row)
        table.dataset.classes[row] = table.numbers[0][row] + uniform(random) > table.numbers[1][row];
    const std::vector<double> weights =
        random_weights(random, shape.n_rows, n_classes == 2 ? Weighting::unit : Weighting::real);
    C45Options options;
    options.search.use_gain_ratio = false;
    options.search.min_objects = 200;
    const Graph alone = grow(table, weights, options);
    CHECK(alone.nodes.size() > 50);
    options.n_threads = 2;
    CHECK_EQUAL(difference(grow(table, weights, options), alone), std::string());
    check_weights_on_the_way(table, weights, alone);
  }
}

// Classes alternate along one column, so each split separates one row at an end. Rows weigh more than the greatest
// minimum that C4.5 requires on each side, so every cut is allowed.
RandomTable chain(std::uint32_t n_rows) {
  std::vector<std::int32_t> classes(n_rows);
  for (std::uint32_t row = 0; row < n_rows; ++row) classes[row] = static_cast<std::int32_t>(row % 2);
  return two_classes(std::move(classes));
}

C45Options chain_options() {
  C45Options options;
  options.search = {.min_objects = 1, .threshold_penalty = false};
  return options;
}

// With a sanitizer, a call needs several times as much stack.
void with_large_stack(const std::function<void()>& step) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{64} << 20);
  pthread_t thread;
  const auto call = [](void* given) -> void* {
    (*static_cast<const std::function<void()>*>(given))();
    return nullptr;
  };
  const int failure = pthread_create(&thread, &attributes, call, const_cast<std::function<void()>*>(&step));
  if (failure == 0) pthread_join(thread, nullptr);
  CHECK_EQUAL(failure, 0);
  pthread_attr_destroy(&attributes);
}

void deep_trees() {
  const RandomTable table = chain(1500);
  const std::vector<double> weights(1500, 30.0);
  const Graph graph = grow(table, weights, chain_options());
  check_tree(graph, 30.0 * 1500, chain_options());
  CHECK(graph.depth() > 1200);

  const RandomTable short_chain = chain(1000);
  const std::vector<double> short_weights(1000, 30.0);
  const auto trees = release8::grow_release8(short_chain.dataset, short_weights, release8_options(chain_options()));
  CHECK(graph::flatten(trees.unpruned, short_chain.column_types()).depth() > 500);

  // Beyond its limit release8 refuses.
  const RandomTable long_chain = chain(5200);
  with_large_stack([&] {
    CHECK_THROWS(
        release8::grow_release8(long_chain.dataset, std::vector<double>(5200, 30.0), release8_options(chain_options())),
        std::invalid_argument);
  });
}

void check_release8(const RandomTable& table, const std::vector<double>& weights, const Release8Options& options) {
  const release8::Trees trees = release8::grow_release8(table.dataset, weights, options);
  const Graph unpruned = graph::flatten(trees.unpruned, table.column_types());
  const Graph pruned = graph::flatten(trees.pruned, table.column_types());
  CHECK_EQUAL(unpruned.problem(), std::string());
  CHECK_EQUAL(pruned.problem(), std::string());
  CHECK(pruned.nodes.size() <= unpruned.nodes.size());
  CHECK(unpruned.depth() <= options.max_depth);
  if (!options.prune) CHECK_EQUAL(difference(pruned, unpruned), std::string());
  const double total = sum_of(weights);
  CHECK_NEAR(unpruned.nodes[0].weight, total, 1e-5 * total);
  CHECK_NEAR(pruned.nodes[0].weight, total, 1e-5 * total);
}

void release8_on_random_tables() {
  Random random(4);
  for (int round = 0; round < 1500; ++round) {
    RandomTable table = random_table(random, random_shape(random));
    if (round % 10 == 0 && !table.numbers.empty())
      for (double& x : table.numbers[0]) x = x < 0 ? -999 : x;  // the original's unknown value
    if (round % 7 == 0 && !table.numbers.empty())  // descending: the worst case of the original's sort
      for (std::size_t row = 0; row < table.numbers[0].size(); ++row) table.numbers[0][row] = -0.25 * double(row);
    table.encode();
    const std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    Release8Options options = release8_options(random_options(random));
    options.use_gain_ratio = below(random, 2) == 0;
    options.min_objects += 0.5;
    options.confidence = uniform(random);
    options.prune = below(random, 4) != 0;
    check_release8(table, weights, options);
  }
}

// The sum of two values may overflow in float32.
void release8_at_the_edge_of_single_precision() {
  const double most = std::numeric_limits<float>::max();
  for (const double sign : {1.0, -1.0}) {
    RandomTable table;
    table.dataset.n_classes = 2;
    table.numbers.resize(1);
    for (int row = 0; row < 20; ++row) {
      table.numbers[0].push_back(sign * most * (row < 10 ? 0.7 : 0.9));
      table.dataset.classes.push_back(row < 10);
    }
    table.encode();
    const std::vector<double> weights(20, 1.0);
    check_release8(table, weights, {});
    CHECK_EQUAL(release8::grow_release8(table.dataset, weights, {}).pruned.nodes.size(), std::size_t{3});
    check_tree(grow(table, weights, {}), 20, {});
    CHECK_EQUAL(grow(table, weights, {}).nodes.size(), std::size_t{3});
  }
}

// The weight of a row with missing values is a product of shares, which can underflow to 0. Its class then has rows but
// no weight at a node. Such a row must not change the tree.
void rows_whose_weight_underflows() {
  constexpr std::uint32_t n_rows = 800;
  for (const std::uint32_t variant : {0U, 1U, 2U, 3U, 4U}) {
    RandomTable table;
    table.dataset.n_classes = 3;
    table.numbers.resize(2);
    table.codes.resize(1);
    table.n_values = {4};
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      const bool second_half = row >= n_rows / 2;
      const auto value = static_cast<std::int32_t>(row % 4);
      table.numbers[0].push_back(second_half);
      table.numbers[1].push_back(variant == 0 ? value : variant == 1 ? value * n_rows + row : 0);
      table.codes[0].push_back(variant >= 2 ? value : 0);
      table.dataset.classes.push_back(second_half && value > 1 ? 1 : 0);
    }
    table.append_missing();
    table.dataset.classes.back() = 2;
    table.encode();
    C45Options options;
    options.search.subset = variant == 3;
    options.search.two_groups = variant == 4;
    std::vector<double> weights(n_rows + 1, 1.5);
    weights.back() = 0.0;
    const Graph expected = grow(table, weights, options);
    CHECK(n_splits(expected) == 2);
    weights.back() = std::numeric_limits<double>::denorm_min();
    const Graph graph = grow(table, weights, options);
    CHECK_EQUAL(graph.nodes.size(), expected.nodes.size());
    for (std::size_t i = 0; i < std::min(graph.nodes.size(), expected.nodes.size()); ++i) {
      CHECK_EQUAL(graph.nodes[i].threshold, expected.nodes[i].threshold);
      CHECK_EQUAL(graph.nodes[i].label, expected.nodes[i].label);
    }
  }
}

// Values of every magnitude, some of them adjacent in float32 or only in double.
void extreme_values() {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    RandomTable table =
        random_table(random, {.n_rows = 300, .n_classes = 2, .n_continuous = 2, .n_nominal = 0, .missing = 0.1});
    const int largest = round % 2 == 0 ? 1020 : 120;
    for (double& x : table.numbers[0]) x = std::ldexp(x / 8, int(random() % (2 * largest)) - largest);
    for (double& x : table.numbers[1]) x = 1e6 * (1 + x * 1e-9);
    table.encode();
    const std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    C45Options options = random_options(random);
    check_tree(grow(table, weights, options), sum_of(weights), options);
  }
}

void release8_rejects_invalid_arguments() {
  Random random(6);
  const RandomTable table = random_table(random, {});
  const std::vector<double> weights(table.dataset.n_rows, 1.0);
  const auto with = [&](auto change) {
    Release8Options options;
    change(options);
    release8::grow_release8(table.dataset, weights, options);
    return 0;
  };
  const fit::C45FitOptions gini{
      .tree = {.criterion = {"gini", {}}, .search = {}}, .limits = {}, .pruning = {}, .release8 = true};
  CHECK_THROWS(fit::fit_c45(table.dataset, weights, gini), std::invalid_argument);
  CHECK_THROWS(with([](Release8Options& o) { o.min_objects = 0; }), std::invalid_argument);
  CHECK_THROWS(with([](Release8Options& o) { o.confidence = 1.5; }), std::invalid_argument);
  CHECK_THROWS(with([](Release8Options& o) { o.confidence = missing_number; }), std::invalid_argument);
  for (const double bad : {-1.0, missing_number, 1e300}) {
    std::vector<double> invalid = weights;
    invalid[3] = bad;
    CHECK_THROWS(release8::grow_release8(table.dataset, invalid, {}), std::invalid_argument);
  }
  CHECK_THROWS(release8::grow_release8(table.dataset, std::vector<double>(3, 1.0), {}), std::invalid_argument);
  CHECK_THROWS(release8::grow_release8(table.dataset, std::vector<double>(weights.size(), 0.0), {}),
               std::invalid_argument);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  trees_of_random_tables_are_valid();
  integer_weights_equal_copies();
  threads_do_not_change_the_tree();
  copies_of_rows_do_not_change_the_tree();
  deep_trees();
  rows_whose_weight_underflows();
  release8_on_random_tables();
  release8_at_the_edge_of_single_precision();
  extreme_values();
  release8_rejects_invalid_arguments();
  return report("c45");
}
