#include "rules/row_groups.hpp"

#include <cstddef>

namespace weaklearn::rules {

// Starts with two groups, the rows of the class and the others. Each rule splits every group into the rows that it
// matches, which move to a new group, and the others.
void RowGrouper::refine(std::int32_t label, std::span<const std::vector<std::uint32_t>* const> matched) {
  struct Split {
    std::uint32_t rule = none;   // that split the group last
    std::uint32_t group = none;  // to which it moved rows
  };
  std::vector<Split> splits(2);
  for (std::uint32_t rule = 0; rule < matched.size(); ++rule) {
    for (const std::uint32_t row : *matched[rule]) {
      const std::uint32_t group =
          group_of_[row] == none ? static_cast<std::uint32_t>(rows_.class_of(row) == label) : group_of_[row];
      if (splits[group].rule != rule) {
        splits[group] = {rule, static_cast<std::uint32_t>(splits.size())};
        splits.emplace_back();
      }
      group_of_[row] = splits[group].group;
    }
  }
  n_groups_ = static_cast<std::uint32_t>(splits.size());
}

RowGroups RowGrouper::group(std::int32_t label, std::span<const std::vector<std::uint32_t>* const> matched) {
  refine(label, matched);
  RowGroups groups;
  groups.of_rule.resize(matched.size());
  std::vector<std::uint32_t> index_of(n_groups_, none);  // groups without rows get no index
  for (std::uint32_t rule = 0; rule < matched.size(); ++rule) {
    for (const std::uint32_t row : *matched[rule]) {
      std::uint32_t& index = index_of[group_of_[row]];
      if (index == none) {
        index = static_cast<std::uint32_t>(groups.counts.size());
        groups.counts.push_back(0);
        groups.of_class.push_back(rows_.class_of(row) == label);
        groups.rules_of.emplace_back();
      }
      std::vector<std::uint32_t>& rules = groups.rules_of[index];
      if (!rules.empty() && rules.back() == rule) continue;
      rules.push_back(rule);
      groups.of_rule[rule].push_back(index);
    }
  }
  for (const std::vector<std::uint32_t>* rows : matched) {
    for (const std::uint32_t row : *rows) {
      if (group_of_[row] == none) continue;
      groups.counts[index_of[group_of_[row]]] += rows_.count_of(row);
      group_of_[row] = none;
    }
  }
  return groups;
}

}  // namespace weaklearn::rules
