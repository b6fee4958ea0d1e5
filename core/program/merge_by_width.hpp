// The rule "width": a level has at most `max_width` nodes. Splits and groups are searched together.
#pragma once

#include <utility>
#include <vector>

#include "program/merge_rule.hpp"
#include "program/width_search.hpp"

namespace weaklearn::program {

template <class C>
class MergeByWidth : public MergeRule<C> {
 public:
  using MergeRule<C>::MergeRule;

  void revise_splits(const OpenLevel<C>& level, std::vector<ChosenSplit>& splits) override {
    group_of_child_ = WidthSearch<C>(this->impurity_, level).run(splits, this->options_.max_width);
  }

  Grouping group(const MixedChildren& children) override {
    std::vector<std::uint32_t> group_of;
    for (const std::uint32_t c : children.index) group_of.push_back(group_of_child_[c]);
    return {groups_by<std::uint32_t>(group_of)};
  }

  bool is_mandatory() const override { return true; }

 private:
  std::vector<std::uint32_t> group_of_child_;  // per child of the level, pure ones included
};

}  // namespace weaklearn::program
