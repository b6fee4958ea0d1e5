// The rule "budget": the cheapest pairs are merged as long as the budget, a share of the gain of the level, lasts.
#pragma once

#include "program/greedy_merging.hpp"
#include "program/merge_rule.hpp"

namespace weaklearn::program {

template <class C>
class MergeByBudget : public MergeRule<C> {
 public:
  using MergeRule<C>::MergeRule;

  // Merging ends with the first pair that the budget does not cover.
  Grouping group(const MixedChildren& children) override {
    const double budget = this->options_.merge_share * (children.before - children.after);
    GreedyMerging<C> merging(this->impurity_, children.weights);
    double spent = 0.0;
    while (merging.n_groups() > 1) {
      spent += merging.next_rise();
      if (spent > budget + impurity_noise) break;
      merging.merge();
    }
    return {merging.groups()};
  }
};

}  // namespace weaklearn::program
