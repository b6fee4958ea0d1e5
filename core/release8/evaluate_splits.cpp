#include "release8/evaluate_splits.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace weaklearn::release8 {

SplitEvaluator::SplitEvaluator(const TrainingSet& set, WeightedRows& rows, const Options& options)
    : set_(set),
      rows_(rows),
      options_(options),
      information_(set.rows.size()),
      min_objects_(static_cast<float>(options.min_objects)) {}

SplitCandidate SplitEvaluator::evaluate(std::uint32_t column_index, Range range, float weight) {
  const Column& column = set_.columns[column_index];
  if (!column.nominal) return continuous(column_index, range);
  return uses_subsets(column) ? subset(column, range, weight) : discrete(column, range, weight);
}

float SplitEvaluator::score(float gain, float split_info, float average_gain) const {
  if (!options_.use_gain_ratio) return split_info > 0.0F && gain > -epsilon ? gain : unusable;
  return gain >= average_gain - epsilon && split_info > epsilon ? gain / split_info : unusable;
}

// ---- multiway splits

void SplitEvaluator::tabulate(const Column& column, Range range) {
  table_.reset(column.n_values + std::size_t{1}, set_.n_classes);
  for (const WeightedRow& weighted : rows_.in(range))
    table_.classes(column.codes[weighted.row])[set_.classes[weighted.row]] += weighted.weight;
  for (std::size_t outcome = 0; outcome < table_.n_outcomes(); ++outcome) table_.sum_up(outcome, information_);
}

SplitCandidate SplitEvaluator::discrete(const Column& column, Range range, float weight) {
  tabulate(column, range);
  SplitCandidate candidate;
  if (weight <= table_.totals[0]) return candidate;
  const GainBase base = discrete_base(table_, weight, rows_.weight(range), information_);
  candidate.kind = graph::SplitKind::multiway;
  candidate.n_branches = column.n_values;
  candidate.gain = gain_of(base, std::span(table_.totals).subspan(1), std::span(table_.infos).subspan(1), min_objects_);
  candidate.split_info = split_info_of(base, table_.totals, information_);
  return candidate;
}

// ---- thresholds

// Moves rows whose value is missing to the front of the range and sorts the other rows, unless there are too few of
// them. Leaves the class weights of the known rows in outcome 2, the branch above the cut.
GainBase SplitEvaluator::continuous_base(std::uint32_t column_index, Range range) {
  const Column& column = set_.columns[column_index];
  table_.reset(3, set_.n_classes);
  GainBase base;
  base.weight = rows_.weight(range);  // summed again: columns before this one moved rows
  const Range missing{range.first, rows_.group_missing(column_index, range)};
  const Range known{missing.last, range.last};
  rows_.class_counts(missing, table_.classes(0));
  table_.sum_up(0, information_);

  base.known = base.weight - table_.totals[0];
  base.missing_share = rounded(1.0 - base.known / base.weight);
  sorted_.clear();
  if (base.known < 2.0F * min_objects_) return base;

  const std::size_t n_counts = column.rank_values.size() * set_.n_classes;
  if (set_.order_matters || n_counts > UINT32_MAX)
    sort_by_original(column, known);
  else if (n_counts <= std::size_t{4} * known.size())
    sort_by_counting(column, known);
  else
    sort_by_keys(column, known);
  for (const SortedRow& sorted : sorted_) table_.classes(2)[sorted.class_index] += sorted.weight;
  base.info = information_.total(table_.classes(2)) / base.known;
  return base;
}

void SplitEvaluator::sort_by_original(const Column& column, Range known) {
  for (const WeightedRow& weighted : rows_.in(known))
    sorted_.push_back({column.values[weighted.row], weighted.weight, weighted.row,
                       static_cast<std::uint32_t>(set_.classes[weighted.row])});
  sort_release8(sorted_);
  std::ranges::transform(sorted_, rows_.in(known).begin(),
                         [](const SortedRow& sorted) { return WeightedRow{sorted.row, sorted.weight}; });
}

// If every sum is exact, rows of the same value and class can be merged, and no row has to move. Columns of few values
// are counted.
void SplitEvaluator::sort_by_counting(const Column& column, Range known) {
  const std::size_t n_classes = set_.n_classes;
  counts_.assign(column.rank_values.size() * n_classes, 0.0F);
  for (const WeightedRow& weighted : rows_.in(known))
    counts_[column.ranks[weighted.row] * n_classes + set_.classes[weighted.row]] += weighted.weight;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0.0F) continue;
    const float value = column.rank_values[i / n_classes];
    sorted_.push_back({value, counts_[i], 0, static_cast<std::uint32_t>(i % n_classes)});
  }
}

// Columns of many values are sorted by rank and class.
void SplitEvaluator::sort_by_keys(const Column& column, Range known) {
  const std::uint32_t n_classes = set_.n_classes;
  const std::span<const WeightedRow> rows = rows_.in(known);
  keys_.clear();
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    keys_.push_back({column.ranks[rows[i].row] * n_classes + set_.classes[rows[i].row], i});
  radix_sort(keys_, static_cast<std::uint32_t>(column.rank_values.size()) * n_classes, other_keys_);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (i == 0 || keys_[i].key != keys_[i - 1].key)
      sorted_.push_back({column.rank_values[keys_[i].key / n_classes], 0.0F, 0, keys_[i].key % n_classes});
    sorted_.back().weight += rows[keys_[i].row].weight;
  }
}

// Returns the least weight on either side of a cut. It depends on the number of declared classes, even unused ones.
float SplitEvaluator::smallest_side(float known) const {
  const float tenth = rounded(0.10 * known / set_.n_classes);
  if (tenth <= min_objects_) return min_objects_;
  return tenth > 25.0F ? 25.0F : tenth;
}

void SplitEvaluator::try_cuts(const GainBase& base) {
  cuts_.clear();
  const float smallest = smallest_side(base.known);
  const float largest_low = base.known - smallest;
  const std::span<float> below = table_.classes(1);
  const std::span<float> above = table_.classes(2);
  float low = 0.0F;
  for (std::size_t i = 0; i + 1 < sorted_.size(); ++i) {
    const SortedRow& sorted = sorted_[i];
    low += sorted.weight;
    below[sorted.class_index] += sorted.weight;
    above[sorted.class_index] -= sorted.weight;
    if (low < smallest) continue;
    if (low > largest_low) break;
    // Values closer than this absolute tolerance are never separated. The comparison is in double.
    if (!(sorted.value < sorted_[i + 1].value - 1e-5)) continue;
    table_.totals[1] = low;
    table_.totals[2] = base.known - low;
    table_.infos[1] = information_.total(below);
    table_.infos[2] = information_.total(above);
    cuts_.push_back(
        {sorted.value, sorted_[i + 1].value,
         gain_of(base, std::span(table_.totals).subspan(1), std::span(table_.infos).subspan(1), min_objects_),
         split_info_of(base, table_.totals, information_)});
  }
}

SplitCandidate SplitEvaluator::continuous(std::uint32_t column_index, Range range) {
  SplitCandidate candidate;
  const GainBase base = continuous_base(column_index, range);
  try_cuts(base);
  // Release 8 charges a threshold for the number of cuts tried.
  const float penalty =
      options_.threshold_penalty ? rounded(log2_release8(static_cast<float>(cuts_.size())) / base.weight) : 0.0F;
  const Cut* best = nullptr;
  float best_gain = 0.0F;
  for (const Cut& cut : cuts_) {
    const float gain = cut.gain - penalty;
    if (gain <= best_gain) continue;  // ties go to the lowest cut
    best_gain = gain;
    best = &cut;
  }
  if (best == nullptr) return candidate;

  candidate.kind = graph::SplitKind::threshold;
  candidate.n_branches = 2;
  candidate.gain = best_gain;
  candidate.split_info = best->split_info;
  // The threshold is a value of the whole training set, not only of this node. It is never below `low`, although the
  // sum of two large negative values may overflow in float32.
  const float midpoint = std::max(best->low, (best->low + best->high) / 2.0F);
  candidate.threshold = set_.columns[column_index].largest_value_up_to(midpoint);
  // The midpoint of adjacent float32 numbers may round up to the larger one. If that is the largest value at the node,
  // the original sends all rows to one branch forever. This code cuts below it instead.
  if (!(candidate.threshold < sorted_.back().value)) candidate.threshold = best->low;
  return candidate;
}

}  // namespace weaklearn::release8
