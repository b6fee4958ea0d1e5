// Rows of missing value that take one branch: the best cut compared with a naive search, and trees that use it.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "criteria/registry.hpp"
#include "splits/best_cut.hpp"
#include "splits/value_table.hpp"
#include "test_node.hpp"
#include "tree/grow_c45.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::tests {
namespace {

using data::Column;
using data::Entry;
using splits::Scratch;
using splits::Split;

// Tries every cut with the missing rows on each side, and then the missing against the known rows.
template <class C>
Split naive_best(const C& criterion, const TestNode& node, const Column& column, const std::vector<double>& weights) {
  const auto code = [&](std::uint32_t row) { return data::code_of(column, row); };
  std::vector<std::uint32_t> codes;
  for (const std::uint32_t row : node.rows)
    if (code(row) < column.n_codes) codes.push_back(code(row));
  std::ranges::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  const double total = node.view.total;
  double minsplit = 0.1 * total / static_cast<double>(node.class_weights.size());
  minsplit = minsplit <= node.view.min_objects + 1e-9 ? node.view.min_objects : std::min(minsplit, 25.0);
  Split best;
  best.gain = 0.0;
  int tries = 0;
  const auto try_sides = [&](const auto& is_above) {
    Groups sides(2, std::vector<double>(node.class_weights.size(), 0.0));
    for (const std::uint32_t row : node.rows)
      sides[is_above(code(row))][static_cast<std::size_t>(node.view.class_of[row])] += weights[row];
    const double lighter = std::min(weight(sides[0]), weight(sides[1]));
    if (criteria::less(lighter, minsplit)) return false;
    ++tries;
    if (criteria::less(lighter, node.view.min_objects)) return false;
    const double gain = naive_gain(criterion, sides, total);
    if (gain <= best.gain + 1e-9) return false;
    best.gain = gain;
    best.split_info = naive_split_info(sides, total);
    best.n_branches = 2;
    return true;
  };
  if (total < 2 * node.view.min_objects - 1e-9) return {};
  for (std::size_t i = 0; i + 1 < codes.size(); ++i) {
    if (!(column.values[codes[i]] < column.values[codes[i + 1]] - 1e-5)) continue;
    double known[2] = {};
    for (const std::uint32_t row : node.rows)
      if (code(row) < column.n_codes) known[code(row) > codes[i]] += weights[row];
    const std::int32_t heavier = criteria::at_least(known[0], known[1]) ? 0 : 1;
    for (const std::int32_t branch : {heavier, 1 - heavier}) {
      if (!try_sides([&](std::uint32_t c) { return c == column.n_codes ? branch == 1 : c > codes[i]; })) continue;
      best.low = codes[i];
      best.high = codes[i + 1];
      best.missing_branch = branch;
    }
  }
  if (!codes.empty() && try_sides([&](std::uint32_t c) { return c == column.n_codes; })) {
    best.known_together = true;
    best.missing_branch = 1;
  }
  if (best.n_branches > 0 && node.view.threshold_penalty) best.gain -= std::log2(tries) / total;
  return best.n_branches == 0 || best.gain <= 1e-9 ? Split{} : best;
}

void check_same(const Split& split, const Split& expected, const Column& column) {
  CHECK_NEAR(split.gain, expected.gain, 1e-9);
  CHECK_NEAR(split.split_info, expected.split_info, 1e-8);
  CHECK_EQUAL(split.n_branches, expected.n_branches);
  if (expected.n_branches == 0) return;
  CHECK_EQUAL(split.missing_branch, expected.missing_branch);
  CHECK_EQUAL(split.known_together, expected.known_together);
  if (expected.known_together) return;
  CHECK_EQUAL(split.by_row ? code_of(column, split.low) : split.low, expected.low);
  CHECK_EQUAL(split.by_row ? code_of(column, split.high) : split.high, expected.high);
}

template <class C, class Weights>
void check_cuts(const C& criterion, const Weights& counting, const TestNode& node, const Column& column,
                const std::vector<double>& weights) {
  Scratch scratch;
  std::vector<Entry> list;
  for (const std::uint32_t row : node.rows) {
    const std::uint32_t code = data::code_of(column, row);
    if (code < column.n_codes)
      list.push_back({static_cast<float>(column.values[code]), node.view.tagging.tag(row, node.view.class_of[row])});
  }
  std::ranges::stable_sort(list, {},
                           [&](Entry entry) { return data::code_of(column, node.view.tagging.row(entry.tag)); });
  if (list.size() == node.rows.size()) return;
  const Split expected = naive_best(criterion, node, column, weights);
  check_same(splits::best_cut_of_list<Weights, Entry>(counting, node.view, column, list, scratch), expected, column);
  check_same(best_cut_of_list(counting, node.view, column, rows_by_code(node.view, column, scratch), scratch), expected,
             column);
  check_same(best_cut_of_table(counting, node.view, column, fill_table(counting, node.view, column, scratch), scratch),
             expected, column);
}

template <class C>
void cuts_match_naive_search(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 200; ++round) {
    Shape shape;
    shape.n_rows = round % 10 == 0 ? 500 : 2 + below(random, 60);
    shape.n_classes = 1 + below(random, 4);
    shape.n_continuous = 1;
    shape.n_nominal = 0;
    shape.n_distinct = below(random, 2) * (1 + below(random, 10));
    shape.missing = 0.1 + 0.8 * uniform(random);
    shape.noise = uniform(random);
    const RandomTable table = random_table(random, shape);
    const C criterion(shape.n_classes);
    const std::vector<double> ones(table.dataset.n_rows, 1.0);
    std::vector<double> weights(table.dataset.n_rows);
    for (double& w : weights) w = 0.25 * (1 + below(random, 8));
    const std::vector<std::uint32_t> rows = random_rows(random, table.dataset.n_rows, 0.8);
    for (const double min_objects : {0.5, 2.0}) {
      TestNode unit_node(table.dataset, rows, ones);
      TestNode real_node(table.dataset, rows, weights);
      for (TestNode* node : {&unit_node, &real_node}) {
        node->view.missing_takes_branch = true;
        node->view.min_objects = min_objects;
        node->view.threshold_penalty = C::in_bits;
      }
      const criteria::TermTable<C> terms(table.dataset.n_rows);
      const Column& column = table.dataset.columns[0];
      check_cuts(criterion, splits::UnitWeights<C>{criterion, terms}, unit_node, column, ones);
      check_cuts(criterion, splits::RealWeights<C>{criterion, weights}, real_node, column, weights);
    }
  }
}

// Missing rows, almost all of them of one class, are more than `minsplit` and fewer or more than min_objects.
template <class C>
void missing_rows_below_min_objects(std::uint64_t seed) {
  Random random(seed);
  for (std::uint32_t n_missing = 22; n_missing < 32; ++n_missing) {
    Shape shape;
    shape.n_rows = 600;
    shape.n_classes = 2;
    shape.n_continuous = 1;
    shape.n_nominal = 0;
    shape.n_distinct = 4;
    RandomTable table = random_table(random, shape);
    for (std::uint32_t row = 0; row < shape.n_rows; ++row) {
      table.dataset.classes[row] = row < n_missing || uniform(random) < 0.1 ? 1 : 0;
      if (row < n_missing) table.numbers[0][row] = missing_number;
    }
    table.encode();
    std::vector<std::uint32_t> rows(shape.n_rows);
    std::iota(rows.begin(), rows.end(), 0U);
    const std::vector<double> ones(shape.n_rows, 1.0);
    TestNode node(table.dataset, std::move(rows), ones);
    node.view.missing_takes_branch = true;
    node.view.min_objects = 28;
    const C criterion(2);
    const criteria::TermTable<C> terms(shape.n_rows);
    check_cuts(criterion, splits::UnitWeights<C>{criterion, terms}, node, table.dataset.columns[0], ones);
    check_cuts(criterion, splits::RealWeights<C>{criterion, ones}, node, table.dataset.columns[0], ones);
  }
}

// Every row ends at one leaf, in training, pruning and prediction.
void rows_take_one_path() {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    Shape shape;
    shape.n_rows = 20 + below(random, 300);
    shape.missing = 0.3;
    const RandomTable table = random_table(random, shape);
    const std::vector<double> ones(table.dataset.n_rows, 1.0);
    tree::C45Options options;
    options.search.missing_takes_branch = true;
    options.search.subset = round % 2 == 1;
    options.search.min_objects = 1.0;
    graph::Draft draft = tree::grow_c45(table.dataset, ones, options);
    if (round % 3 > 0) tree::prune_pessimistic(draft, table.dataset, ones, 0.25, 1, {});
    const graph::Graph graph = graph::flatten(draft, table.column_types());
    CHECK_EQUAL(graph.problem(), std::string());
    const graph::Graph* const members[] = {&graph};
    const std::vector<graph::InputColumn> input = table.input();
    const graph::Paths paths = graph::Forest(members).decision_path({input, table.dataset.n_rows, 1});
    std::vector<double> reached(graph.nodes.size(), 0.0);
    for (std::size_t i = 0; i < paths.nodes.size(); ++i) {
      CHECK_EQUAL(paths.shares[i], 1.0);
      reached[static_cast<std::size_t>(paths.nodes[i])] += 1.0;
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) CHECK_EQUAL(graph.nodes[i].weight, reached[i]);
  }
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn;
  using namespace weaklearn::tests;
  cuts_match_naive_search<criteria::Entropy>(1);
  cuts_match_naive_search<criteria::Gini>(2);
  cuts_match_naive_search<criteria::KearnsMansour>(3);
  missing_rows_below_min_objects<criteria::Entropy>(6);
  missing_rows_below_min_objects<criteria::Gini>(7);
  rows_take_one_path();
  return report("missing_branch");
}
