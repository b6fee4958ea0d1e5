// Datasets, forests, explainers and rulesets never change, so several threads can use them at the same time. Each
// thread gets what it would get alone.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "check.hpp"
#include "data/encode_dataset.hpp"
#include "explain/shap.hpp"
#include "fit/fit_rules.hpp"
#include "graphs.hpp"
#include "learners.hpp"
#include "random_table.hpp"
#include "rules/match_rules.hpp"

namespace weaklearn::tests {
namespace {

using graph::Forest;
using graph::Graph;
using graph::VoteForm;

constexpr std::size_t n_users = 4;

void in_several_threads(const std::function<void(std::size_t)>& work) {
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < n_users; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
}

void learners_share_a_dataset() {
  Random random(1);
  const RandomTable table = random_table(random, {.n_rows = 2500, .n_continuous = 3, .missing = 0.02});
  const std::vector<double> weights = random_weights(random, table.dataset.n_rows, Weighting::real);
  for (const auto& learner : learners()) {
    const Fit& fit = learner.second;  // Clang 14 cannot capture a structured binding
    const Graph alone = fit(table.dataset, weights, 1);
    std::vector<Graph> fitted(n_users);
    in_several_threads([&](std::size_t t) { fitted[t] = fit(table.dataset, weights, 2); });
    for (const Graph& graph : fitted) CHECK_EQUAL(difference(graph, alone), std::string());
  }
}

// What each user of a forest asks for.
std::vector<double> predictions(const Forest& forest, const graph::InputRows& rows, std::size_t user) {
  const std::size_t n = rows.n_rows;
  const std::vector<double> votes(forest.n_members(), 0.5);
  std::vector<double> result(n * forest.n_classes());
  std::vector<std::int32_t> numbers(n * forest.n_members());
  if (user == 0) {
    forest.count_votes(rows, {votes, VoteForm::shares}, result.data());
  } else if (user == 1) {
    forest.count_votes(rows, {votes, VoteForm::label}, result.data());
  } else {
    user == 2 ? forest.apply(rows, numbers.data()) : forest.predict_members(rows, numbers.data(), nullptr);
    result.assign(numbers.begin(), numbers.end());
  }
  return result;
}

// The first rows of a forest make another form of it, in which many rows are predicted.
void threads_share_a_new_forest() {
  Random random(2);
  std::uint32_t n_changed = 0;
  for (int round = 0; round < 12; ++round) {
    const RandomTable table = random_table(random, {.n_rows = 300, .missing = round % 2 * 0.05});
    const Graph graph = random_graph(random, table, false);
    const std::vector<const Graph*> members(80, &graph);
    const auto columns = table.input();
    const graph::InputRows rows{columns, table.dataset.n_rows, 2};
    const Forest of_one(members);
    std::vector<std::vector<double>> alone;
    for (std::size_t t = 0; t < n_users; ++t) alone.push_back(predictions(of_one, rows, t));

    const Forest shared(members);
    const std::size_t before = shared.nbytes();
    std::vector<std::vector<double>> together(n_users);
    in_several_threads([&](std::size_t t) {
      static_cast<void>(shared.nbytes());
      together[t] = predictions(shared, rows, t);
    });
    CHECK(together == alone);
    n_changed += shared.nbytes() > before;
  }
  CHECK(n_changed > 6);
}

void threads_share_an_explainer() {
  Random random(3);
  const RandomTable table = random_table(random, {.n_rows = 60, .missing = 0.1});
  const std::vector<double> weights(table.dataset.n_rows, 1.0);
  const auto columns = table.input();
  for (const auto& learner : learners()) {
    const Graph graph = learner.second(table.dataset, weights, 1);
    const Graph* const only = &graph;
    const double vote = 1.5;
    const explain::Explainer explainer({&only, 1}, {&vote, 1});
    const auto values = [&](std::uint32_t n_threads) {
      std::vector<double> result(std::size_t{40} * columns.size() * graph.n_classes);
      std::vector<double> base(std::size_t{40} * graph.n_classes);
      explainer.explain({columns, 40, n_threads}, result.data(), base.data());
      result.insert(result.end(), base.begin(), base.end());
      return result;
    };
    const std::vector<double> alone = values(1);
    std::vector<std::vector<double>> together(n_users);
    in_several_threads([&](std::size_t t) { together[t] = values(2); });
    for (const std::vector<double>& result : together) CHECK(result == alone);
  }
}

void threads_share_a_ruleset() {
  Random random(4);
  const RandomTable table = random_table(random, {.n_rows = 400, .missing = 0.05});
  const std::vector<double> weights(table.dataset.n_rows, 1.0);
  const auto columns = table.input();
  const rules::Ruleset ruleset = fit::fit_rules(table.dataset, weights, {}, {});
  const rules::Matcher matcher(ruleset);
  std::vector<std::int32_t> alone(table.dataset.n_rows);
  matcher.first_match({columns, table.dataset.n_rows, 1}, alone.data());
  std::vector<std::vector<std::int32_t>> together(n_users, alone);
  in_several_threads([&](std::size_t t) {
    const rules::Ruleset own = fit::fit_rules(table.dataset, weights, {}, {.n_threads = 2});
    std::vector<std::int32_t> by_own(alone.size());
    rules::Matcher(own).first_match({columns, table.dataset.n_rows, 2}, by_own.data());
    matcher.first_match({columns, table.dataset.n_rows, 2}, together[t].data());
    if (by_own != together[t]) together[t].clear();
  });
  for (const std::vector<std::int32_t>& first : together) CHECK(first == alone);
}

bool are_equal(const data::Dataset& a, const data::Dataset& b) {
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    const data::Column& x = a.columns[c];
    const data::Column& y = b.columns[c];
    if (!(x.codes == y.codes) || !std::ranges::equal(x.values, y.values) || x.order != y.order ||
        x.n_missing != y.n_missing || x.least_gap != y.least_gap || !(x.shared_bins == y.shared_bins))
      return false;
  }
  return a.classes == b.classes;
}

// The numbers lie row by row, as in an array of NumPy, so that all threads read the same memory.
void threads_encode_one_table() {
  Random random(5);
  constexpr std::uint32_t n_rows = 3000;
  constexpr std::uint32_t n_columns = 5;
  std::vector<double> table(n_rows * n_columns);
  for (double& x : table) x = below(random, 30) == 0 ? missing_number : uniform(random);
  for (std::uint32_t row = 0; row < n_rows; ++row) table[row * n_columns] = below(random, 40);
  std::vector<std::int32_t> codes(n_rows);
  for (auto& code : codes) code = static_cast<std::int32_t>(below(random, 7)) - 1;
  std::vector<data::RawColumn> columns;
  for (std::size_t c = 0; c < n_columns; ++c)
    columns.push_back({.numbers = {table.data() + c, n_columns}, .codes = {}, .n_rows = n_rows});
  columns.push_back({.numbers = {}, .codes = codes, .n_values = 6, .n_rows = n_rows, .nominal = true});
  const std::vector<std::int32_t> classes(n_rows, 0);
  for (const std::uint32_t max_bins : {0U, 20U, 300U}) {
    const data::Dataset alone = data::encode_dataset(columns, classes, 1, {.max_bins = max_bins});
    std::vector<data::Dataset> encoded(n_users);
    in_several_threads([&](std::size_t t) {
      encoded[t] = data::encode_dataset(columns, classes, 1, {.max_bins = max_bins, .n_threads = 3});
    });
    for (const data::Dataset& dataset : encoded) CHECK(are_equal(dataset, alone));
  }
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  learners_share_a_dataset();
  threads_share_a_new_forest();
  threads_share_an_explainer();
  threads_share_a_ruleset();
  threads_encode_one_table();
  return report("shared_objects");
}
