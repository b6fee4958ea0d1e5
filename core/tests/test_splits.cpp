// Splits of nominal columns, and the choice among columns.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "check.hpp"
#include "criteria/registry.hpp"
#include "data/encode_column.hpp"
#include "splits/choose_column.hpp"
#include "splits/multiway.hpp"
#include "splits/random_split.hpp"
#include "splits/subset.hpp"
#include "test_node.hpp"

namespace weaklearn::tests {
namespace {

using data::Column;
using splits::Scratch;
using splits::Split;

Groups groups_by_branch(const TestNode& node, const Column& column, const std::vector<double>& weights,
                        const std::vector<std::int32_t>& branch_of_value, std::uint32_t n_branches) {
  Groups groups(n_branches, std::vector<double>(node.class_weights.size(), 0.0));
  for (const std::uint32_t row : node.rows) {
    const std::uint32_t code = data::code_of(column, row);
    if (code == column.n_codes) continue;
    groups[static_cast<std::size_t>(branch_of_value[code])][static_cast<std::size_t>(node.view.class_of[row])] +=
        weights[row];
  }
  return groups;
}

// The same rows with few declared values (a full table) and with many (only the values that occur).
template <class C, class Weights>
void check_multiway(const C& criterion, const Weights& counting, const TestNode& node, const RandomTable& table,
                    const std::vector<double>& weights) {
  const std::uint32_t n_values = table.n_values[0];
  const std::uint32_t many = 200 + static_cast<std::uint32_t>(7 * node.rows.size()) + n_values;
  const Column& few = table.dataset.columns[0];
  const Column sparse = data::encode_nominal(table.codes[0], many);
  CHECK(!table_is_cheap(node.view, sparse));
  Scratch scratch;
  const Split a = multiway(counting, node.view, few, scratch);
  const Split b = multiway(counting, node.view, sparse, scratch);
  CHECK_NEAR(a.gain, b.gain, 1e-9);
  CHECK_NEAR(a.split_info, b.split_info, 1e-9);
  CHECK_EQUAL(a.kind, b.kind);

  std::vector<std::int32_t> own(n_values);
  std::iota(own.begin(), own.end(), 0);
  const Groups groups = groups_by_branch(node, few, weights, own, n_values);
  const auto large =
      std::ranges::count_if(groups, [&](const auto& g) { return weight(g) >= node.view.min_objects - 1e-9; });
  if (large < 2) {
    CHECK_EQUAL(a.gain, Split{}.gain);
    return;
  }
  CHECK_NEAR(a.gain, naive_gain(criterion, groups, node.view.total), 1e-9);
  CHECK_NEAR(a.split_info, naive_split_info(groups, node.view.total), 1e-8);
  CHECK_EQUAL(a.n_branches, n_values);
}

template <class C, class Weights>
void check_subsets(const C& criterion, const Weights& counting, const TestNode& node, const Column& column,
                   const std::vector<double>& weights, bool use_ratio) {
  Scratch scratch;
  const Split split = best_subsets(counting, criterion, use_ratio, node.view, column, scratch);
  if (split.kind == graph::SplitKind::leaf) {
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
  const auto large =
      std::ranges::count_if(groups, [&](const auto& g) { return weight(g) >= node.view.min_objects - 1e-9; });
  if (large < 2)
    CHECK_EQUAL(split.gain, Split{}.gain);
  else  // weights are at least 1 here, so no value is rare
    CHECK_NEAR(split.gain, naive_gain(criterion, groups, node.view.total), 1e-9);
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
    shape.missing = below(random, 2) * 0.3;
    shape.noise = uniform(random);
    const RandomTable table = random_table(random, shape);
    const std::vector<std::uint32_t> rows = random_rows(random, shape.n_rows, 0.9);
    const std::vector<double> units(shape.n_rows, 1.0);
    std::vector<double> reals(shape.n_rows);
    for (double& w : reals) w = 1 + 3 * uniform(random);
    const C criterion(shape.n_classes);
    const criteria::TermTable<C> terms(shape.n_rows);
    const splits::UnitWeights<C> by_unit{criterion, terms};
    const splits::RealWeights<C> by_real{criterion, reals};
    const TestNode unit_node(table.dataset, rows, units);
    const TestNode real_node(table.dataset, rows, reals);
    if (rows.empty()) continue;
    check_multiway(criterion, by_unit, unit_node, table, units);
    check_multiway(criterion, by_real, real_node, table, reals);
    check_subsets(criterion, by_unit, unit_node, table.dataset.columns[0], units, round % 2 == 0);
    check_subsets(criterion, by_real, real_node, table.dataset.columns[0], reals, round % 2 == 0);
  }
}

// A split that is drawn at random: its gain and its information, and enough rows on both sides.
template <class C>
void random_splits(std::uint64_t seed) {
  Random random(seed);
  std::uint32_t n_splits = 0;
  for (int round = 0; round < 300; ++round) {
    Shape shape;
    shape.n_rows = 10 + below(random, 60);
    shape.n_continuous = round % 2;
    shape.n_nominal = 1 - shape.n_continuous;
    shape.n_distinct = 6;
    shape.missing = below(random, 2) * 0.3;
    const RandomTable table = random_table(random, shape);
    std::vector<double> weights(shape.n_rows);
    for (double& w : weights) w = 0.5 + 3 * uniform(random);
    TestNode node(table.dataset, random_rows(random, shape.n_rows, 0.9), weights);
    node.view.min_objects = 4.0;
    const Column& column = table.dataset.columns[0];
    const C criterion(shape.n_classes);
    Scratch scratch;
    using Weights = splits::RealWeights<C>;
    const Weights counting{criterion, weights};
    const Split split = splits::RandomSplit<Weights>(counting, node.view, column, false, random(), scratch).draw();
    if (split.n_branches == 0) continue;
    ++n_splits;
    std::vector<std::int32_t> branches = split.value_branch;
    if (!column.nominal)
      for (std::uint32_t code = 0; code < column.n_codes; ++code) branches.push_back(code > split.low);
    const Groups groups = groups_by_branch(node, column, weights, branches, 2);
    CHECK(std::min(weight(groups[0]), weight(groups[1])) >= 4.0 - 1e-9);
    CHECK_NEAR(split.gain, naive_gain(criterion, groups, node.view.total), 1e-9);
    CHECK_NEAR(split.split_info, naive_split_info(groups, node.view.total), 1e-9);
  }
  CHECK(n_splits > 150);
}

Split scored(double gain, double split_info) {
  Split split;
  split.gain = gain;
  split.split_info = split_info;
  return split;
}

void choice_among_columns() {
  const auto choose = [](std::span<const Split> splits, const std::vector<bool>& counts_in_average, bool use_ratio) {
    std::vector<std::uint32_t> columns(splits.size());
    std::iota(columns.begin(), columns.end(), 0U);
    return splits::choose(splits, columns, counts_in_average, use_ratio);
  };
  const auto all = [](std::size_t n) { return std::vector<bool>(n, true); };
  for (const bool use_ratio : {true, false}) {
    CHECK_EQUAL(choose({}, {}, use_ratio), -1);
    CHECK_EQUAL(choose(std::vector<Split>(3), all(3), use_ratio), -1);  // no split is usable
    CHECK_EQUAL(choose(std::vector{Split{}, scored(0.5, 1)}, all(2), use_ratio), 1);
    CHECK_EQUAL(choose(std::vector{scored(0.5, 1), scored(0.5, 1)}, all(2), use_ratio),
                0);  // ties go to the lowest index
    CHECK_EQUAL(choose(std::vector{scored(0.5, 1), scored(0.5 + 1e-12, 1)}, all(2), use_ratio), 0);
    CHECK_EQUAL(choose(std::vector{scored(0.5, 0)}, all(1), use_ratio), -1);  // all rows in one branch
  }
  // The greatest ratio wins, but only among splits of at least average gain.
  const std::vector<Split> splits = {scored(0.1, 0.1), scored(0.5, 1.0), scored(0.6, 2.0)};
  CHECK_EQUAL(choose(splits, all(3), true), 1);
  CHECK_EQUAL(choose(splits, all(3), false), 2);
  CHECK_EQUAL(choose(splits, {true, false, false}, true), 0);  // the average is then 0.1
  // A split that does not count in the average may still be chosen.
  CHECK_EQUAL(choose(std::vector{scored(0.3, 1), scored(0.9, 1)}, {true, false}, true), 1);
  // No split counts, so the average is unreachable.
  CHECK_EQUAL(choose(std::vector{scored(0.3, 1)}, {false}, true), -1);
  CHECK_EQUAL(choose(std::vector{scored(0.3, 0.0005)}, {true}, true), -1);
  CHECK_EQUAL(choose(std::vector{scored(0.3, 0.0005)}, {true}, false), 0);
  // Only the given columns are compared, and only they make the average.
  CHECK_EQUAL(splits::choose(splits, std::vector{0U, 2U}, all(3), true), 2);
  CHECK_EQUAL(splits::choose(splits, std::vector{0U, 1U}, all(3), false), 1);
  CHECK_EQUAL(splits::choose(splits, {}, all(3), false), -1);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn;
  using namespace weaklearn::tests;
  nominal_splits<criteria::Entropy>(4);
  nominal_splits<criteria::Gini>(5);
  nominal_splits<criteria::KearnsMansour>(6);
  random_splits<criteria::Entropy>(4);
  random_splits<criteria::Gini>(5);
  choice_among_columns();
  return report("splits");
}
