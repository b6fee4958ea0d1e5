#include "release8/grow_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace weaklearn::release8 {
namespace {

// Growing and pruning are recursive. This limit keeps them well inside the stack of a thread.
constexpr std::uint32_t deepest = 1000;

}  // namespace

Grower::Grower(const TrainingSet& set, WeightedRows& rows, const Options& options)
    : set_(set),
      rows_(rows),
      max_depth_(options.max_depth),
      evaluator_(set, rows, options),
      used_(set.columns.size(), false),
      counts_(set.n_classes),
      draft_(set.n_classes) {
  all_enter_average_ = options.subset || std::ranges::all_of(set.columns, [this](const Column& column) {
                         return column.ignored || has_many_values(column);
                       });
}

graph::Draft Grower::grow() {
  grow_node(rows_.all(), 0);
  return std::move(draft_);
}

std::uint32_t Grower::add_node(Range range) {
  const std::uint32_t index = draft_.add();
  const float weight = rows_.weight(range);
  rows_.class_counts(range, counts_);
  std::ranges::copy(counts_, draft_.weights_of(index).begin());
  const auto largest = std::ranges::max_element(counts_);  // ties go to the lowest class
  graph::Draft::Node& node = draft_.nodes[index];
  node.label = static_cast<std::int32_t>(largest - counts_.begin());
  node.weight = weight;
  node.errors = weight - *largest;
  return index;
}

// Adds the leaf of a branch that no row with a known value takes. It has the label and the class weights of its parent.
std::uint32_t Grower::add_empty_leaf(std::uint32_t parent) {
  const std::uint32_t leaf = draft_.add();
  draft_.nodes[leaf].label = draft_.nodes[parent].label;
  std::ranges::copy(draft_.weights_of(parent), draft_.weights_of(leaf).begin());
  return leaf;
}

std::uint32_t Grower::grow_node(Range range, std::uint32_t depth) {
  if (depth > deepest)
    throw std::invalid_argument("the tree is deeper than " + std::to_string(deepest) +
                                " splits, the limit of arithmetic=\"release8\": set max_depth, raise "
                                "min_objects, or use arithmetic=\"double\"");
  const std::uint32_t index = add_node(range);
  const auto weight = static_cast<float>(draft_.nodes[index].weight);
  const auto errors = static_cast<float>(draft_.nodes[index].errors);
  const double label_weight = draft_.weights_of(index)[draft_.nodes[index].label];
  if (label_weight == weight || weight < 2.0F * evaluator_.min_objects() || depth >= max_depth_) return index;

  if (const std::optional<Choice> choice = choose(range, weight)) {
    split(index, *choice, range, depth);
    collapse_if_useless(index, errors);
  }
  return index;
}

// ---- choosing a split

std::optional<Grower::Choice> Grower::choose(Range range, float weight) {
  std::vector<SplitCandidate> candidates = evaluate_all(range, weight);
  const float average = average_gain(candidates);
  std::optional<std::uint32_t> best;
  float best_score = unusable;
  for (std::uint32_t c = 0; c < candidates.size(); ++c) {
    if (!(candidates[c].gain > -epsilon)) continue;
    const float score = evaluator_.score(candidates[c].gain, candidates[c].split_info, average);
    if (score <= best_score) continue;  // ties go to the first column
    best_score = score;
    best = c;
  }
  if (!best) return std::nullopt;
  return Choice{*best, std::move(candidates[*best])};
}

std::vector<SplitCandidate> Grower::evaluate_all(Range range, float weight) {
  std::vector<SplitCandidate> candidates(set_.columns.size());
  for (std::uint32_t c = 0; c < candidates.size(); ++c)
    if (!set_.columns[c].ignored && !used_[c]) candidates[c] = evaluator_.evaluate(c, range, weight);
  return candidates;
}

// A column that identifies rows would dominate the average gain.
bool Grower::has_many_values(const Column& column) const {
  return column.nominal && column.n_values >= 0.3 * set_.total_weight;
}

float Grower::average_gain(const std::vector<SplitCandidate>& candidates) const {
  float sum = 0.0F;
  std::uint32_t n = 0;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (!(candidates[c].gain > -epsilon)) continue;
    if (!all_enter_average_ && has_many_values(set_.columns[c])) continue;
    sum += candidates[c].gain;
    ++n;
  }
  return n > 0 ? sum / static_cast<float>(n) : 1e6F;
}

// ---- partitioning the rows

void Grower::split(std::uint32_t node, const Choice& choice, Range range, std::uint32_t depth) {
  draft_.nodes[node].split = choice.split.kind;
  draft_.nodes[node].column = static_cast<std::int32_t>(choice.column);
  draft_.nodes[node].threshold = choice.split.threshold;
  draft_.nodes[node].value_branch = choice.split.value_branch;
  const bool multiway = choice.split.kind == graph::SplitKind::multiway;
  if (multiway) used_[choice.column] = true;
  const bool all_known_before = rows_.all_known;
  grow_branches(node, choice, range, depth);
  rows_.all_known = all_known_before;
  if (multiway) used_[choice.column] = false;
}

void Grower::grow_branches(std::uint32_t node, const Choice& choice, Range range, std::uint32_t depth) {
  const std::uint32_t first_known = rows_.group_missing(choice.column, range);
  if (first_known != range.first) rows_.all_known = false;
  const float known_weight = static_cast<float>(draft_.nodes[node].weight) - rows_.weight({range.first, first_known});
  const SplitRule rule{choice.split.kind, choice.column, choice.split.threshold, choice.split.value_branch};
  float errors = 0.0F;
  std::vector<std::uint32_t> children;
  rows_.visit_branches(
      rule, choice.split.n_branches, range, first_known, known_weight, [&](std::uint32_t, Range branch_rows, float) {
        children.push_back(branch_rows.empty() ? add_empty_leaf(node) : grow_node(branch_rows, depth + 1));
        errors += static_cast<float>(draft_.nodes[children.back()].errors);
      });
  draft_.nodes[node].children = graph::Children(children);
  draft_.nodes[node].errors = errors;
}

// The new leaf keeps the sum of the errors of the branches that it replaces.
void Grower::collapse_if_useless(std::uint32_t node, float leaf_errors) {
  if (draft_.nodes[node].errors < leaf_errors - epsilon) return;
  draft_.nodes[node].become_leaf();
  draft_.nodes.resize(node + std::size_t{1});  // the nodes of its subtree were added last
  draft_.distribution.resize((node + std::size_t{1}) * draft_.n_classes);
}

}  // namespace weaklearn::release8
