// A graph in the making: growers add nodes, pruners replace them. flatten() lays out what is left of a tree
// in pre-order, the order in which C4.5 prints and stores it; flatten_levels() keeps the order of a program.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace weaklearn::graph {

// A term of an oblique test with its numbers; see graph.hpp.
struct DraftTerm {
  std::int32_t attribute = -1;
  Form form = Form::linear;
  double unknown = 0.0;
  double influence = 0.0;
  std::vector<double> numbers;
};

struct Draft {
  struct Node {
    Test test = Test::leaf;
    std::int32_t attribute = -1;
    std::int32_t label = 0;
    double threshold = 0.0;
    std::uint32_t cut = 0;  // threshold: the greatest code of the training data in the first branch
    double weight = 0.0;
    double errors = 0.0;
    std::vector<std::int32_t> value_branch;  // subset only: branch of each declared value, or -1
    std::vector<DraftTerm> terms;            // oblique only
    std::vector<std::uint32_t> branches;     // numbers of nodes in this draft
    std::vector<double> flow;                // programs only: the weight that takes each branch

    // Of a test of one attribute: the branch that a code of it takes; as many as there are where it is unknown, or a
    // value that a grouping did not see.
    std::uint32_t branch_of(std::uint32_t code, std::uint32_t n_codes) const {
      const auto n_branches = static_cast<std::uint32_t>(branches.size());
      if (code == n_codes) return n_branches;
      if (test == Test::threshold) return code > cut;
      if (test != Test::subset) return code;
      return value_branch[code] < 0 ? n_branches : static_cast<std::uint32_t>(value_branch[code]);
    }

    void become_leaf() {
      test = Test::leaf;
      attribute = -1;
      value_branch.clear();
      terms.clear();
      branches.clear();
      flow.clear();
    }
  };

  explicit Draft(std::uint32_t classes) : n_classes(classes) {}

  std::uint32_t n_classes;
  std::vector<Node> nodes;           // those that the root no longer reaches are simply left out at the end
  std::vector<double> distribution;  // n_classes weights per node

  std::uint32_t add() {
    nodes.emplace_back();
    distribution.resize(distribution.size() + n_classes, 0.0);
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  std::span<double> weights_of(std::uint32_t node) {
    return {distribution.data() + std::size_t{node} * n_classes, n_classes};
  }
  std::span<const double> weights_of(std::uint32_t node) const {
    return {distribution.data() + std::size_t{node} * n_classes, n_classes};
  }
};

// Gives the tests of a program the errors of their branches' ends: of each the part that the flow is of it.
void share_errors(Draft& draft);

Graph flatten(const Draft& draft, std::vector<Attribute> attributes, std::uint32_t root = 0);

// Of a program, whose branches lead to nodes of higher numbers and have their flow; node 0 is the root.
Graph flatten_levels(const Draft& draft, std::vector<Attribute> attributes);

}  // namespace weaklearn::graph
