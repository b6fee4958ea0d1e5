// Rulesets: counting, matching and selection against plain loops, on random tables.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "fit/fit_rules.hpp"
#include "random_table.hpp"
#include "rules/collect_paths.hpp"
#include "rules/counted_rows.hpp"
#include "rules/covered_groups.hpp"
#include "rules/glibc_random.hpp"
#include "rules/match_rules.hpp"
#include "rules/row_groups.hpp"
#include "rules/tally_rows.hpp"

namespace weaklearn::tests {
namespace {

using rules::Condition;
using rules::ConditionKind;
using rules::Count;

bool satisfies(const data::Dataset& dataset, const Condition& condition, std::uint32_t row) {
  const data::Column& column = dataset.columns[condition.column];
  const std::uint32_t code = data::code_of(column, row);
  if (code == column.n_codes) return false;
  if (!condition.values.empty()) return std::ranges::find(condition.values, code) != condition.values.end();
  const bool low = column.values[code] <= condition.threshold;
  return low == (condition.kind == ConditionKind::at_most);
}

fit::C45FitOptions tree_options(Random& random) {
  fit::C45FitOptions options;
  options.tree.search.min_objects = 1.0;
  options.tree.search.subset = below(random, 2) == 1;
  options.pruning.prune = false;
  return options;
}

void random_numbers_of_the_c_library() {
  rules::GlibcRandom random;
  const double first[] = {1804289383.0, 846930886.0, 1681692777.0, 1714636915.0};
  for (const double x : first) CHECK_EQUAL(random.uniform() * 2147483648.0, x);
}

void tallies_equal_plain_counts(Random& random) {
  const RandomTable table = random_table(random, random_shape(random));
  const auto weighting = static_cast<Weighting>(below(random, 3));
  const std::vector<double> weights = random_weights(random, table.dataset.n_rows, weighting);
  const graph::Graph tree = fit::fit_c45(table.dataset, weights, tree_options(random));
  const rules::CountedRows rows(table.dataset, weights, tree, false);
  double total = 0.0;
  for (const double weight : weights) total += weight;
  CHECK_NEAR(rows.weight(rows.total()), total, 1e-9);

  const graph::Graph* const trees[] = {&tree};
  for (const rules::Path& path : rules::collect_paths(trees, false)) {
    std::vector<Condition> conditions;
    std::vector<rules::RowBits> satisfied;
    std::vector<const rules::Word*> bits;
    for (const rules::PathStep step : path.steps) {
      conditions.push_back(rules::condition_of(tree, step));
      satisfied.emplace_back(rows.n_rows());
      rules::find_rows(rows, conditions.back(), satisfied.back());
    }
    for (const rules::RowBits& set : satisfied) bits.push_back(set.data());
    std::vector<rules::Tally> tallies(conditions.size() + 1);
    rules::RowBits matched(rows.n_rows());
    rules::tally_rows(rows, path.label, bits, tallies, matched);
    std::vector<rules::Tally> plain(conditions.size() + 1);
    for (std::uint32_t row = 0; row < rows.n_rows(); ++row) {
      std::vector<std::size_t> failed;
      for (std::size_t c = 0; c < conditions.size(); ++c)
        if (!satisfies(rows.dataset(), conditions[c], row)) failed.push_back(c);
      CHECK_EQUAL(matched.contains(row), failed.empty());
      for (std::size_t c = 0; c <= conditions.size(); ++c) {
        const bool counts = failed.empty() || (failed.size() == 1 && failed[0] + 1 == c);
        if (!counts) continue;
        plain[c].rows += rows.count_of(row);
        if (rows.class_of(row) != path.label) plain[c].errors += rows.count_of(row);
      }
    }
    for (std::size_t c = 0; c < plain.size(); ++c) {
      CHECK_EQUAL(tallies[c].rows, plain[c].rows);
      CHECK_EQUAL(tallies[c].errors, plain[c].errors);
    }
  }
}

void coverage_is_kept_up_to_date(Random& random) {
  const RandomTable table = random_table(random, random_shape(random));
  const std::vector<double> weights = random_weights(random, table.dataset.n_rows, Weighting::integer);
  const graph::Graph tree = fit::fit_c45(table.dataset, weights, tree_options(random));
  const rules::CountedRows rows(table.dataset, weights, tree, false);
  std::vector<std::vector<std::uint32_t>> sets(1 + below(random, 12));
  std::vector<const std::vector<std::uint32_t>*> matched;
  for (auto& set : sets) {
    for (std::uint32_t row = 0; row < rows.n_rows(); ++row)
      if (below(random, 3) == 0) set.push_back(row);
    matched.push_back(&set);
  }
  rules::RowGrouper grouper(rows);
  for (std::int32_t label = 0; label < static_cast<std::int32_t>(rows.n_classes()); ++label) {
    const rules::RowGroups groups = grouper.group(label, matched);
    rules::CoveredGroups covered(groups, rows.class_total(label));
    for (int step = 0; step < 20; ++step) {
      const std::uint32_t rule = below(random, static_cast<std::uint32_t>(sets.size()));
      const rules::Coverage expected = covered.coverage_after(rule);
      covered.toggle(rule);
      Count n = 0;
      Count false_positives = 0;
      Count false_negatives = 0;
      for (std::uint32_t row = 0; row < rows.n_rows(); ++row) {
        bool is_covered = false;
        for (std::size_t r = 0; r < sets.size(); ++r)
          is_covered = is_covered || (covered.selected()[r] && std::ranges::binary_search(sets[r], row));
        const bool is_own = rows.class_of(row) == label;
        n += is_covered ? rows.count_of(row) : 0;
        false_positives += is_covered && !is_own ? rows.count_of(row) : 0;
        false_negatives += !is_covered && is_own ? rows.count_of(row) : 0;
      }
      for (const rules::Coverage& coverage : {expected, covered.coverage()}) {
        CHECK_EQUAL(coverage.rows, n);
        CHECK_EQUAL(coverage.false_positives, false_positives);
        CHECK_EQUAL(coverage.false_negatives, false_negatives);
      }
    }
  }
}

void rules_match_the_rows_that_satisfy_them(Random& random) {
  const RandomTable table = random_table(random, random_shape(random));
  const std::vector<double> weights = random_weights(random, table.dataset.n_rows, Weighting::unit);
  const rules::Options options{.annealing = below(random, 2) == 1, .n_threads = 1 + below(random, 3)};
  const rules::Ruleset ruleset = fit::fit_rules(table.dataset, weights, tree_options(random), options);
  CHECK_EQUAL(ruleset.problem(), "");
  const rules::Matcher matcher(ruleset);
  const auto columns = table.input();
  const graph::InputRows input{columns, table.dataset.n_rows, 1 + below(random, 3)};
  std::vector<std::int32_t> first(table.dataset.n_rows);
  matcher.first_match(input, first.data());
  const rules::Matches all = matcher.all_matches(input);
  std::vector<double> used(ruleset.rules.size(), 0.0);
  for (std::uint32_t row = 0; row < table.dataset.n_rows; ++row) {
    std::vector<std::int32_t> expected;
    for (std::size_t r = 0; r < ruleset.rules.size(); ++r)
      if (!rules::too_inaccurate(ruleset.rules[r].error) &&
          std::ranges::all_of(ruleset.rules[r].conditions,
                              [&](const Condition& condition) { return satisfies(table.dataset, condition, row); }))
        expected.push_back(static_cast<std::int32_t>(r));
    CHECK_EQUAL(first[row], expected.empty() ? -1 : expected[0]);
    const std::vector<std::int32_t> got(all.rules.begin() + all.row_start[row],
                                        all.rules.begin() + all.row_start[row + 1]);
    CHECK_EQUAL(got, expected);
    if (!expected.empty()) used[expected[0]] += 1.0;
  }
  for (std::size_t r = 0; r < used.size(); ++r) CHECK_EQUAL(ruleset.rules[r].used, used[r]);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  Random random(20);
  random_numbers_of_the_c_library();
  for (int i = 0; i < 60; ++i) {
    tallies_equal_plain_counts(random);
    coverage_is_kept_up_to_date(random);
    rules_match_the_rows_that_satisfy_them(random);
  }
  return report("rules");
}
