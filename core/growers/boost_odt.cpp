#include "growers/boost_odt.hpp"

#include <deque>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "criteria/criteria.hpp"
#include "criteria/tolerance.hpp"
#include "data/ordered_rows.hpp"
#include "growers/collapse.hpp"
#include "growers/crew.hpp"
#include "growers/leaves.hpp"
#include "growers/separator.hpp"

namespace weaklearn::growers {
namespace {

using graph::Draft;

// A leaf that may yet be divided.
struct Waiting {
  std::uint32_t number;
  std::uint32_t depth;
  data::OrderedRows rows;
  std::vector<double> weights;  // of each of its rows
};

struct Division {
  Separator separator;
  std::vector<bool> second_side;
  double impurity = std::numeric_limits<double>::infinity();  // of both sides, times their weights
};

class BoostOdt {
 public:
  BoostOdt(const data::Dataset& dataset, const BoostOdtOptions& options)
      : dataset_(dataset), options_(options), crew_(options.n_threads), draft_(dataset.n_classes) {}

  Draft grow(std::span<const double> weights) {
    Sample sample(dataset_, weights);
    const std::uint32_t root = add_leaf(draft_, dataset_, sample.rows, sample.weights);
    std::deque<Waiting> waiting;
    waiting.push_back({root, 0, ordered_rows(dataset_, std::move(sample.rows), crew_.pool), std::move(sample.weights)});
    std::uint64_t n_tests = 0;
    for (; !waiting.empty() && n_tests < options_.max_tests; waiting.pop_front()) {
      const Waiting& leaf = waiting.front();
      if (leaf.depth >= options_.max_depth) continue;
      std::optional<Division> division = best_division(leaf);
      if (!division) continue;
      ++n_tests;
      split(leaf, *division, waiting);
    }
    add_up_errors(draft_);
    return std::move(draft_);
  }

 private:
  // Nothing where one class is alone, or no separator has rows on both sides.
  std::optional<Division> best_division(const Waiting& leaf) {
    const auto of_class = draft_.weights_of(leaf.number);
    std::vector<std::uint32_t> present;
    for (std::uint32_t k = 0; k < of_class.size(); ++k)
      if (of_class[k] > 0.0) present.push_back(k);
    if (present.size() < 2) return {};
    if (present.size() == 2) present.erase(present.begin());  // one separates both
    std::optional<Division> best;
    for (const std::uint32_t k : present) {
      Division division = separated(leaf, k);
      if (division.impurity == std::numeric_limits<double>::infinity()) continue;
      if (!best || division.impurity < best->impurity - criteria::index_noise * draft_.nodes[leaf.number].weight)
        best = std::move(division);
    }
    return best;
  }

  Division separated(const Waiting& leaf, std::uint32_t positive) {
    const std::span<const std::uint32_t> rows = leaf.rows.rows;
    Division division;
    division.second_side.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      division.second_side[i] = static_cast<std::uint32_t>(dataset_.classes[rows[i]]) == positive;
    division.separator =
        boost_stumps(dataset_, leaf.rows, leaf.weights, division.second_side, options_.n_stumps, crew_);
    const std::vector<double> sum = sums(dataset_, rows, division.separator.terms);
    std::vector<double> of_class[2] = {std::vector<double>(dataset_.n_classes), std::vector<double>(dataset_.n_classes)};
    double weight[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool side = sum[i] > division.separator.threshold;
      division.second_side[i] = side;
      of_class[side][static_cast<std::size_t>(dataset_.classes[rows[i]])] += leaf.weights[i];
      weight[side] += leaf.weights[i];
    }
    if (weight[0] > 0.0 && weight[1] > 0.0) {
      const criteria::KearnsMansour km(dataset_.n_classes);
      division.impurity = impurity_of(km, std::span<const double>(of_class[0]), weight[0]) +
                          impurity_of(km, std::span<const double>(of_class[1]), weight[1]);
    }
    return division;
  }

  void split(const Waiting& leaf, Division& division, std::deque<Waiting>& waiting) {
    divide_leaf(draft_, leaf.number, std::move(division.separator), dataset_, leaf.rows.rows, leaf.weights,
                division.second_side);
    if (leaf.depth + 1 >= options_.max_depth) return;
    auto [first, second] = divide(dataset_, leaf.rows, division.second_side, crew_.pool);
    std::vector<double> weights[2];
    for (std::size_t i = 0; i < leaf.weights.size(); ++i)
      weights[division.second_side[i]].push_back(leaf.weights[i]);
    const std::uint32_t depth = leaf.depth + 1;
    const auto branches = draft_.nodes[leaf.number].branches;
    waiting.push_back({branches[0], depth, std::move(first), std::move(weights[0])});
    waiting.push_back({branches[1], depth, std::move(second), std::move(weights[1])});
  }

  const data::Dataset& dataset_;
  const BoostOdtOptions& options_;
  Crew crew_;
  Draft draft_;
};

}  // namespace

graph::Draft grow_boost_odt(const data::Dataset& dataset, std::span<const double> weights,
                            const BoostOdtOptions& options) {
  return BoostOdt(dataset, options).grow(weights);
}

}  // namespace weaklearn::growers
