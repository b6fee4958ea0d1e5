#include "rules/collect_paths.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "criteria/tolerance.hpp"

namespace weaklearn::rules {
namespace {

// A node whose branches are being visited.
struct Open {
  std::uint32_t node = 0;
  std::uint32_t next_branch = 0;
};

bool is_before(const Condition& x, const Condition& y) {
  return x.column < y.column || sort_class(x.kind) < sort_class(y.kind) ||
         (x.column == y.column && x.threshold < y.threshold);
}

double effective_rows(const graph::Graph& tree, const graph::Node& node, std::span<const double> factors) {
  if (factors.empty()) return node.weight;
  // A leaf without rows has the class weights of another node, so only their shares are used.
  double sum = 0.0;
  double squares = 0.0;
  for (std::uint32_t k = node.first_class; k < node.first_class + node.n_classes; ++k) {
    sum += tree.class_weight[k];
    squares += tree.class_weight[k] * factors[static_cast<std::size_t>(tree.class_index[k])];
  }
  return squares > 0.0 ? node.weight * (sum / squares) : 0.0;
}

void collect_from(const graph::Graph& tree, bool exactly, std::span<const double> factors, std::vector<Path>& paths) {
  std::vector<PathStep> steps;
  std::vector<Open> stack{{0, 0}};
  while (!stack.empty()) {
    Open& top = stack.back();
    const graph::Node& node = tree.nodes[top.node];
    if (top.next_branch < node.n_branches) {
      steps.push_back({top.node, top.next_branch});
      const std::uint32_t child = tree.children_of(top.node)[top.next_branch++];
      stack.push_back({child, 0});
      continue;
    }
    if (node.n_branches == 0) {
      const double n = effective_rows(tree, node, factors);
      if (exactly ? static_cast<float>(n) >= 1.0F : criteria::at_least(n, 1.0))
        paths.push_back({&tree, steps, node.label});
    }
    if (paths.size() > most_paths)
      throw std::invalid_argument("there are more than " + std::to_string(most_paths) + " paths to make rules of");
    stack.pop_back();
    if (!steps.empty()) steps.pop_back();
  }
}

}  // namespace

std::vector<Path> collect_paths(std::span<const graph::Graph* const> trees, bool exactly,
                                std::span<const double> factors) {
  std::vector<Path> paths;
  for (const graph::Graph* tree : trees) collect_from(*tree, exactly, factors, paths);
  return paths;
}

Condition condition_of(const graph::Graph& tree, PathStep step) {
  const graph::Node& node = tree.nodes[step.node];
  Condition condition{.column = static_cast<std::uint32_t>(node.column), .threshold = 0.0, .values = {}};
  if (node.split == graph::SplitKind::threshold) {
    condition.kind = step.branch == 0 ? ConditionKind::at_most : ConditionKind::above;
    condition.threshold = node.threshold;
  } else if (node.split == graph::SplitKind::multiway) {
    condition.values = {step.branch};
  } else {
    condition.kind = ConditionKind::one_of;
    const std::uint32_t n_values = tree.columns[condition.column].n_values;
    for (std::uint32_t value = 0; value < n_values; ++value)
      if (tree.value_branch[node.first_value + value] == static_cast<std::int32_t>(step.branch))
        condition.values.push_back(value);
  }
  return condition;
}

int sort_class(ConditionKind kind) {
  if (kind == ConditionKind::equals) return 1;
  return kind == ConditionKind::one_of ? 3 : 2;
}

std::vector<std::uint32_t> sorted_positions(const std::vector<Condition>& conditions, const std::vector<bool>& kept) {
  std::vector<std::uint32_t> order(conditions.size());
  std::iota(order.begin(), order.end(), 0);
  const auto n_kept = static_cast<std::size_t>(std::ranges::count(kept, true));
  for (std::size_t d = 0; d < n_kept; ++d) {
    std::size_t pick = order.size();
    for (std::size_t i = d; i < order.size(); ++i)
      if (kept[order[i]] && (pick == order.size() || is_before(conditions[order[i]], conditions[order[pick]])))
        pick = i;
    std::swap(order[d], order[pick]);
  }
  order.resize(n_kept);
  return order;
}

}  // namespace weaklearn::rules
