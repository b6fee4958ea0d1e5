// A graph while it is grown: growers add nodes, pruners replace them, and flatten_draft.hpp makes a Graph of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <initializer_list>
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

// The children of a node: indices of nodes in its draft, one per branch. Two of them, which is what most splits have,
// take no memory beside the node.
class Children {
 public:
  Children() = default;
  Children(std::initializer_list<std::uint32_t> children) : Children(std::span(children.begin(), children.size())) {}
  explicit Children(std::span<const std::uint32_t> children) : size_(static_cast<std::uint32_t>(children.size())) {
    if (size_ > most_inside) places_.outside = new std::uint32_t[size_];
    std::ranges::copy(children, data());
  }
  Children(const Children& other) : Children(std::span<const std::uint32_t>(other)) {}
  Children(Children&& other) noexcept : places_(other.places_), size_(std::exchange(other.size_, 0)) {}
  Children& operator=(Children other) noexcept {
    std::swap(places_, other.places_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Children() {
    if (size_ > most_inside) delete[] places_.outside;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::uint32_t* begin() const { return data(); }
  const std::uint32_t* end() const { return data() + size_; }
  std::uint32_t* begin() { return data(); }
  std::uint32_t* end() { return data() + size_; }
  std::uint32_t front() const { return *data(); }
  std::uint32_t operator[](std::size_t branch) const { return data()[branch]; }

  void pop_back() {
    if (size_ == most_inside + 1)
      *this = Children(std::span<const std::uint32_t>(begin(), most_inside));
    else
      --size_;
  }
  void clear() { *this = Children(); }

 private:
  static constexpr std::size_t most_inside = 2;

  const std::uint32_t* data() const { return size_ > most_inside ? places_.outside : places_.inside; }
  std::uint32_t* data() { return size_ > most_inside ? places_.outside : places_.inside; }

  union {
    std::uint32_t inside[most_inside];
    std::uint32_t* outside;
  } places_ = {};
  std::uint32_t size_ = 0;
};

struct Draft {
  // A tree has many nodes while it grows, so a node has just what growing needs. What it shares with a node of a graph
  // is described there.
  struct Node {
    SplitKind split = SplitKind::leaf;
    std::int32_t column = -1;
    double threshold = 0.0;
    double weight = 0.0;
    double errors = 0.0;
    std::int32_t label = 0;
    std::uint32_t cut = 0;  // threshold: the greatest code of the training data in the first branch
    Children children;
    // The branch of a missing value. -1: a row with a missing value goes down every branch with a share of its weight.
    std::int32_t missing_branch = -1;
    RareVector<std::int32_t> value_branch;  // subset only: branch of each declared value, or -1
    RareVector<DraftTerm> terms;  // oblique only
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
