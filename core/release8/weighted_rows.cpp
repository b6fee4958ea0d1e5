#include "release8/weighted_rows.hpp"

#include <algorithm>

namespace weaklearn::release8 {

WeightedRows::WeightedRows(const TrainingSet& set) : all_known(set.unit_weights), set_(set) {
  rows_.reserve(set.rows.size());
  for (const std::uint32_t row : set.rows) rows_.push_back({row, set.weights[row]});
}

void WeightedRows::reset_weights() {
  for (WeightedRow& weighted : rows_) weighted.weight = set_.weights[weighted.row];
  all_known = set_.unit_weights;
}

float WeightedRows::weight(Range range) const {
  if (all_known) return static_cast<float>(range.size());
  float sum = 0.0F;
  for (const WeightedRow& weighted : in(range)) sum += weighted.weight;
  return sum;
}

void WeightedRows::class_counts(Range range, std::span<float> counts) const {
  std::ranges::fill(counts, 0.0F);
  for (const WeightedRow& weighted : in(range)) counts[set_.classes[weighted.row]] += weighted.weight;
}

std::uint32_t WeightedRows::group_missing(std::uint32_t column_index, Range range) {
  const Column& column = set_.columns[column_index];
  if (column.nominal) return group(range, [&](std::uint32_t row) { return column.codes[row] == 0; });
  return group(range, [&](std::uint32_t row) { return column.values[row] == missing_value; });
}

std::uint32_t WeightedRows::group_branch(const SplitRule& rule, std::uint32_t branch, Range range) {
  const Column& column = set_.columns[rule.column];
  switch (rule.kind) {
    case graph::SplitKind::threshold:
      return group(range, [&](std::uint32_t row) { return (column.values[row] <= rule.threshold) == (branch == 0); });
    case graph::SplitKind::multiway:
      return group(range, [&](std::uint32_t row) { return column.codes[row] == branch + 1; });
    case graph::SplitKind::subset:
      return group(range, [&](std::uint32_t row) {
        return rule.value_branch[column.codes[row] - 1] == static_cast<std::int32_t>(branch);
      });
    case graph::SplitKind::oblique:  // C4.5 has no oblique splits
    case graph::SplitKind::leaf:
      break;
  }
  return range.first;
}

}  // namespace weaklearn::release8
