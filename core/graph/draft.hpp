// A graph while it is grown: growers add nodes, pruners replace them, and flatten_draft.hpp makes a Graph of it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "graph/graph.hpp"

namespace weaklearn::graph {

// A term of an oblique split with its numbers. The range of a term in a graph is set by flatten().
struct DraftTerm : Term {
  std::vector<double> numbers;
};

// A vector of a node that most nodes leave empty. It takes 8 bytes then: a tree has many nodes while it grows.
template <class T>
class RareVector {
 public:
  RareVector() = default;
  RareVector(std::vector<T> values) { *this = std::move(values); }
  RareVector(const RareVector& other) : RareVector(other.get()) {}
  RareVector(RareVector&&) = default;
  RareVector& operator=(const RareVector& other) { return *this = other.get(); }
  RareVector& operator=(RareVector&&) = default;
  RareVector& operator=(std::vector<T> values) {
    values_ = values.empty() ? nullptr : std::make_unique<std::vector<T>>(std::move(values));
    return *this;
  }

  const std::vector<T>& get() const {
    static const std::vector<T> nothing;
    return values_ == nullptr ? nothing : *values_;
  }
  operator const std::vector<T>&() const { return get(); }
  std::size_t size() const { return get().size(); }
  auto begin() const { return get().begin(); }
  auto end() const { return get().end(); }
  const T& operator[](std::size_t i) const { return (*values_)[i]; }
  T& operator[](std::size_t i) { return (*values_)[i]; }
  void clear() { values_.reset(); }

 private:
  std::unique_ptr<std::vector<T>> values_;
};

struct Draft {
  // The ranges of a node in a graph (first_branch and so on) are set by flatten().
  struct Node : graph::Node {
    std::uint32_t cut = 0;  // threshold: the greatest code of the training data in the first branch
    // The branch of a missing value. -1: a row with a missing value goes down every branch with a share of its weight.
    std::int32_t missing_branch = -1;
    RareVector<std::int32_t> value_branch;  // subset only: branch of each declared value, or -1
    RareVector<DraftTerm> terms;  // oblique only
    std::vector<std::uint32_t> children;  // indices of nodes in this draft, one per branch
    RareVector<double> branch_weights;  // programs only: the weight that takes each branch

    // Returns the branch of a missing value, or the number of branches if it goes down all of them.
    std::uint32_t branch_of_missing() const {
      return static_cast<std::uint32_t>(missing_branch < 0 ? children.size()
                                                           : static_cast<std::size_t>(missing_branch));
    }

    // Returns the branch that a code of the node's column takes. A value that did not occur where the subsets were
    // formed counts as missing.
    std::uint32_t branch_of(std::uint32_t code, std::uint32_t n_codes) const {
      if (code == n_codes) return branch_of_missing();
      if (split == SplitKind::threshold) return code > cut;
      if (split != SplitKind::subset) return code;
      return value_branch[code] < 0 ? branch_of_missing() : static_cast<std::uint32_t>(value_branch[code]);
    }

    void become_leaf() {
      split = SplitKind::leaf;
      column = -1;
      missing_branch = -1;
      value_branch.clear();
      terms.clear();
      children.clear();
      branch_weights.clear();
    }
  };

  explicit Draft(std::uint32_t classes) : n_classes(classes) {}

  std::uint32_t n_classes;
  // flatten() leaves out the nodes that the root does not reach. A vector would move all nodes to twice the memory as
  // it grows.
  std::deque<Node> nodes;
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

  // Fills in the weight, label and errors that a node has as a leaf, from its class weights.
  void describe_as_leaf(std::uint32_t index) {
    Node& node = nodes[index];
    const auto weights = weights_of(index);
    node.weight = 0.0;
    for (const double weight : weights) node.weight += weight;
    const std::size_t label = criteria::largest(weights);
    node.label = static_cast<std::int32_t>(label);
    node.errors = criteria::weight_of_others(weights, label);
  }
};

}  // namespace weaklearn::graph
