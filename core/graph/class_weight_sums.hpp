// The numbers of a node that follow from other numbers of its graph: what a compact form leaves out.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace weaklearn::graph {

// The class weights of a split as the sums over its branches.
class ClassWeightSums {
 public:
  explicit ClassWeightSums(std::uint32_t n_classes) : sums_(n_classes, 0.0), present_(n_classes / 64 + 1, 0) {}

  // Adds up the class weights of the children of a node, in the order of its branches. Children that are empty leaves
  // are skipped: they have the class weights of the node itself. Then calls use(class index, sum) for each class of
  // the children, by ascending index.
  template <class IsEmptyLeaf, class Use>
  void add_up(const Graph& graph, std::uint32_t node, const IsEmptyLeaf& is_empty_leaf, const Use& use) {
    std::size_t first_word = present_.size() - 1, last_word = 0;
    std::uint64_t in_first = 0;  // the first word, which is the only one if there are few classes
    for (const std::uint32_t child : graph.children_of(node)) {
      if (is_empty_leaf(child)) continue;
      const Node& below = graph.nodes[child];
      const std::int32_t* const indices = graph.class_index.data() + below.first_class;
      const double* const weights = graph.class_weight.data() + below.first_class;
      for (std::uint32_t k = 0; k < below.n_classes; ++k) {
        const auto index = static_cast<std::size_t>(indices[k]);
        sums_[index] += weights[k];
        if (present_.size() == 1) {
          in_first |= std::uint64_t{1} << index;
          continue;
        }
        present_[index / 64] |= std::uint64_t{1} << (index % 64);
        first_word = std::min(first_word, index / 64);
        last_word = std::max(last_word, index / 64);
      }
    }
    if (present_.size() == 1) present_[0] = in_first;
    for (std::size_t word = first_word; word <= last_word; ++word) {
      for (std::uint64_t bits = std::exchange(present_[word], 0); bits != 0; bits &= bits - 1) {
        const std::size_t index = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        use(static_cast<std::int32_t>(index), std::exchange(sums_[index], 0.0));
      }
    }
  }

 private:
  std::vector<double> sums_;  // by class; zero between calls
  std::vector<std::uint64_t> present_;  // a bit per class; zero between calls
};

// The weight and the label of a node by its class weights: their sum, and the class with the largest of them, of equal
// ones the first.
struct WeightAndLabel {
  double weight = 0.0;
  std::int32_t label = 0;
  double largest = -1.0;

  void add(std::int32_t index, double class_weight) {
    weight += class_weight;
    // Which class is heavier cannot be predicted, so no jump depends on it.
    const std::int32_t mask = -static_cast<std::int32_t>(class_weight > largest);
    label = (index & mask) | (label & ~mask);
    largest = std::max(largest, class_weight);
  }
};

inline WeightAndLabel weight_and_label(const Graph& graph, const Node& node) {
  WeightAndLabel result;
  for (std::size_t k = node.first_class; k < std::size_t{node.first_class} + node.n_classes; ++k)
    result.add(graph.class_index[k], graph.class_weight[k]);
  return result;
}

inline double summed_errors(const Graph& graph, std::uint32_t node) {
  double sum = 0.0;
  for (const std::uint32_t child : graph.children_of(node)) sum += graph.nodes[child].errors;
  return sum;
}

}  // namespace weaklearn::graph
