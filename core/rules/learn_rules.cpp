#include "rules/learn_rules.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "criteria/class_factors.hpp"
#include "parallel/thread_pool.hpp"
#include "release8/pessimistic_errors.hpp"
#include "rules/coding_cost.hpp"
#include "rules/collect_paths.hpp"
#include "rules/counted_rows.hpp"
#include "rules/order_rules.hpp"
#include "rules/prune_rule.hpp"
#include "rules/row_groups.hpp"
#include "rules/select_rules.hpp"

namespace weaklearn::rules {
namespace {

template <class Number>
class Learner {
  static constexpr bool is_release8 = std::is_same_v<Number, float>;

 public:
  Learner(const data::Dataset& dataset, std::span<const double> weights, std::span<const graph::Graph* const> trees,
          const Options& options)
      : rows_(dataset, weights, *trees[0], is_release8, options.class_factors),
        trees_(trees),
        options_(options),
        pool_(options.n_threads) {
    if (options.fisher && (!rows_.whole_weights() || !options.class_factors.empty()))
      throw std::invalid_argument("Fisher's test counts rows: weights must be whole numbers, without class factors");
  }

  Ruleset learn() {
    collect_rules();
    OrderedRules ordered = order_rules(rows_, rules_, select());
    std::vector<Count> others;
    const std::vector<Use> uses = remove_rules(rows_, rules_, ordered, others);
    return ruleset_of(ordered, uses, others);
  }

 private:
  // ---- rules from paths

  void collect_rules() {
    const std::vector<Path> paths = collect_paths(trees_, is_release8, options_.class_factors);
    std::vector<std::optional<PrunedRule>> pruned = prune(paths);
    std::map<std::vector<std::uint64_t>, std::size_t> index_of;
    for (std::optional<PrunedRule>& rule : pruned) {
      if (!rule) continue;
      const auto [place, is_new] = index_of.try_emplace(identity(*rule), rules_.size());
      if (is_new)
        rules_.push_back(std::move(*rule));
      else
        rules_[place->second].error = std::max(rules_[place->second].error, rule->error);
    }
    if (trees_.size() > 1) keep_most_accurate();
  }

  void keep_most_accurate() {
    std::vector<std::uint32_t> order(rules_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t rule) { return rules_[rule].error; });
    std::vector<std::size_t> n_of_class(rows_.n_classes(), 0);
    std::vector<bool> is_kept(rules_.size(), false);
    for (const std::uint32_t rule : order) is_kept[rule] = ++n_of_class[rules_[rule].label] <= most_rules_of_class;
    std::size_t n_kept = 0;
    for (std::size_t rule = 0; rule < rules_.size(); ++rule)
      if (is_kept[rule]) std::swap(rules_[n_kept++], rules_[rule]);
    rules_.resize(n_kept);
  }

  std::vector<std::optional<PrunedRule>> prune(const std::vector<Path>& paths) {
    const ErrorRates<Number> rates(rows_, options_.confidence);
    const std::optional<Number> fisher = fisher_level();
    const LogFactorials<Number> log_factorial(fisher ? static_cast<std::size_t>(rows_.weight(rows_.total()))
                                                     : std::size_t{1});
    std::vector<std::optional<PrunedRule>> pruned(paths.size());
    // Neighbouring paths have conditions in common, so a thread takes several of them.
    constexpr std::size_t paths_per_step = 32;
    const auto n_steps = static_cast<std::uint32_t>((paths.size() + paths_per_step - 1) / paths_per_step);
    std::vector<RulePruner<Number>> pruners(pool_.n_threads(), {rows_, rates, fisher, log_factorial});
    pool_.for_each(n_steps, [&](std::uint32_t step, std::uint32_t thread) {
      const std::size_t end = std::min(paths.size(), (step + 1) * paths_per_step);
      for (std::size_t i = step * paths_per_step; i < end; ++i) pruned[i] = pruners[thread].prune(paths[i]);
    });
    return pruned;
  }

  std::optional<Number> fisher_level() const {
    if (!options_.fisher) return std::nullopt;
    if constexpr (is_release8)
      return release8::percent_of(*options_.fisher) / 100.0F;
    else
      return *options_.fisher;
  }

  // Returns numbers that are equal for rules that count as duplicates. The original compares neither the direction of
  // a threshold nor the branch of a subset split, and equal subsets at different nodes count as different.
  static std::vector<std::uint64_t> identity(const PrunedRule& rule) {
    std::vector<std::uint64_t> key{static_cast<std::uint64_t>(rule.label)};
    for (std::size_t i = 0; i < rule.conditions.size(); ++i) {
      const Condition& condition = rule.conditions[i];
      const auto kind = is_release8 ? static_cast<std::uint64_t>(sort_class(condition.kind))
                                    : static_cast<std::uint64_t>(condition.kind);
      key.insert(key.end(), {kind, condition.column, std::bit_cast<std::uint64_t>(condition.threshold + 0.0)});
      if (is_release8 && condition.kind == ConditionKind::one_of) {
        key.push_back(rule.nodes[i]);
      } else {
        key.push_back(condition.values.size());
        key.insert(key.end(), condition.values.begin(), condition.values.end());
      }
    }
    return key;
  }

  // ---- selection

  // Returns the selected rules of each class.
  std::vector<std::vector<std::uint32_t>> select() {
    const RuleBits<Number> bits(rows_, options_.redundancy);
    std::vector<std::vector<std::uint32_t>> by_class(rows_.n_classes());
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule) by_class[rules_[rule].label].push_back(rule);

    // The original has one stream of random numbers. How many a class takes is known in advance, except in annealing.
    GlibcRandom random;
    std::vector<std::vector<std::vector<bool>>> starts(by_class.size());
    const bool anneals = is_release8 && options_.annealing;
    for (std::size_t label = 0; label < by_class.size(); ++label)
      if (by_class[label].size() > most_rules_tried_exhaustively && !options_.annealing)
        starts[label] = starts_for(by_class[label], random);

    std::vector<std::optional<RowGrouper>> groupers(pool_.n_threads());
    const auto select_class = [&](std::uint32_t label, std::uint32_t thread) {
      if (by_class[label].empty()) return;
      if (!groupers[thread]) groupers[thread].emplace(rows_);
      by_class[label] =
          selected(static_cast<std::int32_t>(label), by_class[label], bits, starts[label], random, *groupers[thread]);
    };
    const auto n_classes = static_cast<std::uint32_t>(by_class.size());
    if (anneals)
      for (std::uint32_t label = 0; label < n_classes; ++label) select_class(label, 0);
    else
      pool_.for_each(n_classes, select_class);
    return by_class;
  }

  std::vector<std::vector<bool>> starts_for(const std::vector<std::uint32_t>& rules, GlibcRandom& random) const {
    if (is_release8) return random_starts(rules.size(), random);
    std::vector<double> errors;
    for (const std::uint32_t rule : rules) errors.push_back(rules_[rule].error);
    return starts_by_error(errors);
  }

  std::vector<std::uint32_t> selected(std::int32_t label, const std::vector<std::uint32_t>& rules,
                                      const RuleBits<Number>& bits, const std::vector<std::vector<bool>>& starts,
                                      GlibcRandom& random, RowGrouper& grouper) const {
    std::vector<const std::vector<std::uint32_t>*> matched;
    std::vector<Number> rule_bits;
    for (const std::uint32_t rule : rules) {
      matched.push_back(&matched_rows(rules_[rule]));
      rule_bits.push_back(bits(rules_[rule].conditions));
    }
    const RowGroups groups = grouper.group(label, matched);
    RuleSelection<Number> selection(rows_, groups, rows_.class_total(label), std::move(rule_bits));
    std::vector<bool> set;
    if (rules.size() <= most_rules_tried_exhaustively)
      set = selection.try_all();
    else if (!options_.annealing)
      set = selection.climb_from(starts);
    else
      set = is_release8 ? selection.anneal(random) : selection.tabu_search();
    std::vector<std::uint32_t> result;
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (set[i]) result.push_back(rules[i]);
    return result;
  }

  // ---- result

  Ruleset ruleset_of(const OrderedRules& ordered, const std::vector<Use>& uses, const std::vector<Count>& others) {
    Ruleset result;
    result.n_classes = rows_.n_classes();
    result.default_class = ordered.default_class;
    for (std::uint32_t label = 0; label < rows_.n_classes(); ++label) {
      result.class_weights.push_back(rows_.weight(rows_.class_total(static_cast<std::int32_t>(label))));
      result.default_weights.push_back(rows_.weight(others[label]));
    }
    scale_to_effective_rows(result.default_weights);
    for (std::size_t i = 0; i < ordered.order.size(); ++i) {
      PrunedRule& pruned = rules_[ordered.order[i]];
      Rule rule{.label = pruned.label,
                .error = pruned.error,
                .number = ordered.order[i] + 1,
                .conditions = std::move(pruned.conditions)};
      Count covered = 0;
      Count errors = 0;
      for (const std::uint32_t row : matched_rows(pruned)) {
        covered += rows_.count_of(row);
        if (rows_.class_of(row) != pruned.label) errors += rows_.count_of(row);
      }
      rule.covered = rows_.weight(covered);
      rule.covered_errors = rows_.weight(errors);
      rule.used = rows_.weight(uses[i].rows);
      rule.used_errors = rows_.weight(uses[i].errors);
      result.rules.push_back(std::move(rule));
    }
    return result;
  }

  void scale_to_effective_rows(std::vector<double>& class_weights) const {
    const double sum = std::accumulate(class_weights.begin(), class_weights.end(), 0.0);
    if (options_.class_factors.empty() || !(sum > 0.0)) return;
    const double scale = criteria::effective_rows(class_weights, options_.class_factors) / sum;
    for (double& weight : class_weights) weight *= scale;
  }

  CountedRows rows_;
  std::span<const graph::Graph* const> trees_;
  const Options& options_;
  parallel::ThreadPool pool_;
  std::vector<PrunedRule> rules_;
};

}  // namespace

Ruleset learn_rules(const data::Dataset& dataset, std::span<const double> weights,
                    std::span<const graph::Graph* const> trees, const Options& options) {
  if (options.release8) return Learner<float>(dataset, weights, trees, options).learn();
  return Learner<double>(dataset, weights, trees, options).learn();
}

}  // namespace weaklearn::rules
