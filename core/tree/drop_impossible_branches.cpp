#include "tree/drop_impossible_branches.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace weaklearn::tree {

using graph::Draft;

void drop_impossible_branches(graph::Draft& draft, const data::Dataset& dataset) {
  // Per waiting node: the values that are still possible of each column that was split by subsets on the way.
  using Possible = std::vector<std::vector<bool>>;
  std::vector<std::pair<std::uint32_t, std::shared_ptr<const Possible>>> waiting;
  waiting.emplace_back(0, std::make_shared<const Possible>(dataset.columns.size()));
  while (!waiting.empty()) {
    const auto [index, possible] = std::move(waiting.back());
    waiting.pop_back();
    Draft::Node& node = draft.nodes[index];
    if (node.split != graph::SplitKind::subset) {
      for (const std::uint32_t branch : node.children) waiting.emplace_back(branch, possible);
      continue;
    }
    const auto column = static_cast<std::size_t>(node.column);
    const std::vector<bool>& values = (*possible)[column];
    const auto last = static_cast<std::int32_t>(node.children.size()) - 1;
    bool any_possible = node.missing_branch == last;
    for (std::size_t v = 0; v < node.value_branch.size(); ++v) {
      if (node.value_branch[v] != last) continue;
      if (values.empty() || values[v])
        any_possible = true;
      else
        node.value_branch[v] = -1;
    }
    if (!any_possible) node.children.pop_back();
    for (std::size_t b = 0; b < node.children.size(); ++b) {
      auto narrower = std::make_shared<Possible>(*possible);
      (*narrower)[column].assign(node.value_branch.size(), false);
      for (std::size_t v = 0; v < node.value_branch.size(); ++v)
        if (node.value_branch[v] == static_cast<std::int32_t>(b)) (*narrower)[column][v] = true;
      waiting.emplace_back(node.children[b], std::move(narrower));
    }
  }
}

}  // namespace weaklearn::tree
