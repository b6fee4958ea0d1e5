#include "separators/grow_boost_odt.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "data/present_rows.hpp"
#include "data/presorted_rows.hpp"
#include "separators/boosted_separator.hpp"
#include "separators/split_leaf.hpp"
#include "tree/collapse_subtrees.hpp"
#include "tree/grow_c45.hpp"
#include "tree/thread_team.hpp"

namespace weaklearn::separators {
namespace {

using graph::Draft;

// A leaf that may be split.
struct OpenLeaf {
  std::uint32_t node;
  std::uint32_t depth;
  data::PresortedRows rows;
  std::vector<double> weights;  // per row of the leaf
};

struct SeparatorSplit {
  Separator separator;
  std::vector<bool> second_side;  // per row of the leaf
};

// Puts more than two classes into two groups: each class goes to the side of the given split where most of its weight
// is. If there is no split, or one side gets no class, the largest class is a group of its own. Returns whether each
// class is in the second group.
std::vector<bool> second_group(const graph::Draft& one_split, std::span<const double> class_weights) {
  std::vector<bool> second(class_weights.size(), false);
  const auto& children = one_split.nodes[0].children;
  bool any_on_side[2] = {false, false};
  for (std::uint32_t k = 0; children.size() == 2 && k < second.size(); ++k) {
    if (class_weights[k] <= 0.0) continue;
    second[k] = criteria::more(one_split.weights_of(children[1])[k], one_split.weights_of(children[0])[k]);
    any_on_side[second[k]] = true;
  }
  if (any_on_side[0] && any_on_side[1]) return second;
  second.assign(class_weights.size(), false);
  second[criteria::largest(class_weights)] = true;
  return second;
}

class BoostOdt {
 public:
  BoostOdt(const data::Dataset& dataset, const BoostOdtOptions& options)
      : dataset_(dataset), options_(options), team_(options.n_threads), draft_(dataset.n_classes) {}

  Draft grow(std::span<const double> weights) {
    data::PresentRows present(dataset_, weights);
    const std::uint32_t root = add_leaf(draft_, dataset_, present.rows, present.weights);
    std::deque<OpenLeaf> open_leaves;
    data::PresortedRows rows = presort_rows(dataset_, std::move(present.rows), team_.pool);
    open_leaves.push_back({root, 0, std::move(rows), std::move(present.weights)});
    std::uint64_t n_splits = 0;
    for (; !open_leaves.empty() && n_splits < options_.max_splits; open_leaves.pop_front()) {
      const OpenLeaf& leaf = open_leaves.front();
      if (leaf.depth >= options_.max_depth) continue;
      std::optional<SeparatorSplit> separator_split = find_split(leaf);
      if (!separator_split) continue;
      ++n_splits;
      split(leaf, *separator_split, open_leaves);
    }
    tree::add_up_errors(draft_);
    return std::move(draft_);
  }

 private:
  // Returns nothing if there is only one class, or if the separator has all rows on one side.
  std::optional<SeparatorSplit> find_split(const OpenLeaf& leaf) {
    const std::vector<bool> second = second_group_of(leaf);
    if (std::ranges::find(second, true) == second.end()) return {};
    const std::span<const std::uint32_t> rows = leaf.rows.rows;
    SeparatorSplit separator_split;
    separator_split.second_side.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      separator_split.second_side[i] = second[static_cast<std::size_t>(dataset_.classes[rows[i]])];
    separator_split.separator =
        boost_stumps(dataset_, leaf.rows, leaf.weights, separator_split.second_side, options_.n_stumps, team_);
    const std::vector<double> sum = sums(dataset_, rows, separator_split.separator.terms);
    bool any_on_side[2] = {false, false};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      separator_split.second_side[i] = sum[i] > separator_split.separator.threshold;
      any_on_side[separator_split.second_side[i]] = true;
    }
    if (!any_on_side[0] || !any_on_side[1]) return {};
    return separator_split;
  }

  // Returns whether each class is in the second group. It is false for all classes if there is only one class.
  std::vector<bool> second_group_of(const OpenLeaf& leaf) {
    const auto class_weights = draft_.weights_of(leaf.node);
    std::vector<std::uint32_t> present;
    for (std::uint32_t k = 0; k < class_weights.size(); ++k)
      if (class_weights[k] > 0.0) present.push_back(k);
    std::vector<bool> second(class_weights.size(), false);
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
    return second_group(tree::grow_c45(dataset_, weights, one_split), class_weights);
  }

  void split(const OpenLeaf& leaf, SeparatorSplit& separator_split, std::deque<OpenLeaf>& open_leaves) {
    split_leaf(draft_, leaf.node, std::move(separator_split.separator), dataset_, leaf.rows.rows, leaf.weights,
               separator_split.second_side);
    if (leaf.depth + 1 >= options_.max_depth) return;
    auto [first, second] = partition(dataset_, leaf.rows, separator_split.second_side, team_.pool);
    std::vector<double> weights[2];
    for (std::size_t i = 0; i < leaf.weights.size(); ++i)
      weights[separator_split.second_side[i]].push_back(leaf.weights[i]);
    const std::uint32_t depth = leaf.depth + 1;
    const auto children = draft_.nodes[leaf.node].children;
    open_leaves.push_back({children[0], depth, std::move(first), std::move(weights[0])});
    open_leaves.push_back({children[1], depth, std::move(second), std::move(weights[1])});
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
