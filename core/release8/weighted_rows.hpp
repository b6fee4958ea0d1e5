// The array of items that growing and pruning work on. A node owns a contiguous range of it, and
// items move whenever the original moves them: fractional weights are summed in float32 in the
// order in which they lie, so the order decides near-ties.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "release8/training_set.hpp"

namespace weaklearn::release8 {

struct Range {
  std::uint32_t first = 0;
  std::uint32_t last = 0;  // one past the end

  bool empty() const { return first == last; }
  std::uint32_t size() const { return last - first; }
};

struct Item {
  std::uint32_t row = 0;
  float weight = 0.0F;
};

// The question at a node.
struct Condition {
  graph::SplitKind test = graph::SplitKind::leaf;
  std::uint32_t attribute = 0;
  float threshold = 0.0F;
  std::span<const std::int32_t> value_branch;  // subset: the branch of each declared value
};

class Items {
 public:
  explicit Items(const TrainingSet& set);

  void reset_weights();  // to those given; the order stays

  Range all() const { return {0, static_cast<std::uint32_t>(items_.size())}; }
  std::span<const Item> in(Range range) const {
    return {items_.data() + range.first, range.size()};
  }
  std::span<Item> in(Range range) { return {items_.data() + range.first, range.size()}; }

  // The number of items while every weight counts as 1, else the sum of the weights.
  float weight(Range range) const;
  void class_counts(Range range, std::span<float> counts) const;

  // Grouping: items that satisfy the condition are swapped to the front of the range.
  // Returns where they end.
  std::uint32_t group_unknown(std::uint32_t attribute, Range range);
  std::uint32_t group_branch(const Condition& condition, std::uint32_t branch, Range range);

  // Weights of all items are 1 as far as the original knows: true until a test meets an unknown
  // value, then false for the subtree below that test.
  bool all_known;

  // Divides a range with the unknowns at its front, [range.first, first_known). Calls
  // visit(branch, items of that branch, share of the known weight) for each branch in turn; the
  // unknowns go, with their weights scaled by the share, to every branch that has known items.
  template <class Visit>
  void visit_branches(const Condition& condition, std::uint32_t n_branches, Range range,
                      std::uint32_t first_known, float known_weight, Visit visit) {
    const Range unknown{range.first, first_known};
    for (std::uint32_t branch = 0; branch < n_branches; ++branch) {
      // Items of earlier branches are still in this range and merely get displaced.
      const std::uint32_t end = group_branch(condition, branch, {first_known, range.last});
      if (end == first_known) {
        visit(branch, Range{}, 0.0F);
        continue;
      }
      const float share = weight({first_known, end}) / known_weight;
      for (Item& item : in(unknown)) item.weight *= share;
      visit(branch, Range{range.first, end}, share);
      // The visit moved items. Dividing does not quite undo the multiplication: weights drift, as
      // they do in the original.
      group_unknown(condition.attribute, {range.first, end});
      for (Item& item : in(unknown)) item.weight /= share;
    }
  }

 private:
  template <class Satisfies>
  std::uint32_t group(Range range, Satisfies satisfies) {
    std::uint32_t front = range.first;
    for (std::uint32_t i = range.first; i < range.last; ++i)
      if (satisfies(items_[i].row)) std::swap(items_[front++], items_[i]);
    return front;
  }

  const TrainingSet& set_;
  std::vector<Item> items_;
};

}  // namespace weaklearn::release8
