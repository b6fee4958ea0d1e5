#include "explain/block_values.hpp"

#include <algorithm>
#include <cmath>

#include "graph/shrink_shares.hpp"

namespace weaklearn::explain {
namespace {

using graph::Graph;
using graph::SplitKind;

constexpr std::size_t most_table_numbers = std::size_t{1} << 23;  // 64 MB

// Returns a / b, or 0 where b is 0: a product that is 0 stays 0.
double ratio(double a, double b) { return b > 0.0 ? a / b : 0.0; }

// Returns the branch of a split that a value takes, or -1 if the value has none.
std::int64_t branch_of(const Graph& graph, const graph::Node& node, double bound, double value) {
  if (node.split == SplitKind::threshold) return value > bound;
  const auto code = static_cast<std::uint32_t>(value);
  return node.split == SplitKind::multiway ? std::int64_t{code} : graph.value_branch[node.first_value + code];
}

// Sets o and z of an edge by itself.
void test_general(const BlockTree& tree, const Edge& edge, const RowNumbers& value, RowNumbers& hot, RowNumbers& cold) {
  const Graph& graph = tree.paths.graph;
  const std::int64_t missing = graph.missing_branch.empty() ? -1 : graph.missing_branch[edge.split];
  for (std::uint32_t i = 0; i < rows_per_block; ++i) {
    const bool is_missing = std::isnan(value[i]);
    std::int64_t taken = is_missing ? -1 : branch_of(graph, graph.nodes[edge.split], tree.bounds[edge.split], value[i]);
    if (taken < 0) taken = missing;
    hot[i] = taken < 0 ? edge.share : static_cast<double>(taken == edge.branch);
    cold[i] = is_missing ? hot[i] : edge.share;
  }
}

// Sets o of an edge by itself where every value is known and has a branch.
WEAKLEARN_INLINE void test_known(const BlockTree& tree, const Edge& edge, const RowNumbers& value, RowNumbers& hot) {
  const graph::Node& node = tree.paths.graph.nodes[edge.split];
  if (node.split == SplitKind::threshold) {
    const bool is_above = edge.branch == 1;
    choose(value, tree.bounds[edge.split], is_above ? 1.0 : 0.0, is_above ? 0.0 : 1.0, hot);
    return;
  }
  for (std::uint32_t i = 0; i < rows_per_block; ++i)
    hot[i] = branch_of(tree.paths.graph, node, 0.0, value[i]) == edge.branch ? 1.0 : 0.0;
}

// Multiplies the product of the level above by the factor of a column that the path has not tested before.
WEAKLEARN_INLINE void extend_first(const Quadrature& quadrature, const RowNumbers* above, const RowNumbers& hot,
                                   const RowNumbers& cold, RowNumbers* product) {
  for (std::size_t q = 0; q < quadrature.t.size(); ++q) {
    RowNumbers factor;
    combine(quadrature.t[q], hot, quadrature.rest[q], cold, factor);
    multiply(above[q], factor, product[q]);
  }
}

// Replaces the factor of a column in the product of the level above by that of the new edge.
WEAKLEARN_INLINE void extend_general(const Quadrature& quadrature, const RowNumbers* above, const RowNumbers& hot,
                                     const RowNumbers& cold, const RowNumbers& hot_before,
                                     const RowNumbers& cold_before, RowNumbers* product) {
  for (std::size_t q = 0; q < quadrature.t.size(); ++q) {
    RowNumbers factor;
    RowNumbers before;
    combine(quadrature.t[q], hot, quadrature.rest[q], cold, factor);
    combine(quadrature.t[q], hot_before, quadrature.rest[q], cold_before, before);
    divide(factor, before, factor);
    multiply(above[q], factor, product[q]);
  }
}

WEAKLEARN_INLINE void extend_by_table(std::size_t size, const double* table, const RowNumbers* above,
                                      const RowNumbers& hot, const RowNumbers& hot_before, RowNumbers* product) {
  for (std::size_t q = 0; q < size; ++q) {
    RowNumbers factor;
    choose(hot, 0.0, table[q], table[size + q], factor);
    keep_above(hot_before, 0.0, table[2 * size + q], factor);
    multiply(above[q], factor, product[q]);
  }
}

}  // namespace

BlockTree::BlockTree(const Graph& graph, double vote) : paths(graph), quadrature((paths.most_features + 1) / 2) {
  const std::size_t size = quadrature.t.size();
  for (std::size_t q = 0; q < size; ++q) cold_weight.push_back(quadrature.weight[q] / quadrature.rest[q]);
  bounds.resize(graph.nodes.size());
  may_lack.assign(paths.columns.size(), false);
  std::vector<std::uint32_t> feature_of(graph.columns.size(), 0);
  for (std::uint32_t f = 0; f < paths.columns.size(); ++f) feature_of[paths.columns[f]] = f;
  const std::vector<double> shares = graph::predicted_shares(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    first_share.push_back(static_cast<std::uint32_t>(leaf_shares.size()));
    if (node.split == SplitKind::leaf) {
      for (std::uint32_t k = 0; k < graph.n_classes; ++k)
        if (const double share = vote * shares[i * graph.n_classes + k]; share != 0.0)
          leaf_shares.push_back({k, share});
      continue;
    }
    const graph::ColumnType& column = graph.columns[static_cast<std::size_t>(node.column)];
    bounds[i] = column.single_precision ? static_cast<double>(static_cast<float>(node.threshold)) : node.threshold;
    if (node.split == SplitKind::subset) {
      const auto first = graph.value_branch.begin() + node.first_value;
      if (std::any_of(first, first + column.n_values, [](std::int32_t branch) { return branch < 0; }))
        may_lack[feature_of[static_cast<std::size_t>(node.column)]] = true;
    }
  }
  first_share.push_back(static_cast<std::uint32_t>(leaf_shares.size()));

  if (paths.edges.size() * size * 4 > most_table_numbers) return;
  std::vector<const Edge*> path(paths.depth + 1, nullptr);
  for (const Edge& edge : paths.edges) {
    path[edge.level] = &edge;
    tables.first.push_back(tables.numbers.size());
    const auto factor = [&](std::size_t q, double hot, double z) {
      return quadrature.t[q] * hot + quadrature.rest[q] * z;
    };
    for (std::size_t q = 0; q < size; ++q) tables.numbers.push_back(quadrature.weight[q] / factor(q, 1.0, edge.z));
    if (edge.previous < 0) continue;
    const double z = path[static_cast<std::size_t>(edge.previous)]->z;
    for (const auto& [before, after] : {std::pair{1.0, 1.0}, {1.0, 0.0}, {0.0, 0.0}})
      for (std::size_t q = 0; q < size; ++q)
        tables.numbers.push_back(ratio(factor(q, after, edge.z), factor(q, before, z)));
  }
}

void BlockMemory::prepare(const BlockTree& tree, std::uint32_t n_classes) {
  const std::size_t n_features = tree.paths.columns.size();
  const std::size_t n_levels = tree.paths.depth + 1;
  rows.resize(n_features);
  values.assign(n_features * n_classes, RowNumbers{});
  base.assign(n_classes, RowNumbers{});
  product.resize(n_levels * tree.quadrature.t.size());
  hot.resize(n_levels);
  cold.resize(n_levels);
  empty.resize(n_levels);
  path.resize(n_levels);
  is_general.assign(n_features, 0);
  for (std::size_t q = 0; q < tree.quadrature.t.size(); ++q) fill(1.0, product[q]);
  fill(1.0, empty[0]);
}

namespace {

// Adds the values that the features of a path gain at its leaf.
WEAKLEARN_INLINE void add_leaf(const BlockTree& tree, BlockMemory& memory, const Edge& leaf, std::size_t n_classes) {
  const Quadrature& quadrature = tree.quadrature;
  const std::size_t size = quadrature.t.size();
  const RowNumbers* const product = memory.product.data() + leaf.level * size;
  const BlockTree::ClassShare* const first = tree.leaf_shares.data() + tree.first_share[leaf.node];
  const BlockTree::ClassShare* const end = tree.leaf_shares.data() + tree.first_share[leaf.node + 1];
  for (const BlockTree::ClassShare* share = first; share != end; ++share)
    add(share->share, memory.empty[leaf.level], memory.base[share->class_index]);
  // The factor of a cold feature is (1 - t) z, so that all cold features lose the same.
  RowNumbers loss{};
  for (std::size_t q = 0; q < size; ++q) add(tree.cold_weight[q], product[q], loss);
  const std::uint32_t* const last = tree.paths.last.data() + leaf.first_last;
  for (std::uint32_t l = 0; l < leaf.n_last; ++l) {
    const std::uint32_t level = last[l];
    const std::uint32_t e = memory.path[level];
    const Edge& edge = tree.paths.edges[e];
    const RowNumbers& hot = memory.hot[level];
    const RowNumbers& cold = memory.cold[level];
    RowNumbers integral{};
    if (memory.is_general[edge.feature] == 0) {
      const double* const table = tree.tables.numbers.data() + tree.tables.first[e];
      for (std::size_t q = 0; q < size; ++q) add(table[q], product[q], integral);
    } else {
      for (std::size_t q = 0; q < size; ++q) {
        RowNumbers weight;
        RowNumbers factor;
        fill(quadrature.weight[q], weight);
        combine(quadrature.t[q], hot, quadrature.rest[q], cold, factor);
        divide(weight, factor, weight);
        add(weight, product[q], integral);
      }
    }
    RowNumbers gain;
    gain_of(hot, cold, integral, loss, gain);
    RowNumbers* const of_feature = memory.values.data() + edge.feature * n_classes;
    for (const BlockTree::ClassShare* share = first; share != end; ++share)
      add(share->share, gain, of_feature[share->class_index]);
  }
}

}  // namespace

WEAKLEARN_WIDE void explain_block(const BlockTree& tree, BlockMemory& memory) {
  const Quadrature& quadrature = tree.quadrature;
  const std::size_t size = quadrature.t.size();
  const std::size_t n_classes = tree.paths.graph.n_classes;
  const bool has_tables = !tree.tables.first.empty();
  for (std::size_t f = 0; f < tree.paths.columns.size(); ++f) {
    bool is_general = tree.may_lack[f] || !has_tables;
    for (std::uint32_t i = 0; i < rows_per_block; ++i) is_general = is_general || std::isnan(memory.rows[f][i]);
    memory.is_general[f] = is_general;
  }
  for (std::uint32_t e = 0; e < tree.paths.edges.size(); ++e) {
    const Edge& edge = tree.paths.edges[e];
    const bool is_general = memory.is_general[edge.feature] != 0;
    RowNumbers& hot = memory.hot[edge.level];
    RowNumbers& cold = memory.cold[edge.level];
    const RowNumbers* const above = memory.product.data() + (edge.level - 1) * size;
    RowNumbers* const product = memory.product.data() + edge.level * size;
    memory.path[edge.level] = e;
    if (is_general) {
      test_general(tree, edge, memory.rows[edge.feature], hot, cold);
    } else {
      test_known(tree, edge, memory.rows[edge.feature], hot);
      fill(edge.share, cold);
    }
    multiply(memory.empty[edge.level - 1], cold, memory.empty[edge.level]);
    if (edge.previous < 0) {
      extend_first(quadrature, above, hot, cold, product);
    } else {
      const RowNumbers& hot_before = memory.hot[static_cast<std::size_t>(edge.previous)];
      const RowNumbers& cold_before = memory.cold[static_cast<std::size_t>(edge.previous)];
      multiply(hot, hot_before, hot);
      multiply(cold, cold_before, cold);
      if (is_general)
        extend_general(quadrature, above, hot, cold, hot_before, cold_before, product);
      else
        extend_by_table(size, tree.tables.numbers.data() + tree.tables.first[e] + size, above, hot, hot_before,
                        product);
    }
    if (edge.n_last > 0) add_leaf(tree, memory, edge, n_classes);
  }
}

}  // namespace weaklearn::explain
