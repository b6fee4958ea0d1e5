#include "separators/grow_boost_odt.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "data/presorted_rows.hpp"
#include "separators/boosted_separator.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/grow_c45.hpp"
#include "tree/leaf_nodes.hpp"
#include "tree/thread_team.hpp"

namespace weaklearn::separators {
namespace {

using graph::Draft;

// A leaf that may yet be divided.
struct Waiting {
  std::uint32_t number;
  std::uint32_t depth;
  data::PresortedRows rows;
  std::vector<double> weights;  // of each of its rows
};

struct Division {
  Separator separator;
  std::vector<bool> second_side;  // per row
};

// Which of more than two classes go together: each to the side of a single test where most of it is. Where there is
// no such test, or one side gets none, the largest class is alone.
std::vector<bool> second_group(const graph::Draft& test, std::span<const double> of_class) {
  std::vector<bool> second(of_class.size(), false);
  const auto& branches = test.nodes[0].children;
  bool some[2] = {false, false};
  for (std::uint32_t k = 0; branches.size() == 2 && k < second.size(); ++k) {
    if (of_class[k] <= 0.0) continue;
    second[k] = criteria::more(test.weights_of(branches[1])[k], test.weights_of(branches[0])[k]);
    some[second[k]] = true;
  }
  if (some[0] && some[1]) return second;
  second.assign(of_class.size(), false);
  second[criteria::largest(of_class)] = true;
  return second;
}

class BoostOdt {
 public:
  BoostOdt(const data::Dataset& dataset, const BoostOdtOptions& options)
      : dataset_(dataset), options_(options), team_(options.n_threads), draft_(dataset.n_classes) {}

  Draft grow(std::span<const double> weights) {
    tree::PresentRows present(dataset_, weights);
    const std::uint32_t root = tree::add_leaf(draft_, dataset_, present.rows, present.weights);
    std::deque<Waiting> waiting;
    waiting.push_back({root, 0, presort_rows(dataset_, std::move(present.rows), team_.pool), std::move(present.weights)});
    std::uint64_t n_tests = 0;
    for (; !waiting.empty() && n_tests < options_.max_tests; waiting.pop_front()) {
      const Waiting& leaf = waiting.front();
      if (leaf.depth >= options_.max_depth) continue;
      std::optional<Division> division = best_division(leaf);
      if (!division) continue;
      ++n_tests;
      split(leaf, *division, waiting);
    }
    tree::add_up_errors(draft_);
    return std::move(draft_);
  }

 private:
  // Nothing where one class is alone, or the separator has all rows on one side.
  std::optional<Division> best_division(const Waiting& leaf) {
    const std::vector<bool> second = groups_of(leaf);
    if (std::ranges::find(second, true) == second.end()) return {};
    const std::span<const std::uint32_t> rows = leaf.rows.rows;
    Division division;
    division.second_side.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      division.second_side[i] = second[static_cast<std::size_t>(dataset_.classes[rows[i]])];
    division.separator =
        boost_stumps(dataset_, leaf.rows, leaf.weights, division.second_side, options_.n_stumps, team_);
    const std::vector<double> sum = sums(dataset_, rows, division.separator.terms);
    bool some[2] = {false, false};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      division.second_side[i] = sum[i] > division.separator.threshold;
      some[division.second_side[i]] = true;
    }
    if (!some[0] || !some[1]) return {};
    return division;
  }

  // Per class whether it is to be on the second side; none where one is alone.
  std::vector<bool> groups_of(const Waiting& leaf) {
    const auto of_class = draft_.weights_of(leaf.number);
    std::vector<std::uint32_t> present;
    for (std::uint32_t k = 0; k < of_class.size(); ++k)
      if (of_class[k] > 0.0) present.push_back(k);
    std::vector<bool> second(of_class.size(), false);
    if (present.size() < 2) return second;
    if (present.size() == 2) {
      second[present[1]] = true;
      return second;
    }
    std::vector<double> weights(dataset_.n_rows, 0.0);
    for (std::size_t i = 0; i < leaf.weights.size(); ++i) weights[leaf.rows.rows[i]] = leaf.weights[i];
    const tree::C45Options one_split{.criterion = {"km", {}},
                                     .search = {.min_objects = 0.0, .two_groups = true},
                                     .max_depth = 1,
                                     .collapse = false,
                                     .n_threads = options_.n_threads};
    return second_group(tree::grow_c45(dataset_, weights, one_split), of_class);
  }

  void split(const Waiting& leaf, Division& division, std::deque<Waiting>& waiting) {
    tree::split_leaf(draft_, leaf.number, std::move(division.separator), dataset_, leaf.rows.rows, leaf.weights,
                division.second_side);
    if (leaf.depth + 1 >= options_.max_depth) return;
    auto [first, second] = partition(dataset_, leaf.rows, division.second_side, team_.pool);
    std::vector<double> weights[2];
    for (std::size_t i = 0; i < leaf.weights.size(); ++i)
      weights[division.second_side[i]].push_back(leaf.weights[i]);
    const std::uint32_t depth = leaf.depth + 1;
    const auto branches = draft_.nodes[leaf.number].children;
    waiting.push_back({branches[0], depth, std::move(first), std::move(weights[0])});
    waiting.push_back({branches[1], depth, std::move(second), std::move(weights[1])});
  }

  const data::Dataset& dataset_;
  const BoostOdtOptions& options_;
  tree::ThreadTeam team_;
  Draft draft_;
};

}  // namespace

graph::Draft grow_boost_odt(const data::Dataset& dataset, std::span<const double> weights,
                            const BoostOdtOptions& options) {
  return BoostOdt(dataset, options).grow(weights);
}

}  // namespace weaklearn::separators
