#include "program/grow_program.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "program/merge_registry.hpp"
#include "program/merge_rows.hpp"
#include "program/share_errors.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/tree_grower.hpp"

namespace weaklearn::program {
namespace {

using graph::Draft;
using tree::DeferredNode;
using tree::OpenNode;
using tree::TreeGrower;
using tree::Worker;

// Children that are too light to be split stay open: merged with others they may be heavy enough.
constexpr tree::GrowthLimits no_limits{.min_objects = 0.0};

std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Returns a hash of the rows and weights in each node of a level. It does not depend on the order of the nodes. Weights
// count to seven digits, because shares of a row may have been added in another order.
std::uint64_t fingerprint(const std::vector<DeferredNode>& level) {
  std::vector<std::uint64_t> of_nodes;
  for (const DeferredNode& node : level) {
    std::uint64_t hash = 0;
    const auto rows = node.open.node_rows.row_span();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const float weight = node.weights.empty() ? 1.0F : static_cast<float>(node.weights[i]);
      if (weight > 0.0F) hash += mix_bits((std::uint64_t{rows[i]} << 32) + std::bit_cast<std::uint32_t>(weight) + 1);
    }
    of_nodes.push_back(hash);
  }
  std::ranges::sort(of_nodes);
  std::uint64_t all = of_nodes.size();
  for (const std::uint64_t hash : of_nodes) all = mix_bits(all ^ hash) + 1;
  return all;
}

// Returns the advantage of a split over guessing, with the classes of the node balanced: (sum_j max_k P(j|k) - 1) / m
// for branches j and the m classes k that are present.
double advantage(const Draft& draft, std::uint32_t node) {
  const auto classes = draft.weights_of(node);
  const auto n_present = std::ranges::count_if(classes, [](double x) { return x > 0.0; });
  double sum = -1.0;
  for (const std::uint32_t branch : draft.nodes[node].children) {
    double largest = 0.0;
    for (std::size_t k = 0; k < classes.size(); ++k)
      if (classes[k] > 0.0) largest = std::max(largest, draft.weights_of(branch)[k] / classes[k]);
    sum += largest;
  }
  return std::max(sum, 0.0) / static_cast<double>(n_present);
}

template <criteria::Criterion C>
class LevelByLevel {
 public:
  LevelByLevel(TreeGrower<C>& grower, const ProgramOptions& options)
      : grower_(grower),
        options_(options),
        impurity_(grower.finder.criterion(), grower.dataset.n_classes),
        rule_(make_merge_rule(options.merge_rule, impurity_, options.merging, grower.dataset.n_classes)),
        worker_(grower.new_worker(0)),
        program_{Draft(grower.dataset.n_classes), {}, {}},
        draft_(program_.draft) {}

  Program grow() {
    OpenNode root = grower_.make_root(draft_);
    if (grower_.partitioner.describe(draft_, 0, 0)) level_.emplace_back(std::move(root), worker_);
    std::optional<Stop> stop;
    while (!stop) {
      std::vector<ChosenSplit> splits = choose_splits();
      stop = reason_to_stop(splits);
      if (!stop && !split_level(splits)) stop = Stop::no_gain;
    }
    program_.stopped = *stop;
    tree::relabel_by_costs(draft_, options_.classes);
    share_errors(draft_);
    return std::move(program_);
  }

 private:
  // Returns the best split of every node that a split improves. If there is none and splits without gain are allowed,
  // it returns a split of every node that has any.
  std::vector<ChosenSplit> choose_splits() {
    std::vector<ChosenSplit> splits;
    for (const double least_gain : {0.0, -splits::epsilon}) {
      if (least_gain < 0.0 && !options_.split_without_gain) break;
      worker_.least_gain = least_gain;
      for (std::uint32_t i = 0; i < level_.size(); ++i) {
        if (criteria::less(rows_in(level_[i].open.node), 2 * options_.min_objects)) continue;
        level_[i].restore_weights(worker_);
        const int column = grower_.finder.find(level_[i].open, draft_, worker_);
        if (column >= 0)
          splits.push_back({i, static_cast<std::uint32_t>(column), worker_.splits[static_cast<std::size_t>(column)]});
      }
      if (!splits.empty()) break;
    }
    return splits;
  }

  // A level that gains nothing is another reason, which shows only when the level is split.
  std::optional<Stop> reason_to_stop(const std::vector<ChosenSplit>& splits) {
    if (splits.empty()) return Stop::no_open_node;
    if (!seen_.insert(fingerprint(level_)).second) return Stop::repeated;
    if (program_.levels.size() >= options_.max_levels) return Stop::max_levels;
    if (n_splits_ + splits.size() > options_.max_nodes) return Stop::max_nodes;
    return std::nullopt;
  }

  // Splits the level, merges its children and moves on to the next level. If nothing is gained, it returns false and
  // the nodes stay leaves.
  bool split_level(std::vector<ChosenSplit>& splits) {
    const auto first_child = static_cast<std::uint32_t>(draft_.nodes.size());
    rule_->revise_splits({grower_, draft_, level_, options_.min_objects, options_.missing_takes_branch, worker_},
                         splits);
    std::vector<DeferredNode> mixed = partition(splits);
    const auto n_children = static_cast<std::uint32_t>(draft_.nodes.size()) - first_child;
    total_ = 0.0;
    for (std::uint32_t c = 0; c < n_children; ++c) total_ += draft_.nodes[first_child + c].weight;

    Level level;
    level.nodes = static_cast<std::uint32_t>(splits.size());
    level.children = n_children;
    for (const ChosenSplit& split : splits) {
      level.before += impurity_of(node_of(split));
      level.advantages.push_back(advantage(draft_, node_of(split)));
    }
    for (std::uint32_t c = 0; c < n_children; ++c) level.after += impurity_of(first_child + c);
    level.forced = criteria::at_most(level.before - level.after, 0.0);
    if (level.forced && !options_.split_without_gain) return take_back(splits);
    for (const ChosenSplit& split : splits) note_branch_weights(node_of(split));
    const Grouping grouping = group(mixed, level, first_child);
    level.width = grouping.grid_width;
    level.merged = level.after;
    level.next_nodes = static_cast<std::uint32_t>(grouping.groups.size());
    if (grouping.groups.size() < mixed.size()) {
      level.merged += merge_children(mixed, grouping.groups, splits, first_child);
      const bool lost = level.forced ? criteria::more(level.merged, level.before)
                                     : criteria::at_most(level.before - level.merged, 0.0);
      if (rule_->is_mandatory() && lost) return take_back(splits);
      mixed = merge_rows(mixed, grouping.groups, grower_.dataset, grower_.training.unit, grower_.finder.listed(),
                         grower_.team.pool);
    }
    n_splits_ += splits.size();
    program_.levels.push_back(std::move(level));
    level_ = std::move(mixed);
    return true;
  }

  double rows_in(std::uint32_t node) const {
    return options_.classes.given() ? grower_.training.rows_in(draft_.weights_of(node)) : draft_.nodes[node].weight;
  }

  std::uint32_t node_of(const ChosenSplit& split) const { return level_[split.position].open.node; }

  bool take_back(const std::vector<ChosenSplit>& splits) {
    for (const ChosenSplit& split : splits) draft_.nodes[node_of(split)].become_leaf();
    return false;
  }

  // Adds all children to the draft and returns the mixed ones.
  std::vector<DeferredNode> partition(const std::vector<ChosenSplit>& splits) {
    std::vector<DeferredNode> mixed;
    std::vector<OpenNode> children;
    for (const ChosenSplit& split : splits) {
      const DeferredNode& node = level_[split.position];
      node.restore_weights(worker_);
      children.clear();
      grower_.partitioner.partition(node.open, split.split, split.column, draft_, worker_, children);
      for (std::size_t c = children.size(); c-- > 0;) {  // the first child is the last one
        grower_.merge_missing_rows(children[c], worker_);
        mixed.emplace_back(std::move(children[c]), worker_);
      }
    }
    return mixed;
  }

  void note_branch_weights(std::uint32_t index) {
    Draft::Node& node = draft_.nodes[index];
    std::vector<double> weights;
    for (const std::uint32_t branch : node.children) weights.push_back(draft_.nodes[branch].weight);
    node.branch_weights = std::move(weights);
  }

  Grouping group(const std::vector<DeferredNode>& mixed, const Level& level, std::uint32_t first_child) const {
    if (level.forced && !rule_->is_mandatory()) return {groups_of_one(mixed.size())};
    MixedChildren children{.weights = {}, .index = {}, .before = level.before, .after = level.after};
    for (const DeferredNode& child : mixed) {
      children.weights.push_back(scaled(child.open.node));
      children.index.push_back(child.open.node - first_child);
    }
    return rule_->group(children);
  }

  // Replaces the children of each group by the first of them. Returns by how much the weighted impurity rises.
  double merge_children(const std::vector<DeferredNode>& mixed, const Groups& groups,
                        const std::vector<ChosenSplit>& splits, std::uint32_t first_child) {
    std::vector<std::uint32_t> replacement(draft_.nodes.size() - first_child);
    for (std::uint32_t c = 0; c < replacement.size(); ++c) replacement[c] = first_child + c;
    double rise = 0.0;
    for (const std::vector<std::uint32_t>& group : groups) {
      if (group.size() == 1) continue;
      const std::uint32_t node = mixed[group.front()].open.node;
      const auto weights = draft_.weights_of(node);
      for (const std::uint32_t c : group) {
        const std::uint32_t other = mixed[c].open.node;
        rise -= impurity_of(other);
        replacement[other - first_child] = node;
        if (other == node) continue;
        for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += draft_.weights_of(other)[k];
      }
      grower_.partitioner.describe(draft_, node, 0);
      rise += impurity_of(node);
    }
    for (const ChosenSplit& split : splits)
      for (std::uint32_t& branch : draft_.nodes[node_of(split)].children) branch = replacement[branch - first_child];
    return rise;
  }

  ClassWeights scaled(std::uint32_t node) const {
    const auto weights = draft_.weights_of(node);
    ClassWeights shares(weights.begin(), weights.end());
    for (double& share : shares) share /= total_;
    return shares;
  }
  double impurity_of(std::uint32_t node) const { return impurity_.of(scaled(node)); }

  TreeGrower<C>& grower_;
  const ProgramOptions& options_;
  const WeightedImpurity<C> impurity_;
  const std::unique_ptr<MergeRule<C>> rule_;
  Worker worker_;
  Program program_;
  Draft& draft_;
  std::vector<DeferredNode> level_;  // the nodes that are not pure, with their rows
  std::set<std::uint64_t> seen_;  // fingerprints of the levels that were split
  std::uint64_t n_splits_ = 0;
  double total_ = 0.0;  // the weight of the present level
};

}  // namespace

Program grow_program(const data::Dataset& dataset, std::span<const double> weights, const ProgramOptions& options) {
  const tree::TrainingRows training(dataset, weights, options.classes);
  const tree::SplitSearchOptions search{
      .min_objects = options.min_objects, .two_groups = true, .missing_takes_branch = options.missing_takes_branch};
  return with_criterion(options.criterion, dataset.n_classes, [&]<class C>(C criterion) {
    TreeGrower<C> grower(training, std::move(criterion), search, no_limits, options.n_threads);
    return LevelByLevel<C>(grower, options).grow();
  });
}

}  // namespace weaklearn::program
