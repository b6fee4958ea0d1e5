// The best cut of continuous columns, found in three ways, compared with a naive search.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "criteria/registry.hpp"
#include "splits/best_cut.hpp"
#include "splits/float_screen.hpp"
#include "splits/value_table.hpp"
#include "test_node.hpp"

namespace weaklearn::tests {
namespace {

using data::Column;
using data::Entry;
using splits::Scratch;
using splits::Split;

// Computes every cut separately.
template <class C>
Split naive_best_cut(const C& criterion, const TestNode& node, const Column& column,
                     const std::vector<double>& weights) {
  std::vector<std::uint32_t> codes;
  double known = 0.0;
  for (const std::uint32_t row : node.rows) {
    if (data::code_of(column, row) == column.n_codes) continue;
    codes.push_back(data::code_of(column, row));
    known += weights[row];
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  double minsplit = 0.1 * known / static_cast<double>(node.class_weights.size());
  minsplit = minsplit <= node.view.min_objects + 1e-9 ? node.view.min_objects : std::min(minsplit, 25.0);
  Split best;
  best.gain = 0.0;
  int tries = 0;
  for (std::size_t i = 0; i + 1 < codes.size() && known >= 2 * node.view.min_objects - 1e-9; ++i) {
    Groups sides(2, std::vector<double>(node.class_weights.size(), 0.0));
    for (const std::uint32_t row : node.rows) {
      const std::uint32_t code = data::code_of(column, row);
      if (code < column.n_codes)
        sides[code > codes[i]][static_cast<std::size_t>(node.view.class_of[row])] += weights[row];
    }
    if (criteria::less(weight(sides[0]), minsplit) || criteria::more(weight(sides[0]), known - minsplit)) continue;
    if (!(column.values[codes[i]] < column.values[codes[i + 1]] - 1e-5)) continue;
    ++tries;
    if (std::min(weight(sides[0]), weight(sides[1])) < node.view.min_objects - 1e-9) continue;
    const double gain = naive_gain(criterion, sides, node.view.total);
    if (gain <= best.gain + 1e-9) continue;
    best.gain = gain;
    best.split_info = naive_split_info(sides, node.view.total);
    best.low = codes[i];
    best.high = codes[i + 1];
    best.n_branches = 2;
  }
  if (best.n_branches > 0 && node.view.threshold_penalty) best.gain -= std::log2(tries) / node.view.total;
  return best.n_branches == 0 || best.gain <= 1e-9 ? Split{} : best;
}

void check_same(const Split& a, const Split& b) {
  CHECK_NEAR(a.gain, b.gain, 1e-9);
  CHECK_NEAR(a.split_info, b.split_info, 1e-8);
  CHECK_EQUAL(a.low, b.low);
  CHECK_EQUAL(a.high, b.high);
  CHECK_EQUAL(a.n_branches, b.n_branches);
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

  const Split expected = naive_best_cut(criterion, node, column, weights);
  Split by_row = splits::best_cut_of_list<Weights, Entry>(counting, node.view, column, list, scratch);
  if (by_row.by_row) {
    by_row.low = code_of(column, by_row.low);
    by_row.high = code_of(column, by_row.high);
  }
  check_same(by_row, expected);
  check_same(best_cut_of_list(counting, node.view, column, rows_by_code(node.view, column, scratch), scratch),
             expected);
  check_same(best_cut_of_table(counting, node.view, column, fill_table(counting, node.view, column, scratch), scratch),
             expected);

  // A grower sums up the rows of a node once for all columns.
  splits::Sides<typename Weights::Count> sides;
  sides.start(node.view.n_local);
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    sides.high[node.local_class[i]] += counting.weight_of(node.rows[i]);
    if constexpr (!Weights::unit) ++sides.rows_above[node.local_class[i]];
  }
  sides.sum_up(counting);
  Weights summed_up = counting;
  summed_up.node_sides = &sides;
  check_same(best_cut_of_list(summed_up, node.view, column, rows_by_code(node.view, column, scratch), scratch),
             expected);
  check_same(best_cut_of_table(summed_up, node.view, column, fill_table(counting, node.view, column, scratch), scratch),
             expected);
}

// Checks the node that has all rows of a table with one column.
template <class C>
void check_cuts_of_all(const C& criterion, const RandomTable& table, const std::vector<double>& weights,
                       double min_objects = 2.0) {
  std::vector<std::uint32_t> rows(table.dataset.n_rows);
  std::iota(rows.begin(), rows.end(), 0U);
  TestNode node(table.dataset, std::move(rows), weights);
  node.view.min_objects = min_objects;
  check_cuts(criterion, splits::RealWeights<C>{criterion, weights}, node, table.dataset.columns[0], weights);
}

template <class C>
void cuts_match_naive_search(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 250; ++round) {
    Shape shape;
    shape.n_rows = 2 + below(random, 80);
    shape.n_classes = 1 + below(random, 4);
    shape.n_continuous = 1;
    shape.n_nominal = 0;
    shape.n_distinct = below(random, 2) * (1 + below(random, 30));
    shape.missing = below(random, 2) * 0.3;
    shape.noise = uniform(random);
    if (round % 10 == 0) shape.n_rows = 700;  // more codes than fit into a byte, and far more than the node has rows
    if (round % 10 == 5) {  // many blocks of rows, most of which the search skips
      shape.n_rows = 600;
      shape.n_classes = 2;
      shape.n_distinct = 0;
    }
    RandomTable table = random_table(random, shape);
    if (round % 4 == 1 || round % 20 == 15) {  // gaps close to the smallest gap that allows a cut
      const double step = (shape.n_rows == 600 ? 1e-5 : 5e-6) + (below(random, 3) - 1.0) * 1e-11;
      for (double& x : table.numbers[0]) x = 1 + std::round(x * 4) * step;
      // Then the column is not in single precision.
      if (round % 3 > 0) table.numbers[0][0] = table.numbers[0][1] + 1e-9;
    }
    table.encode();
    const Column& column = table.dataset.columns[0];
    const std::vector<double> units(shape.n_rows, 1.0);
    std::vector<double> reals(shape.n_rows);
    for (double& w : reals) w = 0.01 + 3 * uniform(random);
    const std::vector<std::uint32_t> rows = random_rows(random, shape.n_rows, shape.n_rows == 700 ? 0.1 : 0.9);
    const C criterion(shape.n_classes);
    const criteria::TermTable<C> terms(shape.n_rows);
    for (const std::vector<double>& weights : {units, reals}) {
      TestNode node(table.dataset, rows, weights);
      if (node.rows.empty()) continue;
      node.view.min_objects = shape.n_rows == 600 && below(random, 2) == 0 ? 28.0 : 1.0 + below(random, 3);
      node.view.threshold_penalty = below(random, 2) == 0;
      if (weights == units)
        check_cuts(criterion, splits::UnitWeights<C>{criterion, terms}, node, column, weights);
      else
        check_cuts(criterion, splits::RealWeights<C>{criterion, weights}, node, column, weights);
    }
  }
}

// There are long runs of one class and of equal values. The best cut may lie inside a run, and a cut may be impossible
// at the end of a run or of a block.
template <class C>
void cuts_with_runs_of_one_class(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 100; ++round) {
    const bool many = round % 25 == 0;  // so many that terms are not taken from the table
    const std::uint32_t n_rows = many ? 40000 : 100 + below(random, 900);
    const std::uint32_t longest = 1 + below(random, 80);
    const std::uint32_t most_equal = many ? 400 : 1 + below(random, 40);
    std::vector<std::int32_t> classes;
    for (std::int32_t k = 0; classes.size() < n_rows; k = 1 - k)
      classes.resize(classes.size() + 1 + below(random, k == 0 ? longest : 8), k);
    classes.resize(n_rows);
    std::vector<double> numbers;
    for (double value = 0; numbers.size() < n_rows; ++value)
      numbers.resize(numbers.size() + 1 + below(random, most_equal), value);
    numbers.resize(n_rows);
    const RandomTable table = two_classes(std::move(classes), std::move(numbers));
    std::vector<double> weights(n_rows);
    for (double& w : weights) w = 0.01 + 3 * uniform(random);
    // Beside a giant, what the others gain is hardly more than what counts as equal.
    if (round % 3 == 0) weights[below(random, n_rows)] = std::pow(10.0, 6 + 3 * uniform(random)) * n_rows;
    const C criterion(2);
    const criteria::TermTable<C> terms(n_rows);
    const std::vector<std::uint32_t> rows = random_rows(random, n_rows, 0.9);
    const std::vector<double> units(n_rows, 1.0);
    const TestNode unit_node(table.dataset, rows, units);
    const TestNode real_node(table.dataset, rows, weights);
    check_cuts(criterion, splits::UnitWeights<C>{criterion, terms}, unit_node, table.dataset.columns[0], units);
    check_cuts(criterion, splits::RealWeights<C>{criterion, weights}, real_node, table.dataset.columns[0], weights);
  }
}

// The classes are symmetric, and weights are almost one. Every cut has a counterpart at the other end whose impurity is
// better or worse by about the slack.
template <class C>
void cuts_of_almost_equal_impurity(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t n_rows = 20 + below(random, 400);
    std::vector<std::int32_t> classes(n_rows);
    for (std::uint32_t row = 0; row < (n_rows + 1) / 2; ++row)
      classes[row] = classes[n_rows - 1 - row] = uniform(random) * n_rows > row ? 1 : 0;
    std::vector<double> weights(n_rows);
    const double most = 1e-10 * std::pow(10.0, below(random, 4)) * n_rows;
    for (double& w : weights) w = 1 + most * uniform(random);
    check_cuts_of_all(C(2), two_classes(std::move(classes)), weights);
  }
}

// The best cut leaves `minsplit` on each side, but less than min_objects on one of them.
template <class C>
void cuts_below_min_objects(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 50; ++round) {
    const std::uint32_t n_rows = round % 2 == 0 ? 125 : 400;
    std::vector<std::int32_t> classes;
    std::vector<double> weights;
    double below_cut = 0.0;
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      weights.push_back(4 + 4 * uniform(random));
      below_cut += weights.back();
      classes.push_back(below_cut < 28 || uniform(random) < 0.1 ? 1 : 0);
    }
    if (round % 4 >= 2) {
      std::ranges::reverse(classes);
      std::ranges::reverse(weights);
    }
    check_cuts_of_all(C(2), two_classes(std::move(classes)), weights, 28);
  }
}

// Between two classes there are very many rows of almost no weight. Every cut among them beats the one before by
// slightly less than the slack, so the best cut depends on all of them.
void cuts_of_slowly_falling_impurity() {
  constexpr std::uint32_t n_ends = 60;
  for (std::uint32_t n_steps = 9000; n_steps < 9003; ++n_steps) {
    const std::uint32_t n_rows = 2 * n_ends + n_steps;
    std::vector<std::int32_t> classes(n_rows);
    std::vector<double> weights(n_rows, 1.0);
    std::fill(classes.end() - n_ends, classes.end(), 1);
    std::fill(weights.begin() + n_ends, weights.end() - n_ends, 2 * n_ends * 1e-10 / 4);
    check_cuts_of_all(criteria::Entropy(2), two_classes(std::move(classes)), weights);
  }
}

// The weight of the node is so small that one over it is infinite. No gain would pay for the choice of a cut there, and
// the split information has lost its digits. The squares of such weights are 0, so that Gini finds no cut.
template <class C>
void cuts_of_almost_no_weight(std::uint64_t seed, std::uint32_t n_branches) {
  Random random(seed);
  for (int round = 0; round < 50; ++round) {
    const std::uint32_t n_rows = 10 + below(random, 200);
    std::vector<std::int32_t> classes;
    std::vector<double> weights;
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      classes.push_back(uniform(random) < (row < n_rows / 3 ? 0.9 : 0.2) ? 1 : 0);
      weights.push_back(1e-313 * (1 + below(random, 3)));
    }
    const RandomTable table = two_classes(std::move(classes));
    std::vector<std::uint32_t> rows(n_rows);
    std::iota(rows.begin(), rows.end(), 0U);
    TestNode node(table.dataset, std::move(rows), weights);
    node.view.min_objects = 0.0;
    node.view.threshold_penalty = false;
    const C criterion(2);
    const Column& column = table.dataset.columns[0];
    Scratch scratch;
    const splits::RealWeights<C> counting{criterion, weights};
    const Split split =
        best_cut_of_list(counting, node.view, column, rows_by_code(node.view, column, scratch), scratch);
    const Split expected = naive_best_cut(criterion, node, column, weights);
    CHECK_EQUAL(expected.n_branches, n_branches);
    CHECK_EQUAL(split.n_branches, n_branches);
    CHECK_NEAR(split.gain, expected.gain, 1e-9);
    CHECK_EQUAL(split.low, expected.low);
  }
}

// Tests nodes of all weights and very small shares of classes.
template <class C>
void estimates_are_close_enough(std::uint64_t seed) {
  Random random(seed);
  const C criterion(2);
  for (int round = 0; round < 20000; ++round) {
    const double size = std::pow(10.0, uniform(random) * 560 - 280);
    const auto some = [&] {
      return size * (below(random, 2) == 0 ? uniform(random) : std::pow(10.0, -20 * uniform(random)));
    };
    const double all[2] = {some(), below(random, 20) == 0 ? 0.0 : some()};
    double low[2][splits::screened_at_once];
    float parts[splits::screened_at_once];
    for (std::size_t k = 0; k < 2; ++k)
      for (double& x : low[k])
        x = std::min(all[k], below(random, 3) == 0 ? all[k] - some() * 1e-6 : all[k] * uniform(random));
    for (std::size_t k = 0; k < 2; ++k)
      for (double& x : low[k]) x = std::max(x, 0.0);
    splits::screen(criterion, low[0], low[1], splits::screened_at_once, all, parts);
    for (std::size_t i = 0; i < splits::screened_at_once; ++i) {
      const double total = all[0] + all[1];
      const std::vector<double> below_cut = {low[0][i] / total, low[1][i] / total};
      const std::vector<double> above_cut = {(all[0] - low[0][i]) / total, (all[1] - low[1][i]) / total};
      CHECK_NEAR(parts[i], impurity(criterion, below_cut) + impurity(criterion, above_cut),
                 static_cast<double>(C::screening_error) / 4);
    }
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
  cuts_with_runs_of_one_class<criteria::Entropy>(7);
  cuts_with_runs_of_one_class<criteria::Gini>(8);
  cuts_with_runs_of_one_class<criteria::KearnsMansour>(9);
  cuts_of_almost_equal_impurity<criteria::Entropy>(10);
  cuts_of_almost_equal_impurity<criteria::Gini>(11);
  cuts_of_almost_equal_impurity<criteria::KearnsMansour>(12);
  cuts_below_min_objects<criteria::Entropy>(16);
  cuts_below_min_objects<criteria::Gini>(17);
  cuts_below_min_objects<criteria::KearnsMansour>(18);
  cuts_of_slowly_falling_impurity();
  cuts_of_almost_no_weight<criteria::Entropy>(19, 2);
  cuts_of_almost_no_weight<criteria::Gini>(20, 0);
  estimates_are_close_enough<criteria::Entropy>(13);
  estimates_are_close_enough<criteria::Gini>(14);
  estimates_are_close_enough<criteria::KearnsMansour>(15);
  return report("thresholds");
}
