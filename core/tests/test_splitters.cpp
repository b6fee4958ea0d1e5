#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "criteria/criteria.hpp"
#include "random_table.hpp"
#include "splitters/chooser.hpp"
#include "splitters/multiway.hpp"
#include "splitters/screen.hpp"
#include "splitters/subset.hpp"
#include "splitters/threshold.hpp"

namespace weaklearn::tests {
namespace {

using data::Column;
using data::Entry;
using splitters::NodeView;
using splitters::Scratch;
using splitters::Split;

// Some rows of a table as a node, with all that a NodeView points to.
struct SomeNode {
  SomeNode(const data::Dataset& dataset, std::vector<std::uint32_t> chosen, const std::vector<double>& weights)
      : rows(std::move(chosen)), class_weights(dataset.n_classes, 0.0), class_rows(dataset.n_classes, 0) {
    for (const std::uint32_t row : rows) {
      class_weights[static_cast<std::size_t>(dataset.classes[row])] += weights[row];
      ++class_rows[static_cast<std::size_t>(dataset.classes[row])];
    }
    std::vector<std::uint32_t> number(dataset.n_classes);
    for (std::size_t k = 0; k < number.size(); ++k)
      if (class_weights[k] != 0.0) number[k] = view.n_local++;
    for (const std::uint32_t row : rows) local_class.push_back(number[static_cast<std::size_t>(dataset.classes[row])]);
    view.rows = rows;
    view.local_class = local_class;
    view.class_of = dataset.classes;
    view.tagging = data::Tagging(dataset);
    view.class_weights = class_weights;
    view.class_rows = class_rows;
    view.total = std::accumulate(class_weights.begin(), class_weights.end(), 0.0);
  }
  SomeNode(const SomeNode&) = delete;

  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> local_class;
  std::vector<double> class_weights;
  std::vector<std::uint32_t> class_rows;
  NodeView view;
};

std::vector<std::uint32_t> random_rows(Random& random, std::uint32_t n_rows, double chance) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < n_rows; ++row)
    if (share(random) < chance) rows.push_back(row);
  return rows;
}

// Class weights of each group of rows, and the n times impurity of a group, without any cleverness.
using Groups = std::vector<std::vector<double>>;

template <class C>
double impurity(const C& criterion, const std::vector<double>& classes) {
  double sum = 0.0;
  double total = 0.0;
  for (const double x : classes) {
    sum += C::term(x);
    total += x;
  }
  return criterion.impurity(sum, total);
}
double weight(const std::vector<double>& classes) { return std::accumulate(classes.begin(), classes.end(), 0.0); }

template <class C>
double plain_gain(const C& criterion, const Groups& groups, double total) {
  std::vector<double> all(groups.front().size(), 0.0);
  double parts = 0.0;
  for (const auto& group : groups) {
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += group[k];
    parts += impurity(criterion, group);
  }
  return (impurity(criterion, all) - parts) / total;
}
double plain_split_info(const Groups& groups, double total) {
  double known = 0.0;
  double info = 0.0;
  for (const auto& group : groups) {
    known += weight(group);
    if (weight(group) > 0.0) info -= weight(group) * std::log2(weight(group) / total);
  }
  if (total - known > 1e-9) info -= (total - known) * std::log2((total - known) / total);
  return info / total;
}

// Every cut tried on its own.
template <class C>
Split plain_best_cut(const C& criterion, const SomeNode& node, const Column& column, const std::vector<double>& weights) {
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
      if (code < column.n_codes) sides[code > codes[i]][static_cast<std::size_t>(node.view.class_of[row])] += weights[row];
    }
    if (criteria::less(weight(sides[0]), minsplit) || criteria::more(weight(sides[0]), known - minsplit)) continue;
    if (!(column.values[codes[i]] < column.values[codes[i + 1]] - 1e-5)) continue;
    ++tries;
    if (std::min(weight(sides[0]), weight(sides[1])) < node.view.min_objects - 1e-9) continue;
    const double gain = plain_gain(criterion, sides, node.view.total);
    if (gain <= best.gain + 1e-9) continue;
    best.gain = gain;
    best.split_info = plain_split_info(sides, node.view.total);
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
void check_cuts(const C& criterion, const Weights& counted, const SomeNode& node, const Column& column,
                const std::vector<double>& weights) {
  Scratch scratch;
  std::vector<Entry> list;
  for (const std::uint32_t row : node.rows) {
    const std::uint32_t code = data::code_of(column, row);
    if (code < column.n_codes) list.push_back({static_cast<float>(column.values[code]), node.view.tagging.tag(row, node.view.class_of[row])});
  }
  std::ranges::stable_sort(list, {}, [&](Entry entry) { return data::code_of(column, node.view.tagging.row(entry.tag)); });

  const Split expected = plain_best_cut(criterion, node, column, weights);
  Split by_row = splitters::best_cut_of_list<Weights, Entry>(counted, node.view, column, list, scratch);
  if (by_row.by_row) {
    by_row.low = code_of(column, by_row.low);
    by_row.high = code_of(column, by_row.high);
  }
  check_same(by_row, expected);
  check_same(best_cut_of_list(counted, node.view, column, rows_by_code(node.view, column, scratch), scratch), expected);
  check_same(best_cut_of_table(counted, node.view, column, fill_table(counted, node.view, column, scratch), scratch),
             expected);
}

template <class C>
void cuts_are_the_best(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 250; ++round) {
    Shape shape;
    shape.n_rows = 2 + below(random, 80);
    shape.n_classes = 1 + below(random, 4);
    shape.n_continuous = 1;
    shape.n_nominal = 0;
    shape.n_distinct = below(random, 2) * (1 + below(random, 30));
    shape.unknown = below(random, 2) * 0.3;
    shape.noise = share(random);
    if (round % 10 == 0) shape.n_rows = 700;  // more codes than a byte holds, and far more than rows of the node
    if (round % 10 == 5) {  // many blocks of rows, most of which the search for a cut need not look into
      shape.n_rows = 600;
      shape.n_classes = 2;
    }
    RandomTable table = random_table(random, shape);
    if (round % 4 == 1)  // neighbours around the least distance that counts, in float32 or not
      for (double& x : table.numbers[0]) x = 1 + std::round(x * 4) * (round % 8 == 1 ? 5e-6 : 5e-6 + 1e-11);
    table.encode();
    const Column& column = table.dataset.columns[0];
    const std::vector<double> units(shape.n_rows, 1.0);
    std::vector<double> reals(shape.n_rows);
    for (double& w : reals) w = 0.01 + 3 * share(random);
    const std::vector<std::uint32_t> rows = random_rows(random, shape.n_rows, shape.n_rows == 700 ? 0.1 : 0.9);
    const C criterion(shape.n_classes);
    const criteria::TermTable<C> terms(shape.n_rows);
    for (const std::vector<double>& weights : {units, reals}) {
      SomeNode node(table.dataset, rows, weights);
      if (node.rows.empty()) continue;
      node.view.min_objects = shape.n_rows == 600 && below(random, 2) == 0 ? 28.0 : 1.0 + below(random, 3);
      node.view.threshold_penalty = below(random, 2) == 0;
      if (weights == units)
        check_cuts(criterion, splitters::UnitWeights<C>{criterion, terms}, node, column, weights);
      else
        check_cuts(criterion, splitters::RealWeights<C>{criterion, weights.data()}, node, column, weights);
    }
  }
}

// Long runs of one class and of equal values: cuts that count lie inside runs, and where a run or a block ends none
// may be possible.
template <class C>
void cuts_among_runs(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 100; ++round) {
    RandomTable table;
    table.dataset.n_classes = 2;
    table.numbers.resize(1);
    const std::uint32_t n_rows = 100 + below(random, 900);
    const std::uint32_t longest = 1 + below(random, 80);
    const std::uint32_t most_equal = 1 + below(random, 40);
    for (std::int32_t k = 0; table.dataset.classes.size() < n_rows; k = 1 - k)
      table.dataset.classes.resize(table.dataset.classes.size() + 1 + below(random, k == 0 ? longest : 8), k);
    table.dataset.classes.resize(n_rows);
    for (double value = 0; table.numbers[0].size() < n_rows; ++value)
      table.numbers[0].resize(table.numbers[0].size() + 1 + below(random, most_equal), value);
    table.numbers[0].resize(n_rows);
    table.encode();
    std::vector<double> weights(n_rows);
    for (double& w : weights) w = 0.01 + 3 * share(random);
    // Beside a giant, what the others gain is hardly more than what counts as equal.
    if (round % 3 == 0) weights[below(random, n_rows)] = std::pow(10.0, 6 + 3 * share(random)) * n_rows;
    const C criterion(2);
    const criteria::TermTable<C> terms(n_rows);
    const std::vector<std::uint32_t> rows = random_rows(random, n_rows, 0.9);
    const std::vector<double> units(n_rows, 1.0);
    const SomeNode unit_node(table.dataset, rows, units);
    const SomeNode real_node(table.dataset, rows, weights);
    check_cuts(criterion, splitters::UnitWeights<C>{criterion, terms}, unit_node, table.dataset.columns[0], units);
    check_cuts(criterion, splitters::RealWeights<C>{criterion, weights.data()}, real_node, table.dataset.columns[0], weights);
  }
}

// The same classes from both ends and weights of almost one: every cut has its like at the other end, better or
// worse by about as much as still counts as equal.
template <class C>
void cuts_that_are_almost_equal(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 400; ++round) {
    RandomTable table;
    table.dataset.n_classes = 2;
    table.numbers.resize(1);
    const std::uint32_t n_rows = 20 + below(random, 400);
    table.dataset.classes.resize(n_rows);
    for (std::uint32_t row = 0; row < (n_rows + 1) / 2; ++row)
      table.dataset.classes[row] = table.dataset.classes[n_rows - 1 - row] = share(random) * n_rows > row ? 1 : 0;
    for (std::uint32_t row = 0; row < n_rows; ++row) table.numbers[0].push_back(row);
    table.encode();
    std::vector<double> weights(n_rows);
    const double most = 1e-10 * std::pow(10.0, below(random, 4)) * n_rows;
    for (double& w : weights) w = 1 + most * share(random);
    std::vector<std::uint32_t> rows(n_rows);
    std::iota(rows.begin(), rows.end(), 0U);
    const SomeNode node(table.dataset, rows, weights);
    const C criterion(2);
    check_cuts(criterion, splitters::RealWeights<C>{criterion, weights.data()}, node, table.dataset.columns[0], weights);
  }
}

// The best cut leaves as much as C4.5 asks for before it tries one, but less than the least number of objects.
template <class C>
void cuts_that_leave_too_little(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 50; ++round) {
    RandomTable table;
    table.dataset.n_classes = 2;
    table.numbers.resize(1);
    const std::uint32_t n_rows = round % 2 == 0 ? 125 : 400;
    std::vector<double> weights(n_rows);
    double below_cut = 0.0;
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      weights[row] = 4 + 4 * share(random);
      below_cut += weights[row];
      table.numbers[0].push_back(row);
      table.dataset.classes.push_back(below_cut < 28 || share(random) < 0.1 ? 1 : 0);
    }
    table.encode();
    SomeNode node(table.dataset, random_rows(random, n_rows, 1.0), weights);
    node.view.min_objects = 28;
    const C criterion(2);
    check_cuts(criterion, splitters::RealWeights<C>{criterion, weights.data()}, node, table.dataset.columns[0], weights);
  }
}

// Between two classes a great many rows of next to no weight: every cut among them beats the one before by a little
// less than counts, so that which is the best depends on all of them.
void cuts_up_a_ladder() {
  constexpr std::uint32_t n_ends = 60;
  for (std::uint32_t n_steps = 9000; n_steps < 9003; ++n_steps) {
    RandomTable table;
    table.dataset.n_classes = 2;
    table.numbers.resize(1);
    const std::uint32_t n_rows = 2 * n_ends + n_steps;
    std::vector<double> weights(n_rows, 1.0);
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      table.numbers[0].push_back(row);
      table.dataset.classes.push_back(row < n_ends + n_steps ? 0 : 1);
      if (row >= n_ends && row < n_ends + n_steps) weights[row] = 2 * n_ends * 1e-10 / 4;
    }
    table.encode();
    std::vector<std::uint32_t> rows(n_rows);
    std::iota(rows.begin(), rows.end(), 0U);
    const SomeNode node(table.dataset, rows, weights);
    const criteria::Entropy criterion(2);
    check_cuts(criterion, splitters::RealWeights<criteria::Entropy>{criterion, weights.data()}, node,
               table.dataset.columns[0], weights);
  }
}

// Of all sizes of node, and shares of classes as small as can be.
template <class C>
void screened_impurities(std::uint64_t seed) {
  Random random(seed);
  const C criterion(2);
  for (int round = 0; round < 20000; ++round) {
    const double size = std::pow(10.0, share(random) * 560 - 280);
    const auto some = [&] { return size * (below(random, 2) == 0 ? share(random) : std::pow(10.0, -20 * share(random))); };
    const double all[2] = {some(), below(random, 20) == 0 ? 0.0 : some()};
    double low[2][splitters::screened_at_once];
    float parts[splitters::screened_at_once];
    for (std::size_t k = 0; k < 2; ++k)
      for (double& x : low[k]) x = std::min(all[k], below(random, 3) == 0 ? all[k] - some() * 1e-6 : all[k] * share(random));
    for (std::size_t k = 0; k < 2; ++k)
      for (double& x : low[k]) x = std::max(x, 0.0);
    splitters::screen(criterion, low[0], low[1], splitters::screened_at_once, all, parts);
    for (std::size_t i = 0; i < splitters::screened_at_once; ++i) {
      const double total = all[0] + all[1];
      const std::vector<double> below_cut = {low[0][i] / total, low[1][i] / total};
      const std::vector<double> above_cut = {(all[0] - low[0][i]) / total, (all[1] - low[1][i]) / total};
      CHECK_NEAR(parts[i], impurity(criterion, below_cut) + impurity(criterion, above_cut),
                 static_cast<double>(splitters::screening_error) / 4);
    }
  }
}

Groups groups_by_branch(const SomeNode& node, const Column& column, const std::vector<double>& weights,
                        const std::vector<std::int32_t>& branch_of_value, std::uint32_t n_branches) {
  Groups groups(n_branches, std::vector<double>(node.class_weights.size(), 0.0));
  for (const std::uint32_t row : node.rows) {
    const std::uint32_t code = data::code_of(column, row);
    if (code == column.n_codes) continue;
    groups[static_cast<std::size_t>(branch_of_value[code])][static_cast<std::size_t>(node.view.class_of[row])] += weights[row];
  }
  return groups;
}

// The same rows with few declared values (a full table) and with many (only what occurs).
template <class C, class Weights>
void check_multiway(const C& criterion, const Weights& counted, const SomeNode& node, const RandomTable& table,
                    const std::vector<double>& weights) {
  const std::uint32_t n_values = table.n_values[0];
  const std::uint32_t many = 200 + static_cast<std::uint32_t>(7 * node.rows.size()) + n_values;
  const Column& few = table.dataset.columns[0];
  const Column sparse = data::encode_nominal(table.codes[0], many);
  CHECK(!table_is_cheap(node.view, sparse));
  Scratch scratch;
  const Split a = multiway(counted, node.view, few, scratch);
  const Split b = multiway(counted, node.view, sparse, scratch);
  CHECK_NEAR(a.gain, b.gain, 1e-9);
  CHECK_NEAR(a.split_info, b.split_info, 1e-9);
  CHECK_EQUAL(a.test, b.test);

  std::vector<std::int32_t> own(n_values);
  std::iota(own.begin(), own.end(), 0);
  const Groups groups = groups_by_branch(node, few, weights, own, n_values);
  const auto large = std::ranges::count_if(groups, [&](const auto& g) { return weight(g) >= node.view.min_objects - 1e-9; });
  if (large < 2) {
    CHECK_EQUAL(a.gain, Split{}.gain);
    return;
  }
  CHECK_NEAR(a.gain, plain_gain(criterion, groups, node.view.total), 1e-9);
  CHECK_NEAR(a.split_info, plain_split_info(groups, node.view.total), 1e-8);
  CHECK_EQUAL(a.n_branches, n_values);
}

template <class C, class Weights>
void check_subsets(const C& criterion, const Weights& counted, const SomeNode& node, const Column& column,
                   const std::vector<double>& weights, bool use_ratio) {
  Scratch scratch;
  const Split split = best_subsets(counted, criterion, use_ratio, node.view, column, scratch);
  if (split.test == graph::Test::leaf) {
    CHECK_EQUAL(split.gain, Split{}.gain);
    return;
  }
  CHECK_EQUAL(split.value_branch.size(), std::size_t{column.n_codes});
  std::vector<int> values_of(split.n_branches, 0);
  for (const std::int32_t branch : split.value_branch) {
    CHECK(branch >= 0 && branch < static_cast<std::int32_t>(split.n_branches));
    ++values_of[static_cast<std::size_t>(branch)];
  }
  CHECK(std::ranges::find(values_of, 0) == values_of.end());
  CHECK(split.n_branches >= 2 && split.n_branches <= column.n_codes);
  const Groups groups = groups_by_branch(node, column, weights, split.value_branch, split.n_branches);
  const auto large = std::ranges::count_if(groups, [&](const auto& g) { return weight(g) >= node.view.min_objects - 1e-9; });
  if (large < 2)
    CHECK_EQUAL(split.gain, Split{}.gain);
  else  // weights are at least 1 here: no value that occurs is set aside
    CHECK_NEAR(split.gain, plain_gain(criterion, groups, node.view.total), 1e-9);
}

template <class C>
void nominal_splits(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 250; ++round) {
    Shape shape;
    shape.n_rows = 5 + below(random, 100);
    shape.n_classes = 1 + below(random, 4);
    shape.n_continuous = 0;
    shape.n_nominal = 1;
    shape.n_values = 2 + below(random, round % 10 == 0 ? 300 : 9);
    shape.unknown = below(random, 2) * 0.3;
    shape.noise = share(random);
    const RandomTable table = random_table(random, shape);
    const std::vector<std::uint32_t> rows = random_rows(random, shape.n_rows, 0.9);
    const std::vector<double> units(shape.n_rows, 1.0);
    std::vector<double> reals(shape.n_rows);
    for (double& w : reals) w = 1 + 3 * share(random);
    const C criterion(shape.n_classes);
    const criteria::TermTable<C> terms(shape.n_rows);
    const splitters::UnitWeights<C> by_unit{criterion, terms};
    const splitters::RealWeights<C> by_real{criterion, reals.data()};
    const SomeNode unit_node(table.dataset, rows, units);
    const SomeNode real_node(table.dataset, rows, reals);
    if (rows.empty()) continue;
    check_multiway(criterion, by_unit, unit_node, table, units);
    check_multiway(criterion, by_real, real_node, table, reals);
    check_subsets(criterion, by_unit, unit_node, table.dataset.columns[0], units, round % 2 == 0);
    check_subsets(criterion, by_real, real_node, table.dataset.columns[0], reals, round % 2 == 0);
  }
}

Split scored(double gain, double split_info) {
  Split split;
  split.gain = gain;
  split.split_info = split_info;
  return split;
}

void chooser_rules() {
  using splitters::choose;
  const auto all = [](std::size_t n) { return std::vector<bool>(n, true); };
  for (const bool use_ratio : {true, false}) {
    CHECK_EQUAL(choose({}, {}, use_ratio), -1);
    CHECK_EQUAL(choose(std::vector<Split>(3), all(3), use_ratio), -1);  // none usable
    CHECK_EQUAL(choose(std::vector{Split{}, scored(0.5, 1)}, all(2), use_ratio), 1);
    CHECK_EQUAL(choose(std::vector{scored(0.5, 1), scored(0.5, 1)}, all(2), use_ratio), 0);  // lowest of equals
    CHECK_EQUAL(choose(std::vector{scored(0.5, 1), scored(0.5 + 1e-12, 1)}, all(2), use_ratio), 0);
    CHECK_EQUAL(choose(std::vector{scored(0.5, 0)}, all(1), use_ratio), -1);  // nothing divided
  }
  // Greatest ratio, but only among those of at least average gain.
  const std::vector<Split> splits = {scored(0.1, 0.1), scored(0.5, 1.0), scored(0.6, 2.0)};
  CHECK_EQUAL(choose(splits, all(3), true), 1);
  CHECK_EQUAL(choose(splits, all(3), false), 2);
  CHECK_EQUAL(choose(splits, {true, false, false}, true), 0);  // the average is then 0.1
  // A split left out of the average may still be chosen.
  CHECK_EQUAL(choose(std::vector{scored(0.3, 1), scored(0.9, 1)}, {true, false}, true), 1);
  // Nobody counts: no average to reach.
  CHECK_EQUAL(choose(std::vector{scored(0.3, 1)}, {false}, true), -1);
  CHECK_EQUAL(choose(std::vector{scored(0.3, 0.0005)}, {true}, true), -1);
  CHECK_EQUAL(choose(std::vector{scored(0.3, 0.0005)}, {true}, false), 0);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn;
  using namespace weaklearn::tests;
  cuts_are_the_best<criteria::Entropy>(1);
  cuts_are_the_best<criteria::Gini>(2);
  cuts_are_the_best<criteria::KearnsMansour>(3);
  cuts_among_runs<criteria::Entropy>(7);
  cuts_among_runs<criteria::Gini>(8);
  cuts_among_runs<criteria::KearnsMansour>(9);
  cuts_that_are_almost_equal<criteria::Entropy>(10);
  cuts_that_are_almost_equal<criteria::Gini>(11);
  cuts_that_are_almost_equal<criteria::KearnsMansour>(12);
  cuts_that_leave_too_little<criteria::Entropy>(16);
  cuts_that_leave_too_little<criteria::Gini>(17);
  cuts_that_leave_too_little<criteria::KearnsMansour>(18);
  cuts_up_a_ladder();
  screened_impurities<criteria::Entropy>(13);
  screened_impurities<criteria::Gini>(14);
  screened_impurities<criteria::KearnsMansour>(15);
  nominal_splits<criteria::Entropy>(4);
  nominal_splits<criteria::Gini>(5);
  nominal_splits<criteria::KearnsMansour>(6);
  chooser_rules();
  return report("splitters");
}
