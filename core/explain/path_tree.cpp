#include "explain/path_tree.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace weaklearn::explain {
namespace {

using graph::Graph;
using graph::SplitKind;

double branch_weight(const Graph& graph, std::uint32_t branch) {
  return graph.branch_weights.empty() ? graph.nodes[graph.children[branch]].weight : graph.branch_weights[branch];
}

}  // namespace

double count_paths(const Graph& graph) {
  std::vector<double> n_paths(graph.nodes.size(), 0.0);
  n_paths[0] = 1.0;
  double total = 0.0;
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.is_leaf(i)) total += n_paths[i];
    for (const std::uint32_t child : graph.children_of(i)) n_paths[child] += n_paths[i];
  }
  return total;
}

std::vector<std::uint32_t> tested_columns(const graph::Graph& graph) {
  std::vector<bool> is_tested(graph.columns.size(), false);
  for (const graph::Node& node : graph.nodes) {
    if (node.split != SplitKind::leaf && node.column >= 0) is_tested[static_cast<std::size_t>(node.column)] = true;
    for (std::uint32_t t = node.first_term; node.split == SplitKind::oblique && t < node.first_term + node.n_terms; ++t)
      is_tested[static_cast<std::size_t>(graph.terms[t].column)] = true;
  }
  std::vector<std::uint32_t> columns;
  for (std::uint32_t c = 0; c < is_tested.size(); ++c)
    if (is_tested[c]) columns.push_back(c);
  return columns;
}

std::vector<double> branch_shares(const Graph& graph) {
  std::vector<double> shares(graph.children.size(), 0.0);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    if (node.split == SplitKind::leaf) continue;
    double total = 0.0;
    for (std::uint32_t b = 0; b < node.n_branches; ++b) total += branch_weight(graph, node.first_branch + b);
    if (!(total > 0.0 && total <= std::numeric_limits<double>::max()))
      throw std::invalid_argument("node " + std::to_string(i) + ": the weights of its branches sum to " +
                                  std::to_string(total) +
                                  ", expected a finite number above 0, since rows are distributed by them");
    for (std::uint32_t b = 0; b < node.n_branches; ++b)
      shares[node.first_branch + b] = branch_weight(graph, node.first_branch + b) / total;
  }
  return shares;
}

PathTree::PathTree(const Graph& of) : graph(of) {
  const std::vector<double> shares = branch_shares(graph);
  std::vector<std::uint32_t> feature_of(graph.columns.size(), 0);
  std::vector<bool> seen(graph.columns.size(), false);
  for (const graph::Node& node : graph.nodes) {
    is_oblique = is_oblique || node.split == SplitKind::oblique;
    if (node.column < 0 || node.split == SplitKind::leaf || seen[static_cast<std::size_t>(node.column)]) continue;
    seen[static_cast<std::size_t>(node.column)] = true;
    feature_of[static_cast<std::size_t>(node.column)] = static_cast<std::uint32_t>(columns.size());
    columns.push_back(static_cast<std::uint32_t>(node.column));
  }

  struct Waiting {
    std::uint32_t split, branch, level;
  };
  std::vector<Waiting> waiting;
  std::vector<std::uint32_t> path(1, 0);  // the edge at each level; level 0 is the root
  const auto visit = [&](std::uint32_t node, std::uint32_t level) {
    for (std::uint32_t b = graph.nodes[node].n_branches; b-- > 0;) waiting.push_back({node, b, level + 1});
  };
  visit(0, 0);
  while (!waiting.empty()) {
    const Waiting next = waiting.back();
    waiting.pop_back();
    const graph::Node& split = graph.nodes[next.split];
    Edge edge;
    edge.level = next.level;
    edge.split = next.split;
    edge.branch = next.branch;
    edge.node = graph.children[split.first_branch + next.branch];
    edge.z = edge.share = shares[split.first_branch + next.branch];
    path.resize(next.level);
    if (split.split != SplitKind::oblique) {
      edge.feature = feature_of[static_cast<std::size_t>(split.column)];
      for (std::uint32_t level = next.level - 1; level > 0 && edge.previous < 0; --level)
        if (graph.nodes[edges[path[level]].split].column == split.column)
          edge.previous = static_cast<std::int32_t>(level);
      if (edge.previous >= 0) edge.z = edges[path[static_cast<std::size_t>(edge.previous)]].z * edge.share;
    }
    path.push_back(static_cast<std::uint32_t>(edges.size()));
    edges.push_back(edge);
    depth = std::max(depth, edge.level);
    if (!graph.is_leaf(edge.node)) {
      visit(edge.node, edge.level);
      continue;
    }
    if (is_oblique) continue;
    Edge& leaf = edges.back();
    leaf.first_last = static_cast<std::uint32_t>(last.size());
    std::vector<bool> is_repeated(path.size(), false);
    for (std::uint32_t level = edge.level; level > 0; --level) {
      if (!is_repeated[level]) last.push_back(level);
      if (const std::int32_t previous = edges[path[level]].previous; previous >= 0)
        is_repeated[static_cast<std::size_t>(previous)] = true;
    }
    leaf.n_last = static_cast<std::uint32_t>(last.size()) - leaf.first_last;
    most_features = std::max(most_features, leaf.n_last);
  }
}

}  // namespace weaklearn::explain
