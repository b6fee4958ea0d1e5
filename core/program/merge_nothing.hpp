// The rule "none": no children are merged, so the program is a tree.
#pragma once

#include "program/merge_rule.hpp"

namespace weaklearn::program {

template <class C>
class MergeNothing : public MergeRule<C> {
 public:
  using MergeRule<C>::MergeRule;

  Grouping group(const MixedChildren& children) override { return {groups_of_one(children.weights.size())}; }
};

}  // namespace weaklearn::program
