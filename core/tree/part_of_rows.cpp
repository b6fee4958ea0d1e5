#include "tree/part_of_rows.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <unordered_map>
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
    : dataset_(dataset),
      unit_(unit),
      rows_of_keys_(dataset, unit),
      weights_(rounded(weights, unit)),
      all_weigh_one_(std::ranges::all_of(weights_, [](double weight) { return weight == 0.0 || weight == 1.0; })) {
  if (weights.size() != dataset.n_rows) throw std::invalid_argument("one weight per row is needed");
  for (const data::Column& column : dataset.columns) n_cells_ += (std::size_t{column.n_codes} + 1) * dataset.n_classes;
  n_cells_ += rows_of_keys_.n_cells();
}

// Returns the rows that take each branch of a node with two children, or nothing if there are others, or if a row may
// be shared out. No conditional jump depends on a row; it would often be predicted wrongly.
std::optional<PartOfRows::TwoLists> PartOfRows::split_in_two(const Routing& tree, std::uint32_t node,
                                                             std::span<const std::uint32_t> rows) const {
  if (tree.n_children(node) != 2) return std::nullopt;
  const data::Column& column = dataset_.columns[tree.column(node)];
  std::vector<std::uint8_t> branch_of(std::size_t{column.n_codes} + 1, 0);
  for (std::uint32_t code = 0; code < branch_of.size(); ++code) {
    if (code == column.n_codes && column.n_missing == 0) continue;
    const std::uint32_t branch = tree.branch_of(node, code, column.n_codes);
    if (branch > 1) return std::nullopt;
    branch_of[code] = static_cast<std::uint8_t>(branch);
  }
  TwoLists lists{std::vector<std::uint32_t>(rows.size()), std::vector<std::uint32_t>(rows.size())};
  auto& [first, second] = lists;
  std::size_t n_second = 0;
  std::visit(
      [&](const auto& codes) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
          first[i - n_second] = rows[i];
          second[n_second] = rows[i];
          n_second += branch_of[codes[rows[i]]];
        }
      },
      column.codes);
  first.resize(rows.size() - n_second);
  second.resize(n_second);
  return lists;
}

// Sorts rows by the branch that they take at a node, and returns the rows of each branch. None may be shared out.
// `scratch` has room for the rows. Pruning asks for most rows in every round, and new lists would take new pages.
std::vector<std::span<std::uint32_t>> PartOfRows::sort_by_branch(const Routing& tree, std::uint32_t node,
                                                                 std::span<std::uint32_t> rows,
                                                                 std::span<std::uint32_t> scratch) const {
  const data::Column& column = dataset_.columns[tree.column(node)];
  const std::uint32_t n_children = tree.n_children(node);
  std::vector<std::uint32_t> branch_of(std::size_t{column.n_codes} + 1);
  for (std::uint32_t code = 0; code < branch_of.size(); ++code)
    branch_of[code] = tree.branch_of(node, code, column.n_codes);
  const auto known = std::span(branch_of).first(column.n_codes);
  const auto is_first_or_second = [](std::uint32_t branch) { return branch < 2; };
  std::vector<std::size_t> ends(std::size_t{n_children} + 1, 0);
  std::visit(
      [&](const auto& codes) {
        if (n_children == 2 && column.n_missing == 0 && std::ranges::all_of(known, is_first_or_second)) {
          // One pass suffices, and no conditional jump depends on a row.
          std::size_t n_second = 0;
          for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::uint32_t row = rows[i];
            rows[i - n_second] = row;
            scratch[n_second] = row;
            n_second += branch_of[codes[row]];
          }
          ends = {rows.size() - n_second, rows.size()};
          std::ranges::copy(scratch.first(n_second), rows.last(n_second).begin());
          return;
        }
        for (const std::uint32_t row : rows) ++ends[branch_of[codes[row]]];
        if (ends[n_children] != 0) throw std::invalid_argument("a row has a missing value at a split");
        std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::size_t{0});
        for (const std::uint32_t row : rows) scratch[ends[branch_of[codes[row]]]++] = row;
        std::ranges::copy(scratch.first(rows.size()), rows.begin());
      },
      column.codes);
  std::vector<std::span<std::uint32_t>> groups;
  for (std::uint32_t b = 0; b < n_children; ++b) {
    const std::size_t start = b == 0 ? 0 : ends[b - 1];
    groups.push_back(rows.subspan(start, ends[b] - start));
  }
  return groups;
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

std::vector<std::uint32_t> PartOfRows::present_rows() const {
  std::vector<std::uint32_t> rows;
  rows.reserve(dataset_.n_rows);
  for (std::uint32_t row = 0; row < dataset_.n_rows; ++row)
    if (weights_[row] > 0.0) rows.push_back(row);
  return rows;
}

// Children have higher indices than their parents, so that one pass takes all rows to the leaves. Rows of nodes that
// are still leaves are not touched.
void PartOfRows::move_down(const Routing& tree) {
  if (rows_of_.size() < tree.size()) rows_of_.resize(tree.size());
  for (std::uint32_t node = 0; node < tree.size(); ++node)
    if (!tree.is_leaf(node) && !rows_of_[node].rows.empty()) move_to_children(tree, node);
}

void PartOfRows::move_to_children(const Routing& tree, std::uint32_t node) {
  RowsOfNode here = std::exchange(rows_of_[node], {});
  if (here.weights.empty()) {
    if (std::optional<TwoLists> lists = split_in_two(tree, node, here.rows)) {
      for (std::uint32_t b = 0; b < 2; ++b) rows_of_[tree.child(node, b)].rows = std::move((*lists)[b]);
      return;
    }
  }
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
  const bool counts = all_weigh_one_ && here.weights.empty();
  const std::size_t n_rows = here.rows.size();
  // What all columns need of a row lies side by side.
  std::vector<std::uint32_t> classes(n_rows);
  std::vector<double> weights(counts ? 0 : n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) classes[i] = static_cast<std::uint32_t>(dataset_.classes[here.rows[i]]);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weight_at(here, i);
  const std::size_t n_classes = dataset_.n_classes;
  std::vector<std::uint32_t> n_rows_of;  // by code and class
  for (const data::Column& column : dataset_.columns) {
    const std::size_t n_cells = (std::size_t{column.n_codes} + 1) * n_classes;
    std::visit(
        [&](const auto& codes) {
          const auto cell_of = [&](std::size_t i) { return codes[here.rows[i]] * n_classes + classes[i]; };
          if (counts) {
            n_rows_of.assign(n_cells, 0);
            for (std::size_t i = 0; i < n_rows; ++i) ++n_rows_of[cell_of(i)];
            for (std::size_t cell = 0; cell < n_cells; ++cell) cells[cell] += n_rows_of[cell];
          } else {
            for (std::size_t i = 0; i < n_rows; ++i) cells[cell_of(i)] += weights[i];
          }
        },
        column.codes);
    cells = cells.subspan(n_cells);
  }
  for (std::size_t c = 0; c < dataset_.columns.size(); ++c) {
    const std::span<double> n_rows_of_value = rows_of_keys_.of_column(cells, c);
    if (n_rows_of_value.empty()) continue;
    for (const std::uint32_t row : here.rows)
      if (const std::uint32_t code = code_of(dataset_.columns[c], row); code < n_rows_of_value.size())
        n_rows_of_value[code] += 1.0;
  }
}

std::vector<double> PartOfRows::tables(const Routing& tree, std::uint64_t name_of_tree,
                                       std::span<const std::uint32_t> nodes) {
  check(tree);
  const std::lock_guard lock(mutex_);
  if (!has_started_ || name_of_tree != name_of_tree_) rows_of_ = {RowsOfNode{present_rows(), {}}};
  has_started_ = true;
  name_of_tree_ = name_of_tree;
  move_down(tree);
  std::vector<double> cells(nodes.size() * n_cells_, 0.0);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    add_to_tables(rows_of_.at(nodes[i]), std::span(cells).subspan(i * n_cells_, n_cells_));
  return cells;
}

// Sends rows down a subtree, and adds their weights by class at its leaves. `place_of` are the leaves in the order of
// the sums.
void PartOfRows::add_to_leaves(const Routing& tree, std::uint32_t node, std::span<std::uint32_t> rows,
                               std::span<std::uint32_t> scratch,
                               const std::unordered_map<std::uint32_t, std::size_t>& place_of,
                               std::span<double> sums) const {
  if (rows.empty()) return;
  if (!tree.is_leaf(node)) {
    const auto groups = sort_by_branch(tree, node, rows, scratch);
    for (std::uint32_t b = 0; b < groups.size(); ++b)
      add_to_leaves(tree, tree.child(node, b), groups[b], scratch, place_of, sums);
    return;
  }
  const auto own = sums.subspan(place_of.at(node) * dataset_.n_classes, dataset_.n_classes);
  for (const std::uint32_t row : rows) own[static_cast<std::size_t>(dataset_.classes[row])] += weights_[row];
}

std::vector<double> PartOfRows::leaf_sums(const Routing& tree, std::span<const RowsAndSubtree> requests) const {
  check(tree);
  std::vector<std::uint32_t> request_of(tree.size(), none);
  // A leaf can be below several requests, so it has a place per request.
  std::vector<std::unordered_map<std::uint32_t, std::size_t>> place_of(requests.size());
  std::vector<std::uint8_t> leads_on(tree.size(), 0);  // per node: whether it or a node below it is in a request
  std::size_t n_leaves = 0;
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    request_of.at(requests[i].node) = i;
    leads_on[requests[i].node] = 1;
    if (requests[i].subtree >= tree.size()) throw std::invalid_argument("a subtree is not in the tree");
    for (const std::uint32_t leaf : leaves_below(tree, requests[i].subtree)) place_of[i].emplace(leaf, n_leaves++);
  }
  for (auto node = static_cast<std::uint32_t>(tree.size()); node-- > 0;)
    for (std::uint32_t b = 0; b < tree.n_children(node); ++b) leads_on[node] |= leads_on[tree.child(node, b)];
  std::vector<double> sums(n_leaves * dataset_.n_classes, 0.0);
  struct Waiting {
    std::uint32_t node;
    std::span<std::uint32_t> rows;
  };
  std::vector<Waiting> waiting;
  std::vector<std::uint32_t> all_rows = present_rows();
  std::vector<std::uint32_t> scratch(all_rows.size());
  if (leads_on[0] != 0) waiting.push_back({0, all_rows});
  while (!waiting.empty()) {
    const Waiting here = waiting.back();
    waiting.pop_back();
    if (const std::uint32_t i = request_of[here.node]; i != none)
      add_to_leaves(tree, requests[i].subtree, here.rows, scratch, place_of[i], sums);
    std::vector<std::uint32_t> leading;
    for (std::uint32_t b = 0; b < tree.n_children(here.node); ++b)
      if (leads_on[tree.child(here.node, b)] != 0) leading.push_back(b);
    if (leading.empty()) continue;
    const auto groups = sort_by_branch(tree, here.node, here.rows, scratch);
    for (const std::uint32_t b : leading) waiting.push_back({tree.child(here.node, b), groups[b]});
  }
  return sums;
}

}  // namespace weaklearn::tree
