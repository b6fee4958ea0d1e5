#include "oblique/grow_oblique.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "criteria/registry.hpp"
#include "graph/oblique_terms.hpp"
#include "oblique/axis_split.hpp"
#include "oblique/oc1_hill_climbing.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/prune_cost_complexity.hpp"
#include "tree/thread_team.hpp"

namespace weaklearn::oblique {
namespace {

using graph::Draft;
using parallel::SeededRandom;

using Rows = std::vector<std::uint32_t>;

// A node for which a plane is searched.
struct SearchNode {
  std::span<const std::uint32_t> rows;
  std::span<const double> total;  // per class
  double n_rows = 0.0;  // the weight of the rows, or their effective number
  std::uint64_t seed = 0;
};

// With values beyond 1e100 the coefficients of a plane may overflow.
bool is_finite(const LinearSplit& split) {
  bool finite = std::isfinite(split.threshold);
  for (const graph::DraftTerm& term : split.terms) {
    finite = finite && std::isfinite(term.missing);
    for (const double number : term.numbers) finite = finite && std::isfinite(number);
  }
  return finite;
}

template <std::size_t K, class Measure>
double impurity_of(const LinearSplit& split, const data::Dataset& dataset, std::span<const double> weights,
                   const SearchNode& node, Measure& measure) {
  if (!is_finite(split)) return criteria::infinite;
  SideWeights<K> sides;
  sides.reset(node.total);
  for (const std::uint32_t row : node.rows)
    if (!graph::is_above(split.terms, split.threshold, dataset, row))
      sides.move_left(static_cast<std::uint32_t>(dataset.classes[row]), weights[row]);
  return sides.impurity(measure);
}

struct ScoredSplit {
  LinearSplit split;
  double impurity = criteria::infinite;
};

// OC1's search: the best axis-parallel split, or a better plane that hill climbing finds from it or from random planes.
template <std::size_t K, class Measure>
class Oc1Search {
 public:
  Oc1Search(const Features& features, std::span<const double> weights, const Oc1Options& options, Measure measure)
      : features_(features),
        weights_(weights),
        options_(options),
        measure_(std::move(measure)),
        team_(options.n_threads) {}

  ScoredSplit find(const SearchNode& node) {
    SeededRandom random(SeededRandom::seed_of(node.seed, 0));
    const auto axis = best_axis_split<K>(features_, weights_, node.rows, node.total, measure_, random);
    ScoredSplit best = on_axis(axis);
    // With fewer points than this, some plane separates them in any way, so an oblique split would be arbitrary.
    const bool enough = node.n_rows > 2.0 * static_cast<double>(features_.size());
    if (axis.impurity == 0.0 || !enough) return best;
    std::optional<ScoredSplit> climbed = climb(node, axis, random);
    if (climbed && criteria::lower(climbed->impurity, best.impurity)) best = std::move(*climbed);
    return best;
  }

 private:
  ScoredSplit on_axis(const AxisSplit& axis) const {
    Plane plane{std::vector<double>(features_.size(), 0.0), -axis.threshold};
    plane.coefficients[axis.feature] = 1.0;
    return {features_.split_of(plane), axis.impurity};
  }

  // Returns the best plane of all restarts. A coin decides between equal ones. A perfect plane ends the search.
  std::optional<ScoredSplit> climb(const SearchNode& node, const AxisSplit& axis, SeededRandom& random) {
    const Points points(features_, weights_, node.rows, Frame::shifted);
    std::vector<ScoredSplit> results(options_.n_restarts);
    std::uint32_t done = 0;
    while (done < options_.n_restarts) {
      // One restart per thread.
      const std::uint32_t count = std::min(team_.pool.n_threads(), options_.n_restarts - done);
      const auto restart = [&](std::uint32_t i, std::uint32_t) {
        results[done + i] = climb_once(points, node, axis, done + i);
      };
      if (count > 1 && node.rows.size() * features_.size() >= worth_sharing)
        team_.pool.for_each(count, restart);
      else
        for (std::uint32_t i = 0; i < count; ++i) restart(i, 0);
      done += count;
      const auto is_perfect = [](const ScoredSplit& result) { return result.impurity == 0.0; };
      if (std::any_of(results.begin(), results.begin() + done, is_perfect)) break;
    }
    std::optional<ScoredSplit> best;
    for (std::uint32_t i = 0; i < done; ++i) {
      const bool better = !best || criteria::lower(results[i].impurity, best->impurity);
      if (!better && (criteria::lower(best->impurity, results[i].impurity) || !random.coin())) continue;
      best = std::move(results[i]);
      if (best->impurity == 0.0) break;
    }
    return best;
  }

  // The first restart begins with the axis-parallel split, the others with random planes.
  ScoredSplit climb_once(const Points& points, const SearchNode& node, const AxisSplit& axis, std::uint32_t restart) {
    SeededRandom random(SeededRandom::seed_of(node.seed, 1 + restart));
    std::vector<double> coefficients(features_.size(), 0.0);
    double constant = -axis.threshold;
    if (restart == 0) {
      coefficients[axis.feature] = 1.0;
    } else {
      for (double& coefficient : coefficients) coefficient = random.between(-1.0, 1.0);
      constant = random.between(-1.0, 1.0);
    }
    Measure measure = measure_;
    HillClimber<K, Measure> climber(points, measure, options_.n_jumps);
    climber.climb(coefficients, constant, random);
    ScoredSplit result{features_.split_of(points.unscaled_plane(coefficients, constant)), criteria::infinite};
    result.impurity = impurity_of<K>(result.split, features_.dataset(), weights_, node, measure);
    return result;
  }

  static constexpr std::size_t worth_sharing = 1000;  // for fewer numbers at a node, waking threads costs more

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

  ScoredSplit find(const SearchNode& node) {
    const Points points(features_, weights_, node.rows, Frame::unit);
    SeededRandom random(node.seed);
    std::vector<double> coefficients;
    double constant = 0.0;
    Annealer<K, Measure>(points, measure_).anneal(coefficients, constant, options_.cooling, random);
    ScoredSplit result{features_.split_of(points.unscaled_plane(coefficients, constant)), criteria::infinite};
    result.impurity = impurity_of<K>(result.split, features_.dataset(), weights_, node, measure_);
    return result;
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
      : features_(features),
        dataset_(features.dataset()),
        weights_(weights),
        options_(options),
        measure_(std::move(measure)),
        search_(search),
        draft_(dataset_.n_classes) {}

  Draft grow(Rows rows, Rows held_out) {
    const bool prune = !held_out.empty();
    std::vector<OpenNode> stack;
    add(std::move(rows), std::move(held_out), 0, SeededRandom::seed_of(options_.seed, 1), stack);
    while (!stack.empty()) {
      OpenNode open = std::move(stack.back());
      stack.pop_back();
      split(open, stack);
    }
    if (prune) tree::prune_cost_complexity(draft_, held_out_errors_);
    tree::add_up_errors(draft_);
    return std::move(draft_);
  }

 private:
  struct OpenNode {
    std::uint32_t node;
    std::uint32_t depth;
    std::uint64_t seed;
    Rows rows;
    Rows held_out;
  };

  std::uint32_t add(Rows rows, Rows held_out, std::uint32_t depth, std::uint64_t seed, std::vector<OpenNode>& stack) {
    const std::uint32_t index = draft_.add();
    const auto total = draft_.weights_of(index);
    for (const std::uint32_t row : rows) total[static_cast<std::size_t>(dataset_.classes[row])] += weights_[row];
    draft_.describe_as_leaf(index);
    const Draft::Node& node = draft_.nodes[index];
    held_out_errors_.push_back(0.0);
    for (const std::uint32_t row : held_out)
      if (dataset_.classes[row] != node.label) held_out_errors_.back() += weights_[row];
    const bool has_errors = node.errors > 0.0;
    if (has_errors && depth < options_.max_depth && features_.size() > 0)
      stack.push_back({index, depth, seed, std::move(rows), std::move(held_out)});
    return index;
  }

  void split(OpenNode& open, std::vector<OpenNode>& stack) {
    const std::vector<double> total(draft_.weights_of(open.node).begin(), draft_.weights_of(open.node).end());
    SideWeights<K> unsplit;
    unsplit.reset(total);
    const double n_rows = options_.classes.given() ? criteria::effective_rows(total, options_.classes.factors)
                                                   : draft_.nodes[open.node].weight;
    ScoredSplit best = search_.find({open.rows, total, n_rows, open.seed});
    if (best.split.terms.empty() || !criteria::lower(best.impurity, unsplit.impurity(measure_))) return;

    std::array<Rows, 2> rows;
    std::array<Rows, 2> held_out;
    const auto side_of = [&](std::uint32_t row) {
      return graph::is_above(best.split.terms, best.split.threshold, dataset_, row);
    };
    for (const std::uint32_t row : open.rows) rows[side_of(row)].push_back(row);
    for (const std::uint32_t row : open.held_out) held_out[side_of(row)].push_back(row);
    if (rows[0].empty() || rows[1].empty()) return;
    graph::note_influence(best.split.terms, dataset_, open.rows, [&](std::size_t i) { return weights_[open.rows[i]]; });
    std::vector<std::uint32_t> children;
    for (std::size_t side = 0; side < 2; ++side)
      children.push_back(add(std::move(rows[side]), std::move(held_out[side]), open.depth + 1,
                             SeededRandom::seed_of(open.seed, 1000000 + side), stack));
    Draft::Node& node = draft_.nodes[open.node];
    node.split = graph::SplitKind::oblique;
    node.threshold = best.split.threshold;
    node.terms = std::move(best.split.terms);
    node.children = graph::Children(children);
  }

  const Features& features_;
  const data::Dataset& dataset_;
  std::span<const double> weights_;
  const ObliqueTreeOptions& options_;
  Measure measure_;
  Search& search_;
  Draft draft_;
  std::vector<double> held_out_errors_;  // per node: its errors on held-out rows if it were a leaf
};

// Returns the rows to grow on and the rows held out for pruning. Held-out rows are drawn without replacement.
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
  Rows all_rows = rows;
  all_rows.insert(all_rows.end(), held_out.begin(), held_out.end());
  std::ranges::sort(all_rows);
  const Features features(dataset, weights, all_rows);
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
