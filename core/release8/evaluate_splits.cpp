#include "release8/evaluate_splits.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace weaklearn::release8 {

Evaluator::Evaluator(const TrainingSet& set, Items& items, const Release8Options& options)
    : set_(set),
      items_(items),
      options_(options),
      information_(set.rows.size()),
      min_objects_(static_cast<float>(options.min_objects)) {}

Candidate Evaluator::evaluate(std::uint32_t attribute, Range range, float weight) {
  const Attribute& from = set_.attributes[attribute];
  if (!from.nominal) return continuous(attribute, range);
  return subset_tested(from) ? subset(from, range, weight) : discrete(from, range, weight);
}

float Evaluator::worth(float gain, float split_info, float average_gain) const {
  if (!options_.use_gain_ratio)
    return split_info > 0.0F && gain > -epsilon ? gain : unusable;
  return gain >= average_gain - epsilon && split_info > epsilon ? gain / split_info : unusable;
}

// ---- one branch per value

void Evaluator::tabulate(const Attribute& attribute, Range range) {
  table_.reset(attribute.n_values + std::size_t{1}, set_.n_classes);
  for (const Item& item : items_.in(range))
    table_.classes(attribute.numbers[item.row])[set_.classes[item.row]] += item.weight;
  for (std::size_t outcome = 0; outcome < table_.n_outcomes(); ++outcome)
    table_.sum_up(outcome, information_);
}

Candidate Evaluator::discrete(const Attribute& attribute, Range range, float weight) {
  tabulate(attribute, range);
  Candidate candidate;
  if (weight <= table_.totals[0]) return candidate;
  const Base base = discrete_base(table_, weight, items_.weight(range), information_);
  candidate.test = graph::SplitKind::multiway;
  candidate.n_branches = attribute.n_values;
  candidate.gain = gain_of(base, std::span(table_.totals).subspan(1),
                           std::span(table_.infos).subspan(1), min_objects_);
  candidate.split_info = split_info_of(base, table_.totals, information_);
  return candidate;
}

// ---- a cut through a continuous attribute

// Moves unknowns to the front of the range, sorts the rest unless there is too little of it, and
// leaves the class weights of the known items in outcome 2, "above the cut".
Base Evaluator::continuous_base(std::uint32_t attribute, Range range) {
  const Attribute& from = set_.attributes[attribute];
  table_.reset(3, set_.n_classes);
  Base base;
  base.weight = items_.weight(range);  // counted anew: attributes before this one moved items
  const Range unknown{range.first, items_.group_unknown(attribute, range)};
  const Range known{unknown.last, range.last};
  items_.class_counts(unknown, table_.classes(0));
  table_.sum_up(0, information_);

  base.known = base.weight - table_.totals[0];
  base.unknown_share = rounded(1.0 - base.known / base.weight);
  sorted_.clear();
  if (base.known < 2.0F * min_objects_) return base;

  for (const Item& item : items_.in(known))
    sorted_.push_back({from.values[item.row], item.weight, item.row,
                       static_cast<std::uint32_t>(set_.classes[item.row])});
  if (set_.order_matters) {
    sort_release8(sorted_);
    std::ranges::transform(sorted_, items_.in(known).begin(),
                           [](const SortItem& item) { return Item{item.row, item.weight}; });
  } else {
    std::ranges::sort(sorted_, {}, &SortItem::value);
  }
  for (const SortItem& item : sorted_) table_.classes(2)[item.class_number] += item.weight;
  base.info = information_.total(table_.classes(2)) / base.known;
  return base;
}

// The least weight on either side of a cut. It depends on the declared classes, used or not.
float Evaluator::smallest_side(float known) const {
  const float tenth = rounded(0.10 * known / set_.n_classes);
  if (tenth <= min_objects_) return min_objects_;
  return tenth > 25.0F ? 25.0F : tenth;
}

void Evaluator::try_cuts(const Base& base) {
  cuts_.clear();
  const float smallest = smallest_side(base.known);
  const float largest_low = base.known - smallest;
  const std::span<float> below = table_.classes(1);
  const std::span<float> above = table_.classes(2);
  float low = 0.0F;
  for (std::size_t i = 0; i + 1 < sorted_.size(); ++i) {
    const SortItem& item = sorted_[i];
    low += item.weight;
    below[item.class_number] += item.weight;
    above[item.class_number] -= item.weight;
    if (low < smallest) continue;
    if (low > largest_low) break;
    // An absolute tolerance, in double: values closer than this are never separated.
    if (!(item.value < sorted_[i + 1].value - 1e-5)) continue;
    table_.totals[1] = low;
    table_.totals[2] = base.known - low;
    table_.infos[1] = information_.total(below);
    table_.infos[2] = information_.total(above);
    cuts_.push_back({item.value, sorted_[i + 1].value,
                     gain_of(base, std::span(table_.totals).subspan(1),
                             std::span(table_.infos).subspan(1), min_objects_),
                     split_info_of(base, table_.totals, information_)});
  }
}

Candidate Evaluator::continuous(std::uint32_t attribute, Range range) {
  Candidate candidate;
  const Base base = continuous_base(attribute, range);
  try_cuts(base);
  // Release 8 charges for the choice among the cuts actually tried.
  const float penalty =
      options_.threshold_penalty
          ? rounded(log2_release8(static_cast<float>(cuts_.size())) / base.weight)
          : 0.0F;
  const Cut* best = nullptr;
  float best_gain = 0.0F;
  for (const Cut& cut : cuts_) {
    const float gain = cut.gain - penalty;
    if (gain <= best_gain) continue;  // of equal cuts the lowest wins
    best_gain = gain;
    best = &cut;
  }
  if (best == nullptr) return candidate;

  candidate.test = graph::SplitKind::threshold;
  candidate.n_branches = 2;
  candidate.gain = best_gain;
  candidate.split_info = best->split_info;
  // The threshold is a value of the whole training set, not only of this node.
  // Never below `low`: the sum of two large negative values may be beyond float32.
  const float midpoint = std::max(best->low, (best->low + best->high) / 2.0F);
  candidate.threshold = set_.attributes[attribute].largest_value_up_to(midpoint);
  // A midpoint between neighbouring float32 numbers may round up to the larger one. If that is the
  // largest value at the node, the original sends all items one way for ever; cut below it instead.
  if (!(candidate.threshold < sorted_.back().value)) candidate.threshold = best->low;
  return candidate;
}

}  // namespace weaklearn::release8
