// The merge rules by name. This is the only place where the names are listed.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "program/merge_by_budget.hpp"
#include "program/merge_by_grid.hpp"
#include "program/merge_by_width.hpp"
#include "program/merge_nothing.hpp"
#include "program/merge_rule.hpp"

namespace weaklearn::program {

template <template <class> class Rule>
struct NamedRule {
  std::string_view name;

  template <criteria::Criterion C>
  std::unique_ptr<MergeRule<C>> make(const WeightedImpurity<C>& impurity, const MergeOptions& options,
                                     std::uint32_t n_classes) const {
    return std::make_unique<Rule<C>>(impurity, options, n_classes);
  }
};

constexpr std::tuple merge_rules{
    NamedRule<MergeByGrid>{"grid"},
    NamedRule<MergeByBudget>{"budget"},
    NamedRule<MergeByWidth>{"width"},
    NamedRule<MergeNothing>{"none"},
};

// Returns the rule of this name. Throws std::invalid_argument for any other name.
template <criteria::Criterion C>
std::unique_ptr<MergeRule<C>> make_merge_rule(std::string_view name, const WeightedImpurity<C>& impurity,
                                              const MergeOptions& options, std::uint32_t n_classes) {
  std::unique_ptr<MergeRule<C>> rule;
  const auto make = [&](const auto& entry) {
    if (entry.name == name) rule = entry.make(impurity, options, n_classes);
  };
  std::apply([&](const auto&... entry) { (make(entry), ...); }, merge_rules);
  if (!rule) throw std::invalid_argument("unknown merge rule '" + std::string(name) + "'");
  return rule;
}

}  // namespace weaklearn::program
