#include "graph/shrink_shares.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "criteria/tolerance.hpp"

namespace weaklearn::graph {
namespace {

double weight_of_class(const Graph& graph, const Node& node, std::int32_t label) {
  for (std::uint32_t k = node.first_class; k < node.first_class + node.n_classes; ++k)
    if (graph.class_index[k] == label) return graph.class_weight[k];
  return 0.0;
}

// Makes numbers sum to one that do so but for rounding. In a damaged file some may be negative.
void normalise(std::span<double> shares) {
  double total = 0.0;
  for (double& share : shares) total += share = std::max(share, 0.0);
  if (total > 0.0)
    for (double& share : shares) share /= total;
}

}  // namespace

std::vector<double> predicted_shares(const Graph& graph) {
  const std::size_t n_classes = graph.n_classes;
  const bool shrinks = !graph.shrinkage.empty();
  std::vector<double> own(graph.nodes.size() * n_classes, 0.0);
  const auto of = [&](std::vector<double>& shares, std::size_t node) {
    return std::span<double>(shares.data() + node * n_classes, n_classes);
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.weight > 0.0)
      for (std::uint32_t k = node.first_class; k < node.first_class + node.n_classes; ++k)
        of(own, i)[static_cast<std::size_t>(graph.class_index[k])] += graph.class_weight[k] / node.weight;
    else if (!shrinks || i == 0)
      of(own, i)[static_cast<std::size_t>(node.label)] = 1.0;
  }
  if (!shrinks) return own;

  std::vector<double> shrunk(own.begin(), own.end());
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const double weight = graph.nodes[i].weight;
    const double factor = weight > 0.0 ? 1.0 / (1.0 + graph.shrinkage[0] / weight) : 0.0;
    for (const std::uint32_t child : graph.children_of(i)) {
      if (graph.nodes[child].weight <= 0.0) std::ranges::copy(of(own, i), of(own, child).begin());
      for (std::size_t k = 0; k < n_classes; ++k)
        of(shrunk, child)[k] = of(shrunk, i)[k] + factor * (of(own, child)[k] - of(own, i)[k]);
    }
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) normalise(of(shrunk, i));
  return shrunk;
}

void shrink(Graph& graph, double lambda, bool relabel) {
  graph.shrinkage.assign(1, lambda);
  if (!relabel) return;
  const std::vector<double> shares = predicted_shares(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    if (node.split != SplitKind::leaf) continue;
    const std::span<const double> of_leaf(shares.data() + i * graph.n_classes, graph.n_classes);
    const auto label = static_cast<std::int32_t>(criteria::largest(of_leaf));
    if (node.weight > 0.0)
      node.errors += weight_of_class(graph, node, node.label) - weight_of_class(graph, node, label);
    node.label = label;
  }
}

}  // namespace weaklearn::graph
