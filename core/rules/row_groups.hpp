// The rows that some rules match, in groups: rows of a group are matched by the same rules, and all or none of them are
// of the class that the rules predict. Searching among sets of rules needs only the groups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/counted_rows.hpp"

namespace weaklearn::rules {

struct RowGroups {
  std::vector<Count> counts;  // per group
  std::vector<bool> of_class;  // per group
  std::vector<std::vector<std::uint32_t>> of_rule;  // groups that a rule matches
  std::vector<std::vector<std::uint32_t>> rules_of;  // rules that match a group, ascending
};

// Makes groups for one class after the other. It keeps a number per row between calls.
class RowGrouper {
 public:
  explicit RowGrouper(const CountedRows& rows) : rows_(rows), group_of_(rows.n_rows(), none) {}

  // `matched` holds the rows that each rule matches.
  RowGroups group(std::int32_t label, std::span<const std::vector<std::uint32_t>* const> matched);

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  void refine(std::int32_t label, std::span<const std::vector<std::uint32_t>* const> matched);

  const CountedRows& rows_;
  std::vector<std::uint32_t> group_of_;  // per row; `none` between calls
  std::uint32_t n_groups_ = 0;
};

}  // namespace weaklearn::rules
