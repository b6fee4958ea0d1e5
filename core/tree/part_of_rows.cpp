#include "tree/part_of_rows.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

namespace weaklearn::tree {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

std::vector<double> rounded(std::span<const double> weights, const WeightUnit& unit) {
  std::vector<double> result;
  result.reserve(weights.size());
  for (const double weight : weights) result.push_back(unit.of_row(weight));
  return result;
}

}  // namespace

std::vector<std::uint32_t> leaves_below(const Routing& tree, std::uint32_t subtree) {
  std::vector<std::uint32_t> leaves;
  std::vector<std::uint32_t> waiting{subtree};
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.back();
    waiting.pop_back();
    if (tree.is_leaf(node)) leaves.push_back(node);
    for (std::uint32_t b = tree.n_children(node); b-- > 0;) waiting.push_back(tree.child(node, b));
  }
  return leaves;
}

PartOfRows::PartOfRows(const data::Dataset& dataset, std::span<const double> weights, WeightUnit unit)
    : dataset_(dataset), unit_(unit), weights_(rounded(weights, unit)) {
  if (weights.size() != dataset.n_rows) throw std::invalid_argument("one weight per row is needed");
  for (const data::Column& column : dataset.columns) n_cells_ += (std::size_t{column.n_codes} + 1) * dataset.n_classes;
}

void PartOfRows::check(const Routing& tree) const {
  std::vector<std::uint32_t> n_codes;
  for (const data::Column& column : dataset_.columns) n_codes.push_back(column.n_codes);
  tree.check(n_codes);
}

std::uint32_t PartOfRows::branch_of(const Routing& tree, std::uint32_t node, std::uint32_t row) const {
  const data::Column& column = dataset_.columns[tree.column(node)];
  return tree.branch_of(node, code_of(column, row), column.n_codes);
}

void PartOfRows::start() {
  rows_of_.assign(1, {});
  for (std::uint32_t row = 0; row < dataset_.n_rows; ++row)
    if (weights_[row] > 0.0) rows_of_[0].rows.push_back(row);
}

// Children have higher indices than their parents, so that one pass takes all rows to the leaves. Rows of nodes that
// are still leaves are not touched.
void PartOfRows::move_down(const Routing& tree) {
  if (rows_of_.size() < tree.size()) rows_of_.resize(tree.size());
  for (std::uint32_t node = 0; node < tree.size(); ++node)
    if (!tree.is_leaf(node) && !rows_of_[node].rows.empty()) move_to_children(tree, node);
}

void PartOfRows::move_to_children(const Routing& tree, std::uint32_t node) {
  const RowsOfNode here = std::exchange(rows_of_[node], {});
  const std::uint32_t n_children = tree.n_children(node);
  const data::Column& column = dataset_.columns[tree.column(node)];
  std::vector<std::uint8_t> has_weights(n_children, here.weights.empty() ? 0 : 1);
  const auto add = [&](std::uint32_t branch, std::uint32_t row, double weight) {
    RowsOfNode& child = rows_of_[tree.child(node, branch)];
    child.rows.push_back(row);
    if (has_weights[branch] != 0) child.weights.push_back(weight);
  };
  const auto share_out = [&](std::uint32_t row, double weight) {
    if (!tree.has_shares(node)) throw std::invalid_argument("a row has a missing value at a split without shares");
    for (std::uint32_t b = 0; b < n_children; ++b) {
      const double share = unit_.of_share(weight, tree.share(node, b));
      if (!(share > 0.0)) continue;
      if (has_weights[b] == 0) {  // the rows that are there have their own weights
        RowsOfNode& child = rows_of_[tree.child(node, b)];
        for (const std::uint32_t other : child.rows) child.weights.push_back(weights_[other]);
        has_weights[b] = 1;
      }
      add(b, row, share);
    }
  };
  std::visit(
      [&](const auto& codes) {
        for (std::size_t i = 0; i < here.rows.size(); ++i) {
          const std::uint32_t row = here.rows[i];
          const std::uint32_t branch = tree.branch_of(node, codes[row], column.n_codes);
          const double weight = weight_at(here, i);
          branch < n_children ? add(branch, row, weight) : share_out(row, weight);
        }
      },
      column.codes);
}

void PartOfRows::add_to_tables(const RowsOfNode& here, std::span<double> cells) const {
  // What all columns need of a row lies side by side.
  std::vector<std::uint32_t> classes(here.rows.size());
  std::vector<double> weights(here.rows.size());
  for (std::size_t i = 0; i < here.rows.size(); ++i) {
    classes[i] = static_cast<std::uint32_t>(dataset_.classes[here.rows[i]]);
    weights[i] = weight_at(here, i);
  }
  const std::size_t n_classes = dataset_.n_classes;
  for (const data::Column& column : dataset_.columns) {
    std::visit(
        [&](const auto& codes) {
          for (std::size_t i = 0; i < here.rows.size(); ++i)
            cells[codes[here.rows[i]] * n_classes + classes[i]] += weights[i];
        },
        column.codes);
    cells = cells.subspan((std::size_t{column.n_codes} + 1) * n_classes);
  }
}

std::vector<double> PartOfRows::tables(const Routing& tree, std::uint64_t name_of_tree,
                                       std::span<const std::uint32_t> nodes) {
  check(tree);
  const std::lock_guard lock(mutex_);
  if (!has_started_ || name_of_tree != name_of_tree_) start();
  has_started_ = true;
  name_of_tree_ = name_of_tree;
  move_down(tree);
  std::vector<double> cells(nodes.size() * n_cells_, 0.0);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    add_to_tables(rows_of_.at(nodes[i]), std::span(cells).subspan(i * n_cells_, n_cells_));
  return cells;
}

std::vector<double> PartOfRows::leaf_sums(const Routing& tree, std::span<const RowsAndSubtree> requests) const {
  check(tree);
  std::vector<std::uint32_t> request_of(tree.size(), none);
  // A leaf can be below several requests, so it has a place per request.
  std::vector<std::vector<std::pair<std::uint32_t, std::size_t>>> place_of(requests.size());
  std::vector<std::uint8_t> leads_on(tree.size(), 0);  // per node: whether it or a node below it is in a request
  std::size_t n_leaves = 0;
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    request_of.at(requests[i].node) = i;
    leads_on[requests[i].node] = 1;
    if (requests[i].subtree >= tree.size()) throw std::invalid_argument("a subtree is not in the tree");
    for (const std::uint32_t leaf : leaves_below(tree, requests[i].subtree)) place_of[i].emplace_back(leaf, n_leaves++);
    std::ranges::sort(place_of[i]);
  }
  for (auto node = static_cast<std::uint32_t>(tree.size()); node-- > 0;)
    for (std::uint32_t b = 0; b < tree.n_children(node); ++b) leads_on[node] |= leads_on[tree.child(node, b)];
  std::vector<double> sums(n_leaves * dataset_.n_classes, 0.0);
  const auto next = [&](std::uint32_t node, std::uint32_t row) {
    const std::uint32_t branch = branch_of(tree, node, row);
    if (branch == tree.n_children(node)) throw std::invalid_argument("a row has a missing value at a split");
    return tree.child(node, branch);
  };
  for (std::uint32_t row = 0; row < dataset_.n_rows; ++row) {
    if (!(weights_[row] > 0.0)) continue;
    for (std::uint32_t node = 0; leads_on[node] != 0; node = next(node, row)) {
      if (const std::uint32_t i = request_of[node]; i != none) {
        std::uint32_t at = requests[i].subtree;
        while (!tree.is_leaf(at)) at = next(at, row);
        const auto found = std::ranges::lower_bound(place_of[i], std::pair<std::uint32_t, std::size_t>(at, 0));
        sums[found->second * dataset_.n_classes + static_cast<std::size_t>(dataset_.classes[row])] += weights_[row];
      }
      if (tree.is_leaf(node)) break;
    }
  }
  return sums;
}

}  // namespace weaklearn::tree
