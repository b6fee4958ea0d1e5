// Limits on the size of a tree, and cost-complexity pruning: against the same rules without any bookkeeping.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "criteria/gini.hpp"
#include "naive_impurity.hpp"
#include "random_table.hpp"
#include "tree/grow_c45.hpp"
#include "tree/limit_size.hpp"
#include "tree/prune_cost_complexity.hpp"

namespace weaklearn::tests {
namespace {

using graph::Draft;

Draft random_tree(Random& random) {
  Shape shape = random_shape(random);
  shape.n_rows += 60;
  const RandomTable table = random_table(random, shape);
  const tree::C45Options options{.search = {.min_objects = 1, .use_gain_ratio = false}, .collapse = false};
  return tree::grow_c45(table.dataset, random_weights(random, table.dataset.n_rows, Weighting::integer), options);
}

// Returns the nodes that can be reached, each before its children.
std::vector<std::uint32_t> reached(const Draft& draft, const std::vector<bool>& cut) {
  std::vector<std::uint32_t> nodes{0};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!cut[nodes[i]])
      for (const std::uint32_t child : draft.nodes[nodes[i]].children) nodes.push_back(child);
  return nodes;
}

// Returns the splits that can be reached.
std::vector<std::uint32_t> splits(const Draft& draft, const std::vector<bool>& cut) {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t node : reached(draft, cut))
    if (!cut[node] && !draft.nodes[node].children.empty()) result.push_back(node);
  return result;
}
std::vector<std::uint32_t> splits(const Draft& draft) {
  return splits(draft, std::vector<bool>(draft.nodes.size(), false));
}

double weighted_gini(const Draft& draft, std::uint32_t node) {
  const auto weights = draft.weights_of(node);
  if (!(draft.nodes[node].weight > 0.0)) return 0.0;
  return impurity(criteria::Gini{draft.n_classes}, {weights.begin(), weights.end()}) / draft.nodes[0].weight;
}

// Makes the split that lowers the impurity most, of all leaves so far, as long as there is room for its leaves.
std::vector<bool> cut_to(const Draft& draft, std::uint64_t max_leaves) {
  std::vector<bool> cut(draft.nodes.size(), true);
  std::vector<std::uint32_t> leaves{0};  // in the order in which they were made
  std::uint64_t n_leaves = 1;
  for (;;) {
    double most = -1.0;
    std::size_t best = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const graph::Children& children = draft.nodes[leaves[i]].children;
      if (children.empty()) continue;
      double decrease = weighted_gini(draft, leaves[i]);
      for (const std::uint32_t child : children) decrease -= weighted_gini(draft, child);
      if (decrease < most + 1e-11) continue;
      most = decrease;
      best = i;
    }
    if (most < 0.0) return cut;
    const std::uint32_t node = leaves[best];
    leaves.erase(leaves.begin() + static_cast<std::ptrdiff_t>(best));
    const graph::Children& children = draft.nodes[node].children;
    if (n_leaves + children.size() - 1 > max_leaves) continue;
    n_leaves += children.size() - 1;
    cut[node] = false;
    leaves.insert(leaves.end(), children.begin(), children.end());
  }
}

void the_best_splits_are_made_first() {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    Draft draft = random_tree(random);
    const std::uint64_t max_leaves = 1 + below(random, 25);
    const std::vector<std::uint32_t> expected = splits(draft, cut_to(draft, max_leaves));
    tree::limit_size(draft, {"gini", {}}, {.max_leaves = max_leaves});
    CHECK_EQUAL(splits(draft), expected);
  }
}

struct Sums {
  double errors = 0.0;
  double held_out_errors = 0.0;
  double n_leaves = 0.0;
};

double errors_as_leaf(const Draft& draft, std::uint32_t node) {
  const auto weights = draft.weights_of(node);
  double errors = -weights[static_cast<std::size_t>(draft.nodes[node].label)];
  for (const double weight : weights) errors += weight;
  return errors;
}

Sums sums_below(const Draft& draft, const std::vector<double>& held_out, const std::vector<bool>& cut,
                std::uint32_t node) {
  const graph::Children& children = draft.nodes[node].children;
  if (cut[node] || children.empty()) return {errors_as_leaf(draft, node), held_out[node], 1.0};
  Sums sums;
  for (const std::uint32_t child : children) {
    const Sums below = sums_below(draft, held_out, cut, child);
    sums.errors += below.errors;
    sums.held_out_errors += below.held_out_errors;
    sums.n_leaves += below.n_leaves;
  }
  return sums;
}

// Cuts the weakest links until only the root is split, and returns the best tree on the way.
std::vector<bool> cut_weakest_links(const Draft& draft, const std::vector<double>& held_out) {
  std::vector<bool> cut(draft.nodes.size(), false);
  std::vector<bool> best = cut;
  double fewest = sums_below(draft, held_out, cut, 0).held_out_errors;
  const auto strength = [&](std::uint32_t node) {
    const Sums below = sums_below(draft, held_out, cut, node);
    return (errors_as_leaf(draft, node) - below.errors) / (below.n_leaves - 1.0);
  };
  for (;;) {
    std::vector<std::uint32_t> links = splits(draft, cut);
    std::erase(links, 0U);
    if (links.empty()) return best;
    std::vector<double> strengths;
    for (const std::uint32_t link : links) strengths.push_back(strength(link));
    const double least = *std::ranges::min_element(strengths);
    for (std::size_t i = 0; i < links.size(); ++i)
      if (strengths[i] < least + 1e-6) cut[links[i]] = true;
    const double errors = sums_below(draft, held_out, cut, 0).held_out_errors;
    if (errors > fewest) continue;
    fewest = errors;
    best = cut;
  }
}

void the_tree_with_the_fewest_errors_is_kept() {
  Random random(2);
  std::size_t n_cut = 0;
  for (int round = 0; round < 600; ++round) {
    Draft draft = random_tree(random);
    std::vector<double> held_out(draft.nodes.size());
    for (auto i = static_cast<std::uint32_t>(held_out.size()); i-- > 0;) {
      double below_it = 0.0;
      for (const std::uint32_t child : draft.nodes[i].children) below_it += held_out[child];
      // A leaf may make fewer errors on these rows than the subtree in its place.
      held_out[i] = draft.nodes[i].children.empty() ? below(random, 4) : std::floor(below_it * (0.7 + uniform(random)));
    }
    const std::size_t before = splits(draft).size();
    const std::vector<std::uint32_t> expected = splits(draft, cut_weakest_links(draft, held_out));
    tree::prune_cost_complexity(draft, held_out);
    CHECK_EQUAL(splits(draft), expected);
    n_cut += expected.size() < before && expected.size() > 1;
  }
  CHECK(n_cut > 100);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  the_best_splits_are_made_first();
  the_tree_with_the_fewest_errors_is_kept();
  return report("size_limits");
}
