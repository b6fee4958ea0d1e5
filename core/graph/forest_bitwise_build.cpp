// Makes the conditions and steps of a forest.
#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "graph/forest_bitwise.hpp"

namespace weaklearn::graph {
namespace {

constexpr std::uint32_t no_node = UINT32_MAX;
constexpr std::uint32_t never = 0;  // the condition that no row satisfies
constexpr std::uint32_t most_places = 1U << 16;  // of a member, as a step has 16 bits for each
constexpr std::size_t most_conditions = 1U << 15;  // 2 MiB per thread

// What work costs per row, in nanoseconds on an x86-64 machine of 2023. They decide which way is taken, not the result.
constexpr double ns_of_threshold = 1.6;  // going down a split, one row after the other, if all are thresholds
constexpr double ns_of_split = 8.0;  // if there are others
constexpr double ns_of_step = 0.006;  // the following ones are for a row of a whole block
constexpr double ns_of_condition = 0.002;
constexpr double ns_of_code = 1.0;  // finding the rank of a value, and inserting it
constexpr double ns_of_halving = 0.4;  // of the thresholds, when a rank is searched
constexpr double ns_of_member = 1.5;

}  // namespace

std::unique_ptr<const Forest::Bitwise> Forest::Bitwise::make(const Forest& forest) {
  if (!are_trees(forest)) return nullptr;
  std::unique_ptr<Bitwise> result(new Bitwise(forest));
  result->add_columns();
  result->set_fewest_rows();
  if (result->fewest_rows_ > rows_per_set || result->n_conditions_ > most_conditions) return nullptr;
  for (const std::uint32_t root : forest.roots_)
    if (!result->add_member(root)) return nullptr;
  if (result->n_conditions_ + result->unions_.size() > most_conditions) return nullptr;
  result->union_of_.clear();
  result->pure_.clear();
  result->branches_ = {};
  return result;
}

bool Forest::Bitwise::are_trees(const Forest& forest) {
  std::vector<bool> has_parent(forest.n_nodes(), false);
  for (std::uint32_t node = 0; node < forest.n_nodes(); ++node) {
    const Place& place = forest.places_[node];
    if (forest.steps_[node].split() == SplitKind::oblique) return false;
    for (std::uint32_t b = 0; b < place.n_branches; ++b) {
      const std::uint32_t child = forest.children_[place.split.first_branch + b];
      if (has_parent[child]) return false;
      has_parent[child] = true;
    }
  }
  return true;
}

// Sorts the thresholds of each column and numbers the conditions on single values.
void Forest::Bitwise::add_columns() {
  std::vector<std::vector<double>> thresholds(forest_.columns_.size());
  std::vector<bool> is_used(forest_.columns_.size(), false);
  for (std::uint32_t node = 0; node < forest_.n_nodes(); ++node) {
    const Step& step = forest_.steps_[node];
    if (step.split() == SplitKind::leaf) continue;
    is_used[step.column] = true;
    if (step.split() == SplitKind::threshold) thresholds[step.column].push_back(step.threshold);
  }
  used_.resize(forest_.columns_.size());
  for (std::uint32_t c = 0; c < forest_.columns_.size(); ++c) {
    if (!is_used[c]) continue;
    used_[c] = static_cast<std::uint32_t>(columns_.size());
    UsedColumn used{.column = c, .first_condition = static_cast<std::uint32_t>(n_conditions_)};
    if (forest_.columns_[c].n_values > 0) {
      used.n_codes = forest_.columns_[c].n_values;
    } else {
      std::ranges::sort(thresholds[c]);
      const auto end = std::unique(thresholds[c].begin(), thresholds[c].end());
      used.first_threshold = static_cast<std::uint32_t>(thresholds_.size());
      thresholds_.insert(thresholds_.end(), thresholds[c].begin(), end);
      used.n_thresholds = static_cast<std::uint32_t>(thresholds_.size()) - used.first_threshold;
      used.n_codes = used.n_thresholds + 1;
    }
    n_conditions_ += std::size_t{used.n_codes} + 1;
    columns_.push_back(used);
  }
}

// Estimates from how many rows on a block takes less time than its rows one by one.
void Forest::Bitwise::set_fewest_rows() {
  double n_splits = 0.0;  // that a training row meets in all members
  double n_steps = 0.0;
  double n_parts = 0.0;
  for (std::uint32_t m = 0; m < forest_.n_members(); ++m) {
    const std::uint32_t root = forest_.roots_[m];
    const std::uint32_t end = m + 1 < forest_.n_members() ? forest_.roots_[m + 1] : forest_.n_nodes();
    const double all = forest_.places_[root].weight;
    for (std::uint32_t node = root; node < end; ++node) {
      const Place& place = forest_.places_[node];
      if (place.n_branches == 0) continue;
      if (all > 0.0) n_splits += std::min(place.weight / all, 1.0);
      n_steps += std::max(place.n_branches - 1, 1U);
      if (forest_.steps_[node].split() == SplitKind::subset)
        n_parts += forest_.columns_[forest_.steps_[node].column].n_values;
    }
  }
  double together = ns_of_step * n_steps + ns_of_condition * (static_cast<double>(n_conditions_) + n_parts) +
                    ns_of_member * forest_.n_members();
  for (const UsedColumn& used : columns_) together += ns_of_code + ns_of_halving * std::bit_width(used.n_thresholds);
  const double one_by_one = n_splits * (forest_.only_thresholds_ ? ns_of_threshold : ns_of_split);
  if (together < one_by_one) fewest_rows_ = static_cast<std::uint32_t>(rows_per_set * together / one_by_one) + 1;
}

// Returns the condition that a value is one of several; `parts` are conditions of the column.
std::uint32_t Forest::Bitwise::condition_of(std::vector<std::uint32_t> parts) {
  if (parts.empty()) return never;
  if (parts.size() == 1) return parts[0];
  const auto [found, is_new] =
      union_of_.try_emplace(std::move(parts), static_cast<std::uint32_t>(n_conditions_ + unions_.size()));
  if (is_new) {
    unions_.push_back({static_cast<std::uint32_t>(parts_.size()), static_cast<std::uint32_t>(found->first.size())});
    parts_.insert(parts_.end(), found->first.begin(), found->first.end());
  }
  return found->second;
}

// Returns a split as conditions of its branches.
Forest::Bitwise::Split Forest::Bitwise::split_at(std::uint32_t node) {
  const Step& step = forest_.steps_[node];
  const Place& place = forest_.places_[node];
  const UsedColumn& used = columns_[used_[step.column]];
  const std::int32_t missing_branch = forest_.missing_branch(node);
  const std::uint32_t* const children = forest_.children_.data() + place.split.first_branch;
  Split split{.first_branch = branches_.size(), .missing = missing_branch < 0 ? used.missing() : 0};
  if (step.split() == SplitKind::threshold) {
    const double* const first = thresholds_.data() + used.first_threshold;
    const double* const at = std::lower_bound(first, first + used.n_thresholds, step.threshold);
    const std::uint32_t above = used.first_condition + static_cast<std::uint32_t>(at - first) + 1;
    branches_.push_back({missing_branch == 1 ? condition_of({above, used.missing()}) : above, children[1]});
    split.rest = children[0];
  } else {
    std::vector<std::vector<std::uint32_t>> parts(place.n_branches);
    bool all_taken = true;
    for (std::uint32_t code = 0; code < used.n_codes; ++code) {
      std::int32_t branch = step.split() == SplitKind::multiway ? static_cast<std::int32_t>(code)
                                                                : forest_.value_branch_[place.split.first + code];
      if (branch < 0) branch = missing_branch;
      if (branch >= 0)
        parts[static_cast<std::size_t>(branch)].push_back(used.first_condition + code);
      else
        all_taken = false;
    }
    if (missing_branch >= 0) parts[static_cast<std::size_t>(missing_branch)].push_back(used.missing());
    // The last branch needs no condition if all rows that do not stop take some branch.
    const std::uint32_t n_listed = all_taken ? place.n_branches - 1 : place.n_branches;
    for (std::uint32_t b = 0; b < n_listed; ++b) branches_.push_back({condition_of(std::move(parts[b])), children[b]});
    split.rest = all_taken ? children[n_listed] : no_node;
    if (n_listed == 0) branches_.push_back({never, no_node});
  }
  if (split.missing != never) stops_missing_ = true;
  if (split.rest == no_node) stops_known_ = true;
  split.n_branches = static_cast<std::uint32_t>(branches_.size() - split.first_branch);
  return split;
}

// Returns the index of the class shares of a leaf. Leaves of a single class share them.
std::uint32_t Forest::Bitwise::shares_at(std::uint32_t leaf) {
  if (!forest_.is_at_leaf(leaf)) return 0;
  const Place& place = forest_.places_[leaf];
  std::vector<ClassShare> list;
  if (place.weight_of_shares() > 0.0)
    for (std::uint32_t k = place.leaf.first_class; k < place.leaf.first_class + place.count; ++k)
      list.push_back({forest_.class_weight_[k] / place.weight_of_shares(), forest_.class_index_[k]});
  else
    list.push_back({1.0, place.leaf.prediction});
  const auto index = static_cast<std::uint32_t>(shares_.size());
  if (list.size() == 1 && list[0].share == 1.0) {
    const auto [found, is_new] = pure_.try_emplace(list[0].label, index);
    if (!is_new) return found->second;
  }
  list.resize(std::max<std::size_t>(list.size(), 2), {0.0, list.empty() ? 0 : list[0].label});
  shares_.push_back({{list[0], list[1]},
                     static_cast<std::uint32_t>(more_shares_.size()),
                     static_cast<std::uint32_t>(list.size() - 2)});
  more_shares_.insert(more_shares_.end(), list.begin() + 2, list.end());
  return index;
}

// Adds the steps of a member, level by level, so that few steps wait for the one just before. Returns false if it has
// too many.
bool Forest::Bitwise::add_member(std::uint32_t root) {
  std::vector<Split> waiting;  // one entry per step: a split whose first branches have been taken
  std::vector<std::uint32_t> ends;  // leaves, and no_node where rows take no branch
  struct Target {
    bool is_end;
    std::uint32_t index;  // in `ends` or `waiting`
  };
  std::vector<Target> targets;  // of each step: left, right
  const auto go_to = [&](std::uint32_t node) -> Target {
    if (node != no_node && forest_.steps_[node].split() != SplitKind::leaf) {
      waiting.push_back(split_at(node));
      return {false, static_cast<std::uint32_t>(waiting.size()) - 1};
    }
    ends.push_back(node);
    return {true, static_cast<std::uint32_t>(ends.size()) - 1};
  };
  branches_.clear();
  go_to(root);
  std::size_t most_waiting = waiting.size();
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    Split split = waiting[i];
    const Branch branch = branches_[split.first_branch++];
    steps_.push_back({branch.condition, 0, 0});
    missing_.push_back(std::exchange(split.missing, never));
    targets.push_back({false, static_cast<std::uint32_t>(waiting.size())});
    if (--split.n_branches > 0)
      waiting.push_back(split);
    else
      targets.back() = go_to(split.rest);
    targets.push_back(go_to(branch.child));
    most_waiting = std::max(most_waiting, waiting.size() - i);
  }

  Member member{.first_step = steps_.size() - waiting.size(),
                .first_end = ends_.size(),
                .first_group = groups_.size(),
                .n_steps = static_cast<std::uint32_t>(waiting.size()),
                .n_ends = static_cast<std::uint32_t>(ends.size()) + 1,
                .n_groups = 0,
                .n_waiting = waiting.empty() ? 0 : static_cast<std::uint32_t>(std::bit_ceil(most_waiting))};
  if (std::size_t{member.n_waiting} + member.n_ends > most_places) return false;

  // Ends are sorted by what is predicted there.
  const auto label_at = [&](std::uint32_t end) {
    return ends[end] == no_node ? forest_.n_classes_
                                : static_cast<std::uint32_t>(forest_.places_[ends[end]].leaf.prediction);
  };
  std::vector<std::uint32_t> order(ends.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, label_at);
  std::vector<std::uint32_t> place_of(ends.size());
  const auto stop = static_cast<std::uint32_t>(forest_.steps_.size()) - 1;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place_of[order[i]] = i;
    ends_.push_back(ends[order[i]] == no_node ? stop : ends[order[i]]);
    if (i == 0 || label_at(order[i]) != groups_.back().label) groups_.push_back({label_at(order[i]), 0});
    groups_.back().end = i + 1;
  }
  ends_.push_back(stop);
  for (std::uint32_t i = 0; i < member.n_ends; ++i) shares_of_end_.push_back(shares_at(ends_[member.first_end + i]));
  if (groups_.back().label != forest_.n_classes_) groups_.push_back({forest_.n_classes_, 0});
  groups_.back().end = member.n_ends;
  member.n_groups = static_cast<std::uint32_t>(groups_.size() - member.first_group);

  const auto place = [&](const Target& target) {
    return static_cast<std::uint16_t>(target.is_end ? member.n_waiting + place_of[target.index]
                                                    : target.index % member.n_waiting);
  };
  for (std::uint32_t i = 0; i < member.n_steps; ++i) {
    SetStep& step = steps_[member.first_step + i];
    step.left = place(targets[2 * std::size_t{i}]);
    step.right = place(targets[2 * std::size_t{i} + 1]);
  }
  members_.push_back(member);
  return true;
}

}  // namespace weaklearn::graph
