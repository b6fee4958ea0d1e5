#include "release8/grow_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace weaklearn::release8 {
namespace {

// Growing and pruning are recursive; this keeps them well inside a thread's stack.
constexpr std::uint32_t deepest = 1000;

}  // namespace

Grower::Grower(const TrainingSet& set, Items& items, const Release8Options& options)
    : set_(set),
      items_(items),
      max_depth_(options.max_depth),
      evaluator_(set, items, options),
      tested_(set.attributes.size(), false),
      counts_(set.n_classes),
      draft_(set.n_classes) {
  all_enter_average_ =
      options.subset || std::ranges::all_of(set.attributes, [this](const Attribute& attribute) {
        return attribute.ignored || has_many_values(attribute);
      });
}

graph::Draft Grower::grow() {
  grow_node(items_.all(), 0);
  return std::move(draft_);
}

std::uint32_t Grower::add_node(Range range) {
  const std::uint32_t number = draft_.add();
  const float weight = items_.weight(range);
  items_.class_counts(range, counts_);
  std::ranges::copy(counts_, draft_.weights_of(number).begin());
  const auto largest = std::ranges::max_element(counts_);  // the first of equal ones
  graph::Draft::Node& node = draft_.nodes[number];
  node.label = static_cast<std::int32_t>(largest - counts_.begin());
  node.weight = weight;
  node.errors = weight - *largest;
  return number;
}

// A branch that no item with a known value takes: labelled, and described, like its parent.
void Grower::add_empty_leaf(std::uint32_t parent) {
  const std::uint32_t leaf = draft_.add();
  draft_.nodes[leaf].label = draft_.nodes[parent].label;
  std::ranges::copy(draft_.weights_of(parent), draft_.weights_of(leaf).begin());
  draft_.nodes[parent].children.push_back(leaf);
}

std::uint32_t Grower::grow_node(Range range, std::uint32_t depth) {
  if (depth > deepest)
    throw std::invalid_argument("the tree is deeper than " + std::to_string(deepest) +
                             " tests, the limit of arithmetic=\"release8\": set max_depth, raise "
                             "min_objects, or use arithmetic=\"double\"");
  const std::uint32_t number = add_node(range);
  const auto weight = static_cast<float>(draft_.nodes[number].weight);
  const auto errors = static_cast<float>(draft_.nodes[number].errors);
  const double label_weight = draft_.weights_of(number)[draft_.nodes[number].label];
  if (label_weight == weight || weight < 2.0F * evaluator_.min_objects() || depth >= max_depth_)
    return number;

  if (const std::optional<Choice> choice = choose(range, weight)) {
    split(number, *choice, range, depth);
    collapse_if_useless(number, errors);
  }
  return number;
}

// ---- choosing a test

std::optional<Grower::Choice> Grower::choose(Range range, float weight) {
  std::vector<Candidate> candidates = evaluate_all(range, weight);
  const float average = average_gain(candidates);
  std::optional<std::uint32_t> best;
  float best_worth = unusable;
  for (std::uint32_t a = 0; a < candidates.size(); ++a) {
    if (!(candidates[a].gain > -epsilon)) continue;
    const float worth = evaluator_.worth(candidates[a].gain, candidates[a].split_info, average);
    if (worth <= best_worth) continue;  // of equal attributes the first wins
    best_worth = worth;
    best = a;
  }
  if (!best) return std::nullopt;
  return Choice{*best, std::move(candidates[*best])};
}

std::vector<Candidate> Grower::evaluate_all(Range range, float weight) {
  std::vector<Candidate> candidates(set_.attributes.size());
  for (std::uint32_t a = 0; a < candidates.size(); ++a)
    if (!set_.attributes[a].ignored && !tested_[a])
      candidates[a] = evaluator_.evaluate(a, range, weight);
  return candidates;
}

// A name or number of the row would dominate the average.
bool Grower::has_many_values(const Attribute& attribute) const {
  return attribute.nominal && attribute.n_values >= 0.3 * set_.total_weight;
}

float Grower::average_gain(const std::vector<Candidate>& candidates) const {
  float sum = 0.0F;
  std::uint32_t n = 0;
  for (std::size_t a = 0; a < candidates.size(); ++a) {
    if (!(candidates[a].gain > -epsilon)) continue;
    if (!all_enter_average_ && has_many_values(set_.attributes[a])) continue;
    sum += candidates[a].gain;
    ++n;
  }
  return n > 0 ? sum / static_cast<float>(n) : 1e6F;
}

// ---- dividing the items

void Grower::split(std::uint32_t node, const Choice& choice, Range range, std::uint32_t depth) {
  draft_.nodes[node].split = choice.test.test;
  draft_.nodes[node].column = static_cast<std::int32_t>(choice.attribute);
  draft_.nodes[node].threshold = choice.test.threshold;
  draft_.nodes[node].value_branch = choice.test.value_branch;
  const bool multiway = choice.test.test == graph::SplitKind::multiway;
  if (multiway) tested_[choice.attribute] = true;
  const bool all_known_before = items_.all_known;
  grow_branches(node, choice, range, depth);
  items_.all_known = all_known_before;
  if (multiway) tested_[choice.attribute] = false;
}

void Grower::grow_branches(std::uint32_t node, const Choice& choice, Range range,
                           std::uint32_t depth) {
  const std::uint32_t first_known = items_.group_unknown(choice.attribute, range);
  if (first_known != range.first) items_.all_known = false;
  const float known_weight = static_cast<float>(draft_.nodes[node].weight) -
                             items_.weight({range.first, first_known});
  const Condition condition{choice.test.test, choice.attribute, choice.test.threshold,
                            choice.test.value_branch};
  float errors = 0.0F;
  items_.visit_branches(
      condition, choice.test.n_branches, range, first_known, known_weight,
      [&](std::uint32_t, Range items, float) {
        if (items.empty()) return add_empty_leaf(node);
        const std::uint32_t child = grow_node(items, depth + 1);
        draft_.nodes[node].children.push_back(child);
        errors += static_cast<float>(draft_.nodes[child].errors);
      });
  draft_.nodes[node].errors = errors;
}

// The errors of the leaf stay the sum over the branches that it replaces.
void Grower::collapse_if_useless(std::uint32_t node, float leaf_errors) {
  if (draft_.nodes[node].errors < leaf_errors - epsilon) return;
  draft_.nodes[node].become_leaf();
  draft_.nodes.resize(node + std::size_t{1});  // its subtree is what was added last
  draft_.distribution.resize((node + std::size_t{1}) * draft_.n_classes);
}

}  // namespace weaklearn::release8
