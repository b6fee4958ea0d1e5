#include "tree/prune_cost_complexity.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "criteria/tolerance.hpp"

namespace weaklearn::tree {
namespace {

using graph::Draft;

// A subtree after some of its nodes have been cut, that is, made leaves.
struct Subtree {
  double errors = 0.0;
  double held_out_errors = 0.0;
  std::uint32_t n_leaves = 1;
};

double errors_as_leaf(const Draft& draft, std::uint32_t node) {
  return criteria::weight_of_others(draft.weights_of(node), static_cast<std::size_t>(draft.nodes[node].label));
}

std::vector<Subtree> measure(const Draft& draft, std::span<const double> held_out_errors,
                             const std::vector<bool>& cut) {
  std::vector<Subtree> subtrees(draft.nodes.size());
  for (auto i = static_cast<std::uint32_t>(subtrees.size()); i-- > 0;) {
    if (draft.nodes[i].children.empty() || cut[i]) {
      subtrees[i] = {errors_as_leaf(draft, i), held_out_errors[i], 1};
      continue;
    }
    subtrees[i].n_leaves = 0;
    for (const std::uint32_t branch : draft.nodes[i].children) {
      subtrees[i].errors += subtrees[branch].errors;
      subtrees[i].held_out_errors += subtrees[branch].held_out_errors;
      subtrees[i].n_leaves += subtrees[branch].n_leaves;
    }
  }
  return subtrees;
}

// Cuts the weakest link, and all links that are equally weak. Returns whether there was any.
bool cut_weakest(const Draft& draft, const std::vector<Subtree>& subtrees, std::vector<bool>& cut) {
  std::vector<double> strength(draft.nodes.size(), std::numeric_limits<double>::infinity());
  std::vector<bool> reached(draft.nodes.size(), false);
  reached[0] = true;
  for (std::uint32_t i = 0; i < draft.nodes.size(); ++i) {
    if (!reached[i] || cut[i] || draft.nodes[i].children.empty()) continue;
    for (const std::uint32_t branch : draft.nodes[i].children) reached[branch] = true;
    if (i > 0) strength[i] = (errors_as_leaf(draft, i) - subtrees[i].errors) / (subtrees[i].n_leaves - 1.0);
  }
  const double least = std::ranges::min(strength);
  if (least == std::numeric_limits<double>::infinity()) return false;
  for (std::size_t i = 0; i < strength.size(); ++i)
    if (criteria::at_most(strength[i], least)) cut[i] = true;
  return true;
}

}  // namespace

void prune_cost_complexity(graph::Draft& draft, std::span<const double> held_out_errors) {
  std::vector<bool> cut(draft.nodes.size(), false);
  std::vector<bool> best = cut;
  std::vector<Subtree> subtrees = measure(draft, held_out_errors, cut);
  double fewest = subtrees[0].held_out_errors;
  while (subtrees[0].n_leaves > 2 && cut_weakest(draft, subtrees, cut)) {
    subtrees = measure(draft, held_out_errors, cut);
    if (criteria::more(subtrees[0].held_out_errors, fewest)) continue;
    fewest = subtrees[0].held_out_errors;
    best = cut;
  }
  for (std::size_t i = 0; i < best.size(); ++i)
    if (best[i]) draft.nodes[i].become_leaf();
}

}  // namespace weaklearn::tree
