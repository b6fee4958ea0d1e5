// A set of rules of one class, the rows that it covers, and what each change of one rule would do to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/coding_cost.hpp"
#include "rules/row_groups.hpp"

namespace weaklearn::rules {

class CoveredGroups {
 public:
  CoveredGroups(const RowGroups& groups, Count class_total)
      : groups_(groups), class_total_(class_total), own_(groups.of_rule.size()) {
    clear();
  }

  void clear() {
    selected_.assign(groups_.of_rule.size(), false);
    covers_.assign(groups_.counts.size(), {});
    coverage_ = {.rows = 0, .false_positives = 0, .false_negatives = class_total_};
    for (std::size_t rule = 0; rule < own_.size(); ++rule) {
      own_[rule] = {};
      for (const std::uint32_t group : groups_.of_rule[rule]) add_own(static_cast<std::uint32_t>(rule), group, 1);
    }
  }

  const std::vector<bool>& selected() const { return selected_; }
  const Coverage& coverage() const { return coverage_; }

  // Returns what the set covers after a rule is added, or removed if it is in.
  Coverage coverage_after(std::uint32_t rule) const {
    const Count sign = selected_[rule] ? -1 : 1;
    return {.rows = coverage_.rows + sign * own_[rule].rows,
            .false_positives = coverage_.false_positives + sign * (own_[rule].rows - own_[rule].of_class),
            .false_negatives = coverage_.false_negatives - sign * own_[rule].of_class};
  }

  void toggle(std::uint32_t rule) {
    coverage_ = coverage_after(rule);
    selected_[rule] = !selected_[rule];
    for (const std::uint32_t group : groups_.of_rule[rule]) {
      Cover& cover = covers_[group];
      cover.rules ^= rule;
      const std::uint32_t before = selected_[rule] ? cover.n++ : --cover.n;
      // A group that no rule or one rule covers beside this one.
      if (before == 0) {
        for (const std::uint32_t other : groups_.rules_of[group])
          if (other != rule) add_own(other, group, selected_[rule] ? -1 : 1);
      } else if (before == 1) {
        const std::uint32_t other = selected_[rule] ? cover.rules ^ rule : cover.rules;
        add_own(other, group, selected_[rule] ? -1 : 1);
      }
    }
  }

 private:
  struct Cover {
    std::uint32_t n = 0;      // selected rules that match the group
    std::uint32_t rules = 0;  // the exclusive or of their indices: with n = 1, the rule itself
  };
  struct Own {
    Count rows = 0;
    Count of_class = 0;
  };

  void add_own(std::uint32_t rule, std::uint32_t group, Count sign) {
    own_[rule].rows += sign * groups_.counts[group];
    if (groups_.of_class[group]) own_[rule].of_class += sign * groups_.counts[group];
  }

  const RowGroups& groups_;
  Count class_total_;
  std::vector<bool> selected_;  // per rule
  Coverage coverage_;
  std::vector<Cover> covers_;  // per group
  std::vector<Own> own_;       // per rule: the rows it matches that no other selected rule matches
};

}  // namespace weaklearn::rules
