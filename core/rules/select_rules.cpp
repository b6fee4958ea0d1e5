#include "rules/select_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "rules/comparisons.hpp"

namespace weaklearn::rules {
namespace {

constexpr std::size_t n_known = 4096;  // a power of two

}  // namespace
template <class Number>
RuleSelection<Number>::RuleSelection(const CountedRows& rows, const RowGroups& groups, Count class_total,
                                     std::vector<Number> bits)
    : rows_(rows),
      groups_(groups),
      class_total_(class_total),
      bits_(std::move(bits)),
      log_factorial_(bits_.size() + 1),
      exception_bits_(rows),
      covered_(groups, class_total),
      known_(n_known),
      best_(bits_.size(), false) {}

// ---- the cost of a set

template <class Number>
Number RuleSelection<Number>::theory_of(const Set& set) const {
  Number sum = 0;
  std::size_t n = 0;
  for (std::size_t rule = 0; rule < n_rules(); ++rule) {
    if (!set[rule]) continue;
    sum += bits_[rule];
    ++n;
  }
  return static_cast<Number>(sum - log_factorial_(n));
}

// Most rules of a large set have few rows of their own, so the same counts come again and again.
template <class Number>
Number RuleSelection<Number>::exceptions(const Coverage& coverage) const {
  const auto hash = static_cast<std::size_t>(coverage.rows) * 31 + static_cast<std::size_t>(coverage.false_positives);
  KnownExceptions& known = known_[hash % n_known];
  if (known.rows != coverage.rows || known.false_positives != coverage.false_positives)
    known = {coverage.rows, coverage.false_positives, exception_bits_(coverage)};
  return known.bits;
}

template <class Number>
void RuleSelection<Number>::keep_best(const Set& set, Number cost) {
  if (!is_less(cost, best_cost_)) return;
  best_cost_ = cost;
  best_ = set;
}

template <class Number>
typename RuleSelection<Number>::State RuleSelection<Number>::evaluate() {
  State state;
  const auto n = static_cast<double>(std::ranges::count(covered_.selected(), true));
  state.log2_n = n > 0 ? LogFactorials<Number>::log2(n) : 0;
  state.log2_next = LogFactorials<Number>::log2(n + 1);
  state.theory = theory_of(covered_.selected());
  state.cost = cost_of(state.theory, exceptions(covered_.coverage()));
  keep_best(covered_.selected(), state.cost);
  return state;
}

// Returns by how much adding a rule, or removing it if it is in, lowers the cost.
template <class Number>
Number RuleSelection<Number>::gain(const State& state, std::uint32_t rule) const {
  const Number bits_of_exceptions = exceptions(covered_.coverage_after(rule));
  if (covered_.selected()[rule]) {
    const Number theory = (state.theory - bits_[rule]) + state.log2_n;
    return -(static_cast<Number>(bits_of_exceptions + 0.5 * theory) - state.cost);
  }
  const Number theory = (state.theory + bits_[rule]) - state.log2_next;
  return state.cost - static_cast<Number>(bits_of_exceptions + 0.5 * theory);
}

// ---- searching

// A group is covered by all sets but those among the rules that do not match it. So the counts by the set of rules that
// do not match are summed over subsets.
template <class Number>
typename RuleSelection<Number>::Set RuleSelection<Number>::try_all() {
  const std::size_t n_sets = std::size_t{1} << n_rules();
  std::vector<Count> rows(n_sets, 0);  // per set of rules: first the rows that exactly they match
  std::vector<Count> of_class(n_sets, 0);
  Count total = 0;
  Count total_of_class = 0;
  for (std::size_t group = 0; group < groups_.counts.size(); ++group) {
    std::size_t set = 0;
    for (const std::uint32_t rule : groups_.rules_of[group]) set |= std::size_t{1} << rule;
    rows[set] += groups_.counts[group];
    total += groups_.counts[group];
    if (!groups_.of_class[group]) continue;
    of_class[set] += groups_.counts[group];
    total_of_class += groups_.counts[group];
  }
  for (std::size_t rule = 0; rule < n_rules(); ++rule) {
    for (std::size_t set = 0; set < n_sets; ++set) {
      if ((set >> rule & 1) == 0) continue;
      rows[set] += rows[set ^ std::size_t{1} << rule];
      of_class[set] += of_class[set ^ std::size_t{1} << rule];
    }
  }
  // Now: per set of rules, the rows that only they match.
  Set selected(n_rules());
  for (std::size_t set = 0; set < n_sets; ++set) {
    for (std::size_t rule = 0; rule < n_rules(); ++rule) selected[rule] = (set >> rule & 1) != 0;
    const std::size_t others = n_sets - 1 - set;
    const Count covered = total - rows[others];
    const Count covered_of_class = total_of_class - of_class[others];
    const Coverage coverage{.rows = covered,
                            .false_positives = covered - covered_of_class,
                            .false_negatives = class_total_ - covered_of_class};
    keep_best(selected, cost_of(theory_of(selected), exceptions(coverage)));
  }
  return best_;
}

template <class Number>
void RuleSelection<Number>::start(const Set& set) {
  covered_.clear();
  for (std::uint32_t rule = 0; rule < n_rules(); ++rule)
    if (set[rule]) covered_.toggle(rule);
}

template <class Number>
void RuleSelection<Number>::climb() {
  while (true) {
    const State state = evaluate();
    std::optional<std::uint32_t> best;
    Number best_gain = 0;
    for (std::uint32_t rule = 0; rule < n_rules(); ++rule) {
      const Number g = gain(state, rule);
      if (!is_more(g, best_gain)) continue;
      best_gain = g;
      best = rule;
    }
    if (!best) return;
    covered_.toggle(*best);
  }
}

template <class Number>
typename RuleSelection<Number>::Set RuleSelection<Number>::climb_from(const std::vector<Set>& starts) {
  for (const Set& set : starts) {
    start(set);
    climb();
  }
  return best_;
}

template <class Number>
typename RuleSelection<Number>::Set RuleSelection<Number>::anneal(GlibcRandom& random) {
  constexpr double coldest = 0.001;
  constexpr double cooling = 0.95;
  constexpr int most_tries = 100;
  start(Set(n_rules(), false));
  Number temperature = 1000;
  bool accepted = true;
  while (accepted && temperature > coldest) {
    const State state = evaluate();
    accepted = false;
    for (int i = 0; i < most_tries && !accepted; ++i) {
      const auto rule = static_cast<std::uint32_t>(static_cast<double>(n_rules()) * random.uniform());
      const Number g = gain(state, rule);
      accepted = g > 0 || random.uniform() < std::exp(static_cast<double>(g / temperature));
      if (accepted) covered_.toggle(rule);
    }
    if (accepted) temperature = static_cast<Number>(temperature * cooling);
  }
  start(Set(best_));
  climb();
  return best_;
}

template <class Number>
typename RuleSelection<Number>::Set RuleSelection<Number>::tabu_search() {
  const std::size_t patience = 10 * n_rules();
  const std::size_t tenure = 1 + n_rules() / 10;
  start(Set(n_rules(), false));
  std::vector<std::size_t> free_at(n_rules(), 0);
  std::size_t last_improvement = 0;
  for (std::size_t step = 0; step <= last_improvement + patience; ++step) {
    const Number before = best_cost_;
    const State state = evaluate();
    if (best_cost_ < before) last_improvement = step;
    std::optional<std::uint32_t> best;
    Number best_gain = -std::numeric_limits<Number>::infinity();
    for (std::uint32_t rule = 0; rule < n_rules(); ++rule) {
      if (free_at[rule] > step) continue;
      const Number g = gain(state, rule);
      if (best && !is_more(g, best_gain)) continue;
      best_gain = g;
      best = rule;
    }
    free_at[*best] = step + 1 + tenure;
    covered_.toggle(*best);
  }
  start(Set(best_));
  climb();
  return best_;
}

template class RuleSelection<float>;
template class RuleSelection<double>;

// ---- starts

std::vector<std::vector<bool>> random_starts(std::size_t n_rules, GlibcRandom& random) {
  std::vector<std::vector<bool>> starts(n_starts, std::vector<bool>(n_rules));
  for (std::size_t t = 0; t < n_starts; ++t) {
    const float share = static_cast<float>(t) / static_cast<float>(n_starts - 1);
    for (std::size_t rule = 0; rule < n_rules; ++rule) starts[t][rule] = random.uniform() < share;
  }
  return starts;
}

std::vector<std::vector<bool>> starts_by_error(const std::vector<double>& errors) {
  std::vector<std::size_t> order(errors.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return errors[a] < errors[b]; });
  std::vector<std::vector<bool>> starts(n_starts, std::vector<bool>(errors.size(), false));
  for (std::size_t t = 0; t < n_starts; ++t)
    for (std::size_t i = 0; i < order.size() * t / (n_starts - 1); ++i) starts[t][order[i]] = true;
  return starts;
}

}  // namespace weaklearn::rules
