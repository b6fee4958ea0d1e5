#include "release8/drop_impossible_values.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weaklearn::release8 {
namespace {

class ImpossibleValues {
 public:
  ImpossibleValues(const TrainingSet& set, graph::Draft& draft) : draft_(draft) {
    for (const Column& column : set.columns) possible_.emplace_back(column.n_values, true);
  }

  void visit(std::uint32_t index) {
    graph::Draft::Node& node = draft_.nodes[index];
    if (node.split != graph::SplitKind::subset) {
      for (const std::uint32_t branch : node.children) visit(branch);
      return;
    }
    std::vector<bool>& possible = possible_[static_cast<std::size_t>(node.column)];
    trim_last_branch(node, possible);
    std::vector<bool> before = possible;
    for (std::size_t branch = 0; branch < node.children.size(); ++branch) {
      for (std::size_t value = 0; value < possible.size(); ++value)
        possible[value] = node.value_branch[value] == static_cast<std::int32_t>(branch);
      visit(node.children[branch]);
    }
    possible = std::move(before);
  }

 private:
  // Only the last branch may have values that do not occur at the node, so the original checks only this branch.
  static void trim_last_branch(graph::Draft::Node& node, const std::vector<bool>& possible) {
    const auto last = static_cast<std::int32_t>(node.children.size()) - 1;
    for (std::size_t value = 0; value < possible.size(); ++value)
      if (node.value_branch[value] == last && !possible[value]) node.value_branch[value] = -1;
    if (std::ranges::find(node.value_branch, last) == node.value_branch.end()) node.children.pop_back();
  }

  graph::Draft& draft_;
  std::vector<std::vector<bool>> possible_;  // per column and value: whether it can reach the present node
};

}  // namespace

void drop_impossible_values(const TrainingSet& set, graph::Draft& draft) { ImpossibleValues(set, draft).visit(0); }

}  // namespace weaklearn::release8
