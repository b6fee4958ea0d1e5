#include "release8/weighted_rows.hpp"

#include <algorithm>

namespace weaklearn::release8 {

Items::Items(const TrainingSet& set) : all_known(set.unit_weights), set_(set) {
  items_.reserve(set.rows.size());
  for (const std::uint32_t row : set.rows) items_.push_back({row, set.weights[row]});
}

void Items::reset_weights() {
  for (Item& item : items_) item.weight = set_.weights[item.row];
  all_known = set_.unit_weights;
}

float Items::weight(Range range) const {
  if (all_known) return static_cast<float>(range.size());
  float sum = 0.0F;
  for (const Item& item : in(range)) sum += item.weight;
  return sum;
}

void Items::class_counts(Range range, std::span<float> counts) const {
  std::ranges::fill(counts, 0.0F);
  for (const Item& item : in(range)) counts[set_.classes[item.row]] += item.weight;
}

std::uint32_t Items::group_unknown(std::uint32_t attribute, Range range) {
  const Attribute& from = set_.attributes[attribute];
  if (from.nominal) return group(range, [&](std::uint32_t row) { return from.numbers[row] == 0; });
  return group(range, [&](std::uint32_t row) { return from.values[row] == unknown_value; });
}

std::uint32_t Items::group_branch(const Condition& condition, std::uint32_t branch, Range range) {
  const Attribute& from = set_.attributes[condition.attribute];
  switch (condition.test) {
    case graph::SplitKind::threshold:
      return group(range, [&](std::uint32_t row) {
        return (from.values[row] <= condition.threshold) == (branch == 0);
      });
    case graph::SplitKind::multiway:
      return group(range, [&](std::uint32_t row) { return from.numbers[row] == branch + 1; });
    case graph::SplitKind::subset:
      return group(range, [&](std::uint32_t row) {
        return condition.value_branch[from.numbers[row] - 1] == static_cast<std::int32_t>(branch);
      });
    case graph::SplitKind::oblique:  // not of C4.5
    case graph::SplitKind::leaf:
      break;
  }
  return range.first;
}

}  // namespace weaklearn::release8
