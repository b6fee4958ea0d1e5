// rules/: rulesets from decision trees, as C4.5rules makes them (Quinlan 1987 and 1993).
//
// Terms:
//   condition       a split with the branch taken: value = v, value <= t, value > t, or value in a set; a row whose
//                   value is missing fails it
//   rule            conditions, the class that it predicts and its pessimistic error rate
//   matches         a rule matches the rows that satisfy all its conditions, unless its error rate is so high that it
//                   never matches (too_inaccurate)
//   ruleset         rules in the order in which they are tried, and the class of the rows that none matches
//   count           the weight of rows as a whole multiple of a small unit (counted_rows.hpp)
//   cost            the description length, in bits, of some rules and of the rows that they misclassify
//
// The steps, in the order of the files: collect_paths, prune_rule, coding_cost, select_rules, order_rules.
//
// Entry points: learn_rules (learn_rules.hpp) makes a ruleset of a tree; Matcher (match_rules.hpp) finds the rules that
// match rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace weaklearn::rules {

enum class ConditionKind : std::uint32_t { equals = 0, at_most = 1, above = 2, one_of = 3 };
constexpr const char* condition_kind_names[] = {"=", "<=", ">", "in"};

struct Condition {
  std::uint32_t column = 0;
  ConditionKind kind = ConditionKind::equals;
  double threshold = 0.0;  // at_most and above
  std::vector<std::uint32_t> values;  // equals: one code; one_of: some codes, ascending
};

struct Rule {
  std::int32_t label = 0;
  double error = 0.0;
  std::uint32_t number = 0;  // counts from 1 in the order in which C4.5rules finds rules
  std::vector<Condition> conditions;
  // Weights of training rows.
  double covered = 0.0;  // rows that the rule matches
  double covered_errors = 0.0;  // those of another class
  double used = 0.0;  // rows for which it is the first rule that matches
  double used_errors = 0.0;  // those of another class
};

// C4.5rules ignores rules whose pessimistic error rate is above this.
constexpr double highest_error = 0.7;
inline bool too_inaccurate(double error) { return error > highest_error; }

struct Ruleset {
  std::uint32_t n_classes = 0;
  std::vector<graph::ColumnType> columns;
  std::vector<Rule> rules;
  std::int32_t default_class = 0;
  std::vector<double> class_weights;  // per class, of all training rows
  // Per class, of the training rows that no rule matches; scaled to their effective number if classes had factors.
  std::vector<double> default_weights;

  // Returns what is wrong, in words, or an empty string. A ruleset may come from an untrusted file.
  std::string problem() const;
};

}  // namespace weaklearn::rules
