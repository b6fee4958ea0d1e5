#include "rules/prune_rule.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "rules/comparisons.hpp"

namespace weaklearn::rules {

template <class Number>
std::optional<PrunedRule> RulePruner<Number>::prune(const Path& path) {
  enter(path);
  remaining_.resize(path.steps.size());
  std::iota(remaining_.begin(), remaining_.end(), 0);
  const Number class_error = rates_.of_class(path.label);
  Round round;
  while (!remaining_.empty()) {
    round = evaluate(path.label, class_error);
    if (!round.drop) break;
    remaining_.erase(remaining_.begin() + static_cast<std::ptrdiff_t>(*round.drop));
  }
  if (remaining_.empty() || !round.matches_rows || !is_less(round.error, class_error)) return std::nullopt;

  PrunedRule rule{.label = path.label, .error = round.error, .conditions = {}, .nodes = {}, .rows = rows_of(matched_)};
  std::vector<bool> kept(path.steps.size(), false);
  for (const std::uint32_t position : remaining_) kept[position] = true;
  for (const std::uint32_t position : sorted_positions(conditions_, kept)) {
    rule.conditions.push_back(conditions_[position]);
    rule.nodes.push_back(steps_[position].node);
  }
  return rule;
}

template <class Number>
void RulePruner<Number>::enter(const Path& path) {
  if (path.tree != tree_) steps_.clear();
  tree_ = path.tree;
  const auto common = std::ranges::mismatch(steps_, path.steps).in1 - steps_.begin();
  steps_ = path.steps;
  conditions_.resize(common);
  satisfied_.resize(std::max(satisfied_.size(), steps_.size()), RowBits(rows_.n_rows()));
  for (auto i = static_cast<std::size_t>(common); i < steps_.size(); ++i) {
    conditions_.push_back(condition_of(*tree_, steps_[i]));
    find_rows(rows_, conditions_[i], satisfied_[i]);
  }
}

template <class Number>
typename RulePruner<Number>::Round RulePruner<Number>::evaluate(std::int32_t label, Number class_error) {
  bits_.clear();
  for (const std::uint32_t position : remaining_) bits_.push_back(satisfied_[position].data());
  tallies_.resize(remaining_.size() + 1);
  tally_rows(rows_, label, bits_, tallies_, matched_);

  const Number observed = rates_.observed(tallies_[0]);
  Round round;
  round.error = rates_.pessimistic(tallies_[0], class_error);
  round.matches_rows = tallies_[0].rows > 0;

  std::size_t candidate = 0;
  Number lowest = 0;
  bool drop = false;
  for (std::size_t i = 0; i < remaining_.size(); ++i) {
    const Number rate = rates_.pessimistic(tallies_[1 + i], class_error);
    if (i == 0 || !is_more(rate, lowest)) {
      lowest = rate;
      candidate = i;
    }
    drop = drop || !is_more(rate, round.error) || !is_more(rates_.observed(tallies_[1 + i]), observed) ||
           (fisher_ && has_no_influence(1 + i));
  }
  if (drop) round.drop = candidate;
  return round;
}

template <class Number>
bool RulePruner<Number>::has_no_influence(std::size_t condition) const {
  const Tally with = tallies_[0];
  const Tally all = tallies_[condition];
  const auto size = [&](Count count) { return static_cast<std::size_t>(rows_.weight(count)); };
  const ConditionTable table{.wrong_with = size(with.errors),
                             .wrong_without = size(all.errors - with.errors),
                             .right_with = size(with.rows - with.errors),
                             .right_without = size((all.rows - with.rows) - (all.errors - with.errors))};
  return fisher_level(table, log_factorial_) > *fisher_;
}

template class RulePruner<float>;
template class RulePruner<double>;

}  // namespace weaklearn::rules
