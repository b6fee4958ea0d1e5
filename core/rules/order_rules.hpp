// The order of the selected rules, the default class, and the final removal of rules that do more harm than good.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/counted_rows.hpp"
#include "rules/prune_rule.hpp"

namespace weaklearn::rules {

struct OrderedRules {
  std::vector<std::uint32_t> order;  // indices of rules
  std::int32_t default_class = 0;
};

// Places one class after the other: always the one whose rules match the fewest rows of other classes among the rows
// that no placed rule matches; ties go to the lowest class. The rules of a class are in order of their error rates. The
// default class is the most frequent one among the rows that no rule matches; ties go to the class with more rows,
// then to the lowest. `matched` holds the rows that each rule matches, `selected` the indices of rules per class.
OrderedRules order_rules(const CountedRows& rows, const std::vector<PrunedRule>& rules,
                         const std::vector<std::vector<std::uint32_t>>& selected);

// What a rule does as the first one that matches rows.
struct Use {
  Count rows = 0;
  Count errors = 0;
  Count better = 0;  // rows that it predicts correctly, and the next matching rule or the default class does not
  Count worse = 0;  // rows that it predicts wrongly, and the next one correctly
};

// Removes the first rule that is worse more often than better, as long as there is one. Returns what each remaining
// rule does; `classes_of_others` receives the count of each class among the rows that no rule matches.
std::vector<Use> remove_rules(const CountedRows& rows, const std::vector<PrunedRule>& rules, OrderedRules& ordered,
                              std::vector<Count>& classes_of_others);

// Returns the rows that a rule matches: none if it is too inaccurate.
const std::vector<std::uint32_t>& matched_rows(const PrunedRule& rule);

}  // namespace weaklearn::rules
