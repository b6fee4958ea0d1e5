#include "oblique/grow_oblique.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "criteria/registry.hpp"
#include "graph/oblique_terms.hpp"
#include "oblique/axis_split.hpp"
#include "oblique/oc1_hill_climbing.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/leaf_nodes.hpp"
#include "tree/prune_cost_complexity.hpp"
#include "tree/thread_team.hpp"

namespace weaklearn::oblique {
namespace {

using graph::Draft;
using parallel::SeededRandom;

using Rows = std::vector<std::uint32_t>;

// A node's rows, what they weigh by class, and its seed.
struct Site {
  std::span<const std::uint32_t> rows;
  std::span<const double> total;
  double weight = 0.0;
  std::uint64_t seed = 0;
};

template <std::size_t K, class Measure>
double impurity_of(const LinearTest& test, const data::Dataset& dataset, std::span<const double> weights,
                   const Site& site, Measure& measure) {
  Balance<K> balance;
  balance.reset(site.total);
  for (const std::uint32_t row : site.rows)
    if (!graph::is_above(test.terms, test.threshold, dataset, row))
      balance.move_left(static_cast<std::uint32_t>(dataset.classes[row]), weights[row]);
  return balance.impurity(measure);
}

struct Found {
  LinearTest test;
  double impurity = criteria::infinite;
};

// The hyperplane of OC1: the best axis-parallel cut, or a better one that climbing from it, or from random, finds.
template <std::size_t K, class Measure>
class Oc1Search {
 public:
  Oc1Search(const Features& features, std::span<const double> weights, const Oc1Options& options, Measure measure)
      : features_(features),
        weights_(weights),
        options_(options),
        measure_(std::move(measure)),
        team_(options.n_threads) {}

  Found find(const Site& site) {
    SeededRandom random(SeededRandom::seed_of(site.seed, 0));
    const auto axis = best_axis_cut<K>(features_, weights_, site.rows, site.total, measure_, random);
    Found best = on_axis(axis);
    // With fewer points than that, planes that divide them in any way are plenty.
    const bool enough = site.weight > 2.0 * static_cast<double>(features_.size());
    if (axis.impurity == 0.0 || !enough) return best;
    std::optional<Found> climbed = climb(site, axis, random);
    if (climbed && criteria::lower(climbed->impurity, best.impurity)) best = std::move(*climbed);
    return best;
  }

 private:
  Found on_axis(const AxisCut& axis) const {
    Plane plane{std::vector<double>(features_.size(), 0.0), -axis.cut};
    plane.coefficients[axis.feature] = 1.0;
    return {features_.test_of(plane), axis.impurity};
  }

  // The best of all restarts, the coin deciding among equals; none follows one that is perfect.
  std::optional<Found> climb(const Site& site, const AxisCut& axis, SeededRandom& random) {
    const Points points(features_, weights_, site.rows, Frame::shifted);
    std::vector<Found> found(options_.n_restarts);
    std::uint32_t done = 0;
    while (done < options_.n_restarts) {
      // As many at a time as there are threads.
      const std::uint32_t count = std::min(team_.pool.n_threads(), options_.n_restarts - done);
      const auto restart = [&](std::uint32_t i, std::uint32_t) {
        found[done + i] = start(points, site, axis, done + i);
      };
      if (count > 1 && site.rows.size() * features_.size() >= worth_sharing)
        team_.pool.for_each(count, restart);
      else
        for (std::uint32_t i = 0; i < count; ++i) restart(i, 0);
      done += count;
      if (std::any_of(found.begin(), found.begin() + done, [](const Found& one) { return one.impurity == 0.0; })) break;
    }
    std::optional<Found> best;
    for (std::uint32_t i = 0; i < done; ++i) {
      const bool better = !best || criteria::lower(found[i].impurity, best->impurity);
      if (!better && (criteria::lower(best->impurity, found[i].impurity) || !random.coin())) continue;
      best = std::move(found[i]);
      if (best->impurity == 0.0) break;
    }
    return best;
  }

  Found start(const Points& points, const Site& site, const AxisCut& axis, std::uint32_t number) {
    SeededRandom random(SeededRandom::seed_of(site.seed, 1 + number));
    std::vector<double> coefficients(features_.size(), 0.0);
    double constant = -axis.cut;
    if (number == 0) {
      coefficients[axis.feature] = 1.0;
    } else {
      for (double& coefficient : coefficients) coefficient = random.between(-1.0, 1.0);
      constant = random.between(-1.0, 1.0);
    }
    Measure measure = measure_;
    HillClimber<K, Measure> climber(points, measure, options_.n_jumps);
    climber.climb(coefficients, constant, random);
    Found found{features_.test_of(points.outside(coefficients, constant)), criteria::infinite};
    found.impurity = impurity_of<K>(found.test, features_.dataset(), weights_, site, measure);
    return found;
  }

  static constexpr std::size_t worth_sharing = 1000;  // numbers of a node, below which waking threads costs more

  const Features& features_;
  std::span<const double> weights_;
  const Oc1Options& options_;
  Measure measure_;
  tree::ThreadTeam team_;
};

template <std::size_t K, class Measure>
class SadtSearch {
 public:
  SadtSearch(const Features& features, std::span<const double> weights, const SadtOptions& options, Measure measure)
      : features_(features), weights_(weights), options_(options), measure_(std::move(measure)) {}

  Found find(const Site& site) {
    const Points points(features_, weights_, site.rows, Frame::unit);
    SeededRandom random(site.seed);
    std::vector<double> coefficients;
    double constant = 0.0;
    Annealer<K, Measure>(points, measure_).anneal(coefficients, constant, options_.cooling, random);
    Found found{features_.test_of(points.outside(coefficients, constant)), criteria::infinite};
    found.impurity = impurity_of<K>(found.test, features_.dataset(), weights_, site, measure_);
    return found;
  }

 private:
  const Features& features_;
  std::span<const double> weights_;
  const SadtOptions& options_;
  Measure measure_;
};

template <std::size_t K, class Measure, class Search>
class ObliqueGrower {
 public:
  ObliqueGrower(const Features& features, std::span<const double> weights, const ObliqueTreeOptions& options,
                Measure measure, Search& search)
      : features_(features), dataset_(features.dataset()), weights_(weights), options_(options),
        measure_(std::move(measure)), search_(search), draft_(dataset_.n_classes) {}

  Draft grow(Rows rows, Rows held_out) {
    const bool prune = !held_out.empty();
    std::vector<Job> stack;
    add(std::move(rows), std::move(held_out), 0, SeededRandom::seed_of(options_.seed, 1), stack);
    while (!stack.empty()) {
      Job job = std::move(stack.back());
      stack.pop_back();
      split(job, stack);
    }
    if (prune) tree::prune_cost_complexity(draft_, held_out_errors_);
    tree::add_up_errors(draft_);
    return std::move(draft_);
  }

 private:
  struct Job {
    std::uint32_t node;
    std::uint32_t depth;
    std::uint64_t seed;
    Rows rows;
    Rows held_out;
  };

  std::uint32_t add(Rows rows, Rows held_out, std::uint32_t depth, std::uint64_t seed, std::vector<Job>& stack) {
    const std::uint32_t number = draft_.add();
    const auto total = draft_.weights_of(number);
    for (const std::uint32_t row : rows) total[static_cast<std::size_t>(dataset_.classes[row])] += weights_[row];
    tree::describe_as_leaf(draft_, number);
    const Draft::Node& node = draft_.nodes[number];
    held_out_errors_.push_back(0.0);
    for (const std::uint32_t row : held_out)
      if (dataset_.classes[row] != node.label) held_out_errors_.back() += weights_[row];
    const bool mixed = node.errors > 0.0;
    if (mixed && depth < options_.max_depth && features_.size() > 0)
      stack.push_back({number, depth, seed, std::move(rows), std::move(held_out)});
    return number;
  }

  void split(Job& job, std::vector<Job>& stack) {
    const std::vector<double> total(draft_.weights_of(job.node).begin(), draft_.weights_of(job.node).end());
    Balance<K> unsplit;
    unsplit.reset(total);
    Found found = search_.find({job.rows, total, draft_.nodes[job.node].weight, job.seed});
    if (found.test.terms.empty() || !criteria::lower(found.impurity, unsplit.impurity(measure_))) return;

    std::array<Rows, 2> rows;
    std::array<Rows, 2> held_out;
    const auto side_of = [&](std::uint32_t row) {
      return graph::is_above(found.test.terms, found.test.threshold, dataset_, row);
    };
    for (const std::uint32_t row : job.rows) rows[side_of(row)].push_back(row);
    for (const std::uint32_t row : job.held_out) held_out[side_of(row)].push_back(row);
    if (rows[0].empty() || rows[1].empty()) return;
    graph::note_influence(found.test.terms, dataset_, job.rows, [&](std::size_t i) { return weights_[job.rows[i]]; });
    std::vector<std::uint32_t> branches;
    for (std::size_t side = 0; side < 2; ++side)
      branches.push_back(add(std::move(rows[side]), std::move(held_out[side]), job.depth + 1,
                             SeededRandom::seed_of(job.seed, 1000000 + side), stack));
    Draft::Node& node = draft_.nodes[job.node];
    node.split = graph::SplitKind::oblique;
    node.threshold = found.test.threshold;
    node.terms = std::move(found.test.terms);
    node.children = std::move(branches);
  }

  const Features& features_;
  const data::Dataset& dataset_;
  std::span<const double> weights_;
  const ObliqueTreeOptions& options_;
  Measure measure_;
  Search& search_;
  Draft draft_;
  std::vector<double> held_out_errors_;  // per node, were it a leaf
};

// Shuffled; the last ones, a whole share of them, are held out.
std::pair<Rows, Rows> hold_out(std::span<const double> weights, const ObliqueTreeOptions& options) {
  Rows rows;
  for (std::uint32_t row = 0; row < weights.size(); ++row)
    if (weights[row] > 0.0) rows.push_back(row);
  const auto n_held_out = static_cast<std::size_t>(options.validation_share * static_cast<double>(rows.size()));
  SeededRandom random(SeededRandom::seed_of(options.seed, 0));
  for (std::size_t i = rows.size(); i > rows.size() - n_held_out; --i)
    std::swap(rows[i - 1], rows[random.below(static_cast<std::uint32_t>(i))]);
  Rows held_out(rows.end() - static_cast<std::ptrdiff_t>(n_held_out), rows.end());
  rows.resize(rows.size() - n_held_out);
  std::ranges::sort(rows);
  return {std::move(rows), std::move(held_out)};
}

template <template <std::size_t, class> class Search, std::size_t K, class Options, class Measure>
Draft grow_with(const data::Dataset& dataset, std::span<const double> weights, const Options& options,
                const Measure& measure) {
  auto [rows, held_out] = hold_out(weights, options.tree);
  Rows every = rows;
  every.insert(every.end(), held_out.begin(), held_out.end());
  std::ranges::sort(every);
  const Features features(dataset, weights, every);
  Search<K, Measure> search(features, weights, options, measure);
  ObliqueGrower<K, Measure, Search<K, Measure>> grower(features, weights, options.tree, measure, search);
  return grower.grow(std::move(rows), std::move(held_out));
}

template <template <std::size_t, class> class Search, class Options>
Draft grow(const data::Dataset& dataset, std::span<const double> weights, const Options& options) {
  return criteria::with_two_sided_impurity(options.tree.criterion, dataset.n_classes, [&](const auto& measure) {
    return dataset.n_classes == 2 ? grow_with<Search, 2>(dataset, weights, options, measure)
                                  : grow_with<Search, std::dynamic_extent>(dataset, weights, options, measure);
  });
}

}  // namespace

graph::Draft grow_oc1(const data::Dataset& dataset, std::span<const double> weights, const Oc1Options& options) {
  return grow<Oc1Search>(dataset, weights, options);
}

graph::Draft grow_sadt(const data::Dataset& dataset, std::span<const double> weights, const SadtOptions& options) {
  return grow<SadtSearch>(dataset, weights, options);
}

}  // namespace weaklearn::oblique
