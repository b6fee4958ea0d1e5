#include <string>
#include <vector>

#include "check.hpp"
#include "random_table.hpp"
#include "release8/pessimistic_errors.hpp"
#include "tree/drop_impossible_branches.hpp"
#include "tree/grow_c45.hpp"
#include "tree/pessimistic_errors.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::tests {
namespace {

using graph::Draft;
using graph::Graph;
using tree::C45Options;

// More confidence, fewer extra errors; never negative from one row up, never more than there are rows.
void extra_errors_fall_with_confidence() {
  Random random(1);
  for (int round = 0; round < 1000; ++round) {
    const double n = 1 + uniform(random) * (round % 2 == 0 ? 5 : 500);
    const double e = round % 5 == 0 ? 0.0 : uniform(random) * n;
    double before = 1e300;
    float before_release8 = 1e30F;
    for (int percent = 1; percent <= 100; ++percent) {
      const double extra = tree::PessimisticErrors(percent / 100.0).extra(n, e);
      CHECK(extra <= before + 1e-9);
      CHECK(extra >= -1e-9 && e + extra <= n + 1e-9);
      before = extra;
      const float release8 =
          release8::PessimisticErrors(static_cast<float>(percent))(static_cast<float>(n), static_cast<float>(e));
      CHECK(release8 <= before_release8 + 1e-3F);
      CHECK_NEAR(release8, extra, 1e-3);
      before_release8 = release8;
    }
  }
  // No errors, closed form: the rate p with (1 - p)^n = confidence.
  CHECK_NEAR(tree::PessimisticErrors(0.25).extra(1, 0), 0.75, 1e-12);
  CHECK_NEAR(tree::PessimisticErrors(0.25).extra(2, 0), 1.0, 1e-12);
  CHECK_NEAR(tree::PessimisticErrors(1.0).extra(10, 0), 0.0, 1e-12);
  for (const double share_of_one : {0.0, 1.0, 1.5})
    CHECK(std::isfinite(tree::PessimisticErrors(share_of_one).extra(10, 3)));
}

C45Options random_options(Random& random) {
  C45Options options;
  options.search.min_objects = 1 + below(random, 2);
  options.search.subset = below(random, 3) == 0;
  return options;
}

Graph pruned(const RandomTable& table, const std::vector<double>& weights, const C45Options& options,
             double confidence) {
  Draft draft = tree::grow_c45(table.dataset, weights, options);
  tree::prune_pessimistic(draft, table.dataset, weights, confidence);
  if (options.search.subset) tree::drop_impossible_branches(draft, table.dataset);
  return graph::flatten(draft, table.column_types());
}

void pruned_trees_are_smaller() {
  Random random(2);
  bool some_shrunk = false;
  for (int round = 0; round < 600; ++round) {
    const RandomTable table = random_table(random, random_shape(random));
    const std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    const C45Options options = random_options(random);
    const Graph whole = graph::flatten(tree::grow_c45(table.dataset, weights, options), table.column_types());
    const Graph less = pruned(table, weights, options, 0.01 + 0.99 * uniform(random));
    CHECK_EQUAL(less.problem(), std::string());
    CHECK(less.nodes.size() <= whole.nodes.size());
    CHECK(less.depth() <= whole.depth());
    CHECK_NEAR(less.nodes[0].weight, whole.nodes[0].weight, 1e-9 * whole.nodes[0].weight);
    some_shrunk = some_shrunk || less.nodes.size() < whole.nodes.size();
  }
  CHECK(some_shrunk);
}

// Where no value is missing the pruner sends only some of the rows down a branch to be raised. An absent row
// of missing values makes it send all of them.
void short_cut_changes_nothing() {
  Random random(3);
  for (int round = 0; round < 600; ++round) {
    Shape shape = random_shape(random);
    shape.missing = 0.0;
    const RandomTable table = random_table(random, shape);
    std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    const C45Options options = random_options(random);
    const double confidence = 0.01 + 0.99 * uniform(random);
    const Graph quick = pruned(table, weights, options, confidence);
    RandomTable longer = table;
    longer.append_missing();
    longer.encode();
    weights.push_back(0.0);
    CHECK_EQUAL(difference(quick, pruned(longer, weights, options, confidence), 1e-9), std::string());
  }
}

// Above a number of rows, codes are looked up elsewhere: copies of rows that are absent take a table there.
void many_rows_are_pruned_alike() {
  Random random(5);
  for (const double missing : {0.0, 0.02}) {
    const RandomTable table =
        random_table(random, {.n_rows = 60000, .n_continuous = 3, .n_nominal = 2, .missing = missing, .noise = 0.3});
    std::vector<double> weights = random_weights(random, table.dataset.n_rows, Weighting::unit);
    const Graph few = pruned(table, weights, {}, 0.25);
    CHECK(few.nodes.size() > 400);
    RandomTable more = table;
    for (std::uint32_t row = 0; row < 10000; ++row) more.append_copy_of(row);
    more.encode();
    weights.resize(more.dataset.n_rows, 0.0);
    CHECK_EQUAL(difference(few, pruned(more, weights, {}, 0.25), 1e-9), std::string());
  }
}

// Estimates of leaves are written anew from the rows that reach them.
void errors_become_estimates() {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    Shape shape = random_shape(random);
    shape.missing = 0.0;
    const RandomTable table = random_table(random, shape);
    const std::vector<double> weights(shape.n_rows, 1.0);
    const Graph graph = pruned(table, weights, {}, 0.25);
    const tree::PessimisticErrors pessimistic(0.25);
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
      const graph::Node& node = graph.nodes[i];
      double expected = 0.0;
      if (!graph.is_leaf(i)) {
        for (const std::uint32_t branch : graph.children_of(i)) expected += graph.nodes[branch].errors;
      } else if (node.weight > 0.0) {
        double errors = node.weight;
        for (std::uint32_t k = node.first_class; k < node.first_class + node.n_classes; ++k)
          if (graph.class_index[k] == node.label) errors -= graph.class_weight[k];
        expected = pessimistic.total(node.weight, errors);
      }
      CHECK_NEAR(node.errors, expected, 1e-9);
    }
  }
}

// Node i asks value <= i; few rows, all far down.
void deep_chain() {
  constexpr std::uint32_t levels = 50000;
  std::vector<std::int32_t> classes(levels + 1);
  for (std::uint32_t value = 0; value <= levels; ++value) classes[value] = static_cast<std::int32_t>(value / 10 % 2);
  const RandomTable table = two_classes(std::move(classes));
  std::vector<double> weights(levels + 1, 0.0);
  for (std::uint32_t row = levels - 50; row <= levels; ++row) weights[row] = 1.0;
  Draft draft(2);
  for (std::uint32_t i = 0; i < levels; ++i) {
    const std::uint32_t node = draft.add();
    draft.nodes[node].split = graph::SplitKind::threshold;
    draft.nodes[node].column = 0;
    draft.nodes[node].threshold = draft.nodes[node].cut = i;
    draft.nodes[node].children = {levels + i, i + 1 < levels ? i + 1 : 2 * levels};
  }
  for (std::uint32_t i = 0; i <= levels; ++i) draft.add();
  CHECK_EQUAL(graph::flatten(draft, table.column_types()).depth(), levels);
  Draft copy = draft;
  tree::drop_impossible_branches(copy, table.dataset);
  CHECK_EQUAL(graph::flatten(copy, table.column_types()).nodes.size(), draft.nodes.size());
  // As a grower would leave it: node i holds the rows from i on, its first branch row i alone.
  const auto put = [&](std::uint32_t node, std::uint32_t row) {
    draft.nodes[node].weight += weights[row];
    draft.weights_of(node)[static_cast<std::size_t>(table.dataset.classes[row])] += weights[row];
  };
  for (std::uint32_t row = levels - 50; row <= levels; ++row) {
    for (std::uint32_t i = 0; i <= std::min(row, levels - 1); ++i) put(i, row);
    put(row < levels ? levels + row : 2 * levels, row);
  }
  for (std::uint32_t i = 0; i < draft.nodes.size(); ++i)
    draft.nodes[i].label = draft.weights_of(i)[1] > draft.weights_of(i)[0];
  tree::prune_pessimistic(draft, table.dataset, weights, 1.0);
  const Graph graph = graph::flatten(draft, table.column_types());
  CHECK_EQUAL(graph.problem(), std::string());
  CHECK(graph.nodes.size() > 3 && graph.nodes.size() < 110);
  CHECK_NEAR(graph.nodes[0].weight, 51.0, 1e-9);
}

void threads_change_nothing() {
  Random random(7);
  for (int round = 0; round < 8; ++round) {
    Shape shape = random_shape(random);
    shape.n_rows = 5000;
    const RandomTable table = random_table(random, shape);
    const auto weights = random_weights(random, shape.n_rows, static_cast<Weighting>(round % 3));
    const C45Options options = random_options(random);
    Draft draft = tree::grow_c45(table.dataset, weights, options);
    Draft again = draft;
    tree::prune_pessimistic(draft, table.dataset, weights, 0.25);
    tree::prune_pessimistic(again, table.dataset, weights, 0.25, 3);
    CHECK_EQUAL(difference(graph::flatten(draft, table.column_types()), graph::flatten(again, table.column_types())),
                std::string());
    CHECK(draft.distribution == again.distribution);
  }
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  extra_errors_fall_with_confidence();
  pruned_trees_are_smaller();
  short_cut_changes_nothing();
  many_rows_are_pruned_alike();
  errors_become_estimates();
  deep_chain();
  threads_change_nothing();
  return report("pruning");
}
