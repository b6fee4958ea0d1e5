// The array of rows that growing and pruning work on. A node owns a contiguous range of it. Rows move whenever the
// original moves them: fractional weights are summed in float32 in the order of the array, so the order decides near
// ties.
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

struct WeightedRow {
  std::uint32_t row = 0;
  float weight = 0.0F;
};

// How a node assigns rows to branches.
struct SplitRule {
  graph::SplitKind kind = graph::SplitKind::leaf;
  std::uint32_t column = 0;
  float threshold = 0.0F;
  std::span<const std::int32_t> value_branch;  // subset: the branch of each declared value
};

class WeightedRows {
 public:
  explicit WeightedRows(const TrainingSet& set);

  void reset_weights();  // to the weights of the training set; the order stays

  Range all() const { return {0, static_cast<std::uint32_t>(rows_.size())}; }
  std::span<const WeightedRow> in(Range range) const { return {rows_.data() + range.first, range.size()}; }
  std::span<WeightedRow> in(Range range) { return {rows_.data() + range.first, range.size()}; }

  // Returns the number of rows while every weight counts as 1, otherwise the sum of the weights.
  float weight(Range range) const;
  void class_counts(Range range, std::span<float> counts) const;

  // Both swap the matching rows to the front of the range and return where they end.
  std::uint32_t group_missing(std::uint32_t column_index, Range range);
  std::uint32_t group_branch(const SplitRule& rule, std::uint32_t branch, Range range);

  // Whether the original treats all weights as 1. It is true until a split meets a missing value, and then false for
  // the subtree below that split.
  bool all_known;

  // Partitions a range whose missing rows are at the front, in [range.first, first_known). Calls visit(branch, rows of
  // the branch, share of the known weight) for each branch in turn. Missing rows go to every branch that has known
  // rows, with their weights multiplied by the share.
  template <class Visit>
  void visit_branches(const SplitRule& rule, std::uint32_t n_branches, Range range, std::uint32_t first_known,
                      float known_weight, Visit visit) {
    const Range missing{range.first, first_known};
    for (std::uint32_t branch = 0; branch < n_branches; ++branch) {
      // Rows of earlier branches are still in this range. They only change their positions.
      const std::uint32_t end = group_branch(rule, branch, {first_known, range.last});
      if (end == first_known) {
        visit(branch, Range{}, 0.0F);
        continue;
      }
      const float share = weight({first_known, end}) / known_weight;
      for (WeightedRow& weighted : in(missing)) weighted.weight *= share;
      visit(branch, Range{range.first, end}, share);
      // The visit moved rows. The division does not exactly undo the multiplication, so weights drift, as in the
      // original.
      group_missing(rule.column, {range.first, end});
      for (WeightedRow& weighted : in(missing)) weighted.weight /= share;
    }
  }

 private:
  template <class Satisfies>
  std::uint32_t group(Range range, Satisfies satisfies) {
    std::uint32_t front = range.first;
    for (std::uint32_t i = range.first; i < range.last; ++i)
      if (satisfies(rows_[i].row)) std::swap(rows_[front++], rows_[i]);
    return front;
  }

  const TrainingSet& set_;
  std::vector<WeightedRow> rows_;
};

}  // namespace weaklearn::release8
