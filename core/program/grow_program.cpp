#include "program/grow_program.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "program/merge_rows.hpp"
#include "program/merge_rules.hpp"
#include "program/width_search.hpp"
#include "tree/tree_grower.hpp"

namespace weaklearn::program {
namespace {

using graph::Draft;
using tree::OpenNode;
using tree::DeferredNode;
using tree::Worker;
using tree::TreeGrower;

// Children that are too light to be split stay open: merged with others they may be heavy enough.
constexpr tree::GrowthLimits no_limits{.min_objects = 0.0};

std::uint64_t mixed_up(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// The same for the same rows and weights (to seven digits: shares may have been added in another order) in
// the same nodes, whatever the order of the nodes.
std::uint64_t fingerprint(const std::vector<DeferredNode>& level) {
  std::vector<std::uint64_t> of_nodes;
  for (const DeferredNode& task : level) {
    std::uint64_t hash = 0;
    const auto rows = task.open.part.row_span();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const float weight = task.weights.empty() ? 1.0F : static_cast<float>(task.weights[i]);
      if (weight > 0.0F) hash += mixed_up((std::uint64_t{rows[i]} << 32) + std::bit_cast<std::uint32_t>(weight) + 1);
    }
    of_nodes.push_back(hash);
  }
  std::ranges::sort(of_nodes);
  std::uint64_t all = of_nodes.size();
  for (const std::uint64_t hash : of_nodes) all = mixed_up(all ^ hash) + 1;
  return all;
}

// Over guessing on the balanced classes of the node: (sum_j max_k P(j|k) - 1) / m for m classes present.
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
        index_(grower.finder.criterion(), grower.dataset.n_classes),
        worker_(grower.new_worker(0)),
        program_{Draft(grower.dataset.n_classes), {}, {}},
        draft_(program_.draft) {}

  Program grow() {
    OpenNode root = grower_.make_root(draft_);
    if (grower_.partitioner.describe(draft_, 0, 0)) level_.emplace_back(std::move(root), worker_);
    std::optional<Stop> stop;
    while (!stop) {
      std::vector<Choice> choices = choose_tests();
      stop = reason_to_stop(choices);
      if (!stop && !split(choices)) stop = Stop::no_gain;
    }
    program_.stopped = *stop;
    graph::share_errors(draft_);
    return std::move(program_);
  }

 private:
  // The nodes that a test improves; if there are none, those that any test divides, if asked.
  std::vector<Choice> choose_tests() {
    std::vector<Choice> choices;
    for (const double least_gain : {0.0, -splits::epsilon}) {
      if (least_gain < 0.0 && !options_.split_without_gain) break;
      worker_.least_gain = least_gain;
      for (std::uint32_t t = 0; t < level_.size(); ++t) {
        if (criteria::less(draft_.nodes[level_[t].open.node].weight, 2 * options_.min_objects)) continue;
        level_[t].restore_weights(worker_);
        const int chosen = grower_.finder.find(level_[t].open, draft_, worker_);
        if (chosen >= 0)
          choices.push_back({t, static_cast<std::uint32_t>(chosen), worker_.splits[static_cast<std::size_t>(chosen)]});
      }
      if (!choices.empty()) break;
    }
    return choices;
  }

  // None yet, perhaps: that a level gains nothing shows when it is split.
  std::optional<Stop> reason_to_stop(const std::vector<Choice>& choices) {
    if (choices.empty()) return Stop::no_node_left;
    if (!seen_.insert(fingerprint(level_)).second) return Stop::repeated;
    if (program_.levels.size() >= options_.max_levels) return Stop::max_levels;
    if (n_tests_ + choices.size() > options_.max_nodes) return Stop::max_nodes;
    return std::nullopt;
  }

  // Splits the level and goes on to the next; false, and the nodes stay leaves, if nothing is gained.
  bool split(std::vector<Choice>& choices) {
    const auto first_child = static_cast<std::uint32_t>(draft_.nodes.size());
    std::vector<std::uint32_t> group_of_child;
    if (options_.merge == Merge::width)
      group_of_child =
          WidthSearch<C>(grower_, index_, draft_, level_, options_.min_objects, worker_).run(choices, options_.max_width);
    std::vector<DeferredNode> mixed = divide(choices);
    const auto n_children = static_cast<std::uint32_t>(draft_.nodes.size()) - first_child;
    total_ = 0.0;
    for (std::uint32_t c = 0; c < n_children; ++c) total_ += draft_.nodes[first_child + c].weight;

    Level level;
    level.nodes = static_cast<std::uint32_t>(choices.size());
    level.children = n_children;
    for (const Choice& choice : choices) {
      const std::uint32_t node = level_[choice.task].open.node;
      level.before += index_of(node);
      level.advantages.push_back(advantage(draft_, node));
    }
    for (std::uint32_t c = 0; c < n_children; ++c) level.after += index_of(first_child + c);
    level.forced = criteria::at_most(level.before - level.after, 0.0);
    if (level.forced && !options_.split_without_gain) return take_back(choices);
    for (const Choice& choice : choices) note_flow(level_[choice.task].open.node);
    const Groups groups =
        options_.merge == Merge::width ? groups_of(mixed, group_of_child, first_child) : group(mixed, level);
    level.merged = level.after;
    level.next_nodes = static_cast<std::uint32_t>(groups.size());
    if (groups.size() < mixed.size()) {
      level.merged += unite(mixed, groups, choices, first_child);
      // A narrow level may lose more than it has gained: so it could go on for ever.
      const bool lost = level.forced ? criteria::more(level.merged, level.before)
                                     : criteria::at_most(level.before - level.merged, 0.0);
      if (options_.merge == Merge::width && lost) return take_back(choices);
      mixed = pooled(mixed, groups, grower_.dataset, grower_.training.unit, grower_.finder.listed(), grower_.team.pool);
    }
    n_tests_ += choices.size();
    program_.levels.push_back(std::move(level));
    level_ = std::move(mixed);
    return true;
  }

  bool take_back(const std::vector<Choice>& choices) {
    for (const Choice& choice : choices) draft_.nodes[level_[choice.task].open.node].become_leaf();
    return false;
  }

  // Makes the children, all of them in the draft; returns those that are not pure.
  std::vector<DeferredNode> divide(const std::vector<Choice>& choices) {
    std::vector<DeferredNode> mixed;
    std::vector<OpenNode> jobs;
    for (const Choice& choice : choices) {
      const DeferredNode& task = level_[choice.task];
      task.restore_weights(worker_);
      jobs.clear();
      grower_.partitioner.partition(task.open, choice.split, choice.column, draft_, worker_, jobs);
      for (std::size_t j = jobs.size(); j-- > 0;) {  // the first branch is on top of the stack
        grower_.merge_missing_rows(jobs[j], worker_);
        mixed.emplace_back(std::move(jobs[j]), worker_);
      }
    }
    return mixed;
  }

  void note_flow(std::uint32_t number) {
    Draft::Node& node = draft_.nodes[number];
    for (const std::uint32_t branch : node.children) node.branch_weights.push_back(draft_.nodes[branch].weight);
  }

  static Groups groups_of(const std::vector<DeferredNode>& mixed, const std::vector<std::uint32_t>& group_of_child,
                          std::uint32_t first_child) {
    std::vector<std::uint32_t> group_of;
    for (const DeferredNode& child : mixed) group_of.push_back(group_of_child[child.open.node - first_child]);
    return groups_by<std::uint32_t>(group_of);
  }

  Groups group(const std::vector<DeferredNode>& mixed, Level& level) const {
    if (options_.merge == Merge::none || level.forced) {
      Groups apart;
      for (std::uint32_t c = 0; c < mixed.size(); ++c) apart.push_back({c});
      return apart;
    }
    std::vector<ClassWeights> weights;
    for (const DeferredNode& child : mixed) weights.push_back(scaled(child.open.node));
    const double delta = level.before - level.after;
    if (options_.merge == Merge::budget) return by_budget(index_, weights, options_.merge_share * delta);
    const Grid grid(delta, level.after);
    level.width = grid.width();
    return by_grid(index_, weights, grid);
  }

  // Makes the first child of each group stand for all of it; returns by how much the index rises.
  double unite(const std::vector<DeferredNode>& mixed, const Groups& groups, const std::vector<Choice>& choices,
               std::uint32_t first_child) {
    std::vector<std::uint32_t> stand_in(draft_.nodes.size() - first_child);
    for (std::uint32_t c = 0; c < stand_in.size(); ++c) stand_in[c] = first_child + c;
    double rise = 0.0;
    for (const std::vector<std::uint32_t>& group : groups) {
      if (group.size() == 1) continue;
      const std::uint32_t node = mixed[group.front()].open.node;
      const auto weights = draft_.weights_of(node);
      for (const std::uint32_t c : group) {
        const std::uint32_t other = mixed[c].open.node;
        rise -= index_of(other);
        stand_in[other - first_child] = node;
        if (other == node) continue;
        for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += draft_.weights_of(other)[k];
      }
      grower_.partitioner.describe(draft_, node, 0);
      rise += index_of(node);
    }
    for (const Choice& choice : choices)
      for (std::uint32_t& branch : draft_.nodes[level_[choice.task].open.node].children)
        branch = stand_in[branch - first_child];
    return rise;
  }

  ClassWeights scaled(std::uint32_t node) const {
    const auto weights = draft_.weights_of(node);
    ClassWeights shares(weights.begin(), weights.end());
    for (double& share : shares) share /= total_;
    return shares;
  }
  double index_of(std::uint32_t node) const { return index_.of(scaled(node)); }

  TreeGrower<C>& grower_;
  const ProgramOptions& options_;
  const Index<C> index_;
  Worker worker_;
  Program program_;
  Draft& draft_;
  std::vector<DeferredNode> level_;       // the nodes that are not pure, with their rows
  std::set<std::uint64_t> seen_;  // fingerprints of the levels that were split
  std::uint64_t n_tests_ = 0;
  double total_ = 0.0;            // the weight of the level in hand
};

}  // namespace

Program grow_program(const data::Dataset& dataset, std::span<const double> weights, const ProgramOptions& options) {
  if (options.merge == Merge::grid && dataset.n_classes > 2) throw std::invalid_argument("a grid is for two classes");
  const tree::TrainingRows training(dataset, weights);
  const tree::SplitSearchOptions search{.min_objects = options.min_objects, .two_groups = true};
  return with_criterion(options.criterion, dataset.n_classes, [&]<class C>(C criterion) {
    TreeGrower<C> grower(training, std::move(criterion), search, no_limits, options.n_threads);
    return LevelByLevel<C>(grower, options).grow();
  });
}

}  // namespace weaklearn::program
