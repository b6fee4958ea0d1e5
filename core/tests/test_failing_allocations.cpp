// Every allocation of every learner, and of prediction, fails once. The result is std::bad_alloc, no memory is lost,
// and the next call gives the same model.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "check.hpp"
#include "explain/shap.hpp"
#include "fit/fit_c45.hpp"
#include "fit/fit_rules.hpp"
#include "graph/compact_graphs.hpp"
#include "graphs.hpp"
#include "learners.hpp"
#include "random_table.hpp"
#include "rules/match_rules.hpp"

namespace {

std::atomic<std::int64_t> n_live = 0;
std::atomic<std::int64_t> until_failure = -1;  // allocations until one fails; negative: none fails

}  // namespace

void* operator new(std::size_t size) {
  if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
  void* const place = std::malloc(size > 0 ? size : 1);
  if (place == nullptr) throw std::bad_alloc();
  ++n_live;
  return place;
}
// std::stable_sort allocates with this. Sanitizers have one of their own, which would not be counted.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* place) noexcept {
  if (place != nullptr) --n_live;
  std::free(place);
}
void operator delete(void* place, std::size_t) noexcept { operator delete(place); }

namespace weaklearn::tests {
namespace {

// Calls work() again and again: first its first allocation fails, then its second, and so on until none fails. With a
// step above 1 only every step-th allocation fails. Returns how many calls failed.
int fail_one_by_one(const std::function<void()>& work, std::int64_t step) {
  work();  // tables that are made once exist from now on
  for (std::int64_t n = 0, n_failed = 0;; n += step, ++n_failed) {
    const std::int64_t before = n_live;
    bool failed = false;
    until_failure = n;
    try {
      work();
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    const bool none_left = until_failure >= 0;
    until_failure = -1;
    CHECK_EQUAL(n_live.load(), before);
    if (none_left) {
      CHECK(!failed);
      return static_cast<int>(n_failed);
    }
  }
}

void every_allocation_fails_once() {
  Random random(4);
  const RandomTable table = random_table(random, {.n_rows = 40, .missing = 0.1});
  const RandomTable large = random_table(random, {.n_rows = 5000, .n_nominal = 1});  // shared by threads
  const std::vector<double> weights = random_weights(random, 40, Weighting::real);
  const std::vector<double> many(5000, 1.0);
  const std::vector<graph::InputColumn> columns = table.input();
  const graph::InputRows rows{columns, 40};
  for (const auto& learner : learners()) {
    const Fit& fit = learner.second;  // Clang 14 cannot capture a structured binding
    const graph::Graph model = fit(table.dataset, weights, 1);
    const int n_failed = fail_one_by_one([&] { static_cast<void>(fit(table.dataset, weights, 1)); }, 1);
    CHECK(n_failed > 20);
    CHECK_EQUAL(difference(fit(table.dataset, weights, 1), model), std::string());
    fail_one_by_one([&] { static_cast<void>(fit(large.dataset, many, 3)); }, 997);

    const graph::Graph* const only = &model;
    std::vector<std::int32_t> classes(40);
    std::vector<double> shares(std::size_t{40} * model.n_classes);
    const auto predict = [&] {
      const graph::Forest forest({&only, 1});
      forest.predict_members(rows, classes.data(), nullptr);
      shares.assign(shares.size(), 0.0);
      forest.class_shares(rows, shares.data());
      static_cast<void>(forest.decision_path(rows));
    };
    predict();
    const std::vector<std::int32_t> predicted = classes;
    CHECK(fail_one_by_one(predict, 1) > 3);
    CHECK(classes == predicted);
    const std::vector<const graph::Graph*> members(40, &model);  // predicted bit by bit
    fail_one_by_one(
        [&] {
          const graph::Forest forest(members);
          std::vector<std::int32_t> all(40 * members.size());
          forest.predict_members({columns, 40, 2}, all.data(), nullptr);
        },
        3);
    fail_one_by_one([&] { static_cast<void>(graph::compact({&only, 1})); }, 1);
    const double vote = 1.0;
    fail_one_by_one(
        [&] {
          std::vector<double> values(shares.size() * columns.size());
          std::vector<double> base(shares.size());
          explain::Explainer({&only, 1}, {&vote, 1}).explain({columns, 5}, values.data(), base.data());
        },
        7);
  }
}

void every_allocation_of_rules_fails_once() {
  Random random(5);
  const RandomTable table = random_table(random, {.n_rows = 40, .missing = 0.1});
  const std::vector<double> weights(40, 1.0);
  const std::vector<graph::InputColumn> columns = table.input();
  for (const bool release8 : {false, true}) {
    fit::C45FitOptions options;
    options.release8 = release8;
    fail_one_by_one([&] { static_cast<void>(fit::fit_rules(table.dataset, weights, options, {})); }, 1);
  }
  const rules::Ruleset ruleset = fit::fit_rules(table.dataset, weights, {}, {});
  std::vector<std::int32_t> first(40);
  fail_one_by_one([&] { rules::Matcher(ruleset).first_match({columns, 40, 2}, first.data()); }, 1);
}

void every_allocation_of_encoding_fails_once() {
  Random random(6);
  const RandomTable table = random_table(random, {.n_rows = 700, .missing = 0.1});
  fail_one_by_one(
      [&] {
        RandomTable copy = table;
        copy.encode();
      },
      1);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  every_allocation_fails_once();
  every_allocation_of_rules_fails_once();
  every_allocation_of_encoding_fails_once();
  return report("failing_allocations");
}
