#include "rules/ruleset.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace weaklearn::rules {
namespace {

std::string problem_of(const Condition& condition, const std::vector<graph::ColumnType>& columns) {
  if (condition.column >= columns.size()) return "a condition on column " + std::to_string(condition.column);
  const std::uint32_t n_values = columns[condition.column].n_values;
  const auto name = "a condition on column " + std::to_string(condition.column);
  switch (condition.kind) {
    case ConditionKind::at_most:
    case ConditionKind::above:
      if (n_values > 0) return name + " has a threshold, and the column is nominal";
      if (!std::isfinite(condition.threshold)) return name + " has a threshold that is not finite";
      return condition.values.empty() ? "" : name + " has a threshold and values";
    case ConditionKind::equals:
      if (condition.values.size() != 1) return name + " must have one value";
      break;
    case ConditionKind::one_of:
      if (condition.values.empty()) return name + " has no values";
      break;
    default:
      return name + " has an unknown kind";
  }
  if (std::ranges::adjacent_find(condition.values, std::greater_equal<>()) != condition.values.end())
    return name + " has values that are not in ascending order";
  return condition.values.back() < n_values ? "" : name + " has a value that the column does not have";
}

bool is_weight(double x) { return x >= 0.0 && std::isfinite(x); }

std::string problem_of(const Rule& rule, const Ruleset& ruleset) {
  if (rule.label < 0 || static_cast<std::uint32_t>(rule.label) >= ruleset.n_classes) return "its class does not exist";
  if (!(rule.error >= 0.0 && rule.error <= 1.0)) return "its error is not in [0, 1]";
  for (const double weight : {rule.covered, rule.covered_errors, rule.used, rule.used_errors})
    if (!is_weight(weight)) return "a weight is negative or not finite";
  for (const Condition& condition : rule.conditions)
    if (const std::string problem = problem_of(condition, ruleset.columns); !problem.empty()) return problem;
  return "";
}

}  // namespace

std::string Ruleset::problem() const {
  if (default_class < 0 || static_cast<std::uint32_t>(default_class) >= n_classes)
    return "the default class does not exist";
  if (class_weights.size() != n_classes || default_weights.size() != n_classes)
    return "there must be one weight per class";
  if (!std::ranges::all_of(class_weights, is_weight) || !std::ranges::all_of(default_weights, is_weight))
    return "a class weight is negative or not finite";
  for (std::size_t r = 0; r < rules.size(); ++r)
    if (const std::string what = problem_of(rules[r], *this); !what.empty())
      return "rule " + std::to_string(r) + ": " + what;
  return "";
}

}  // namespace weaklearn::rules
