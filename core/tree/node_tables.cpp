#include "tree/node_tables.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "tree/open_node.hpp"
#include "tree/thread_team.hpp"
#include "tree/worker.hpp"

namespace weaklearn::tree {
namespace {

// The tables of so many columns stay in the first cache while rows are added to them.
constexpr std::uint32_t columns_at_a_time = 5;

// Adds rows to the tables of n columns in one pass. `classes` and `weights` have one element per row of the node.
template <std::size_t n, class Row, class Count>
void add_rows(std::size_t n_rows, const Row& row_at, const auto* classes, const double* weights, std::size_t n_classes,
              const std::uint8_t* const* codes, Count* const* tables) {
  const std::uint8_t* code[n];
  Count* table[n];
  for (std::size_t c = 0; c < n; ++c) {
    code[c] = codes[c];
    table[c] = tables[c];
  }
  for (std::size_t i = 0; i < n_rows; ++i) {
    const std::size_t row = row_at(i);
    const auto k = static_cast<std::size_t>(classes[i]);
    if constexpr (std::is_same_v<Count, double>) {
      const double w = weights[i];
      for (std::size_t c = 0; c < n; ++c) table[c][code[c][row] * n_classes + k] += w;
    } else {
      for (std::size_t c = 0; c < n; ++c) ++table[c][code[c][row] * n_classes + k];
    }
  }
}

template <class Count>
void subtract(std::vector<Count>& from, const std::vector<Count>& cells) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= cells[i];
}

}  // namespace

TableKeeper::TableKeeper(const data::Dataset& dataset, std::vector<std::uint32_t> columns)
    : columns_(std::move(columns)), starts_{0}, n_classes_(dataset.n_classes) {
  for (const std::uint32_t c : columns_)
    starts_.push_back(starts_.back() + (std::size_t{dataset.columns[c].n_codes} + 1) * n_classes_);
  // Subtracting takes a fraction of the time per cell that counting takes per row, but tables also take memory: with
  // four rows for a cell, the tables of all nodes of a level are smaller than their rows.
  if (!columns_.empty()) least_rows_ = 4 * (starts_.back() / columns_.size());
}

bool TableKeeper::sum_up_to(const NodeTables& tables, std::uint32_t column, std::uint32_t cut,
                            std::vector<double>& below) const {
  const auto place = std::ranges::lower_bound(columns_, column);
  if (place == columns_.end() || *place != column) return false;
  const auto sum_up = [&](const auto& cells) {
    const auto missing = cells.last(n_classes_);
    if (std::ranges::any_of(missing, [](auto x) { return x != 0; })) return false;
    below.assign(n_classes_, 0.0);
    for (std::size_t i = 0; i < (std::size_t{cut} + 1) * n_classes_; ++i)
      below[i % n_classes_] += static_cast<double>(cells[i]);
    return true;
  };
  const auto i = static_cast<std::size_t>(place - columns_.begin());
  return tables.counts.empty() ? sum_up(table(tables.weights, i)) : sum_up(table(tables.counts, i));
}

void TableKeeper::fill(const OpenNode& open, Worker& worker, ThreadTeam& team, NodeTables& tables) const {
  if (worker.counts_rows)
    fill_cells(open, worker, team, tables.counts);
  else
    fill_cells(open, worker, team, tables.weights);
}

template <class Count>
void TableKeeper::fill_cells(const OpenNode& open, Worker& worker, ThreadTeam& team, std::vector<Count>& cells) const {
  const auto rows = open.node_rows.row_span();
  cells.assign(starts_.back(), 0);
  constexpr bool weighed = std::is_same_v<Count, double>;
  const bool in_order = rows.size() == worker.dataset.n_rows;
  if (in_order && (!weighed || worker.weights.numbers() != nullptr)) {
    add_to_cells(
        rows.size(), [](std::size_t i) { return i; }, worker.dataset.classes.data(), worker.weights.numbers(), worker,
        team, cells);
    return;
  }
  // Classes and weights are looked up once for all columns, of so many rows at a time that they stay in the cache.
  constexpr std::size_t rows_at_a_time = 1U << 16;
  for (std::size_t first = 0; first < rows.size(); first += rows_at_a_time) {
    const auto some = rows.subspan(first, std::min(rows_at_a_time, rows.size() - first));
    if constexpr (weighed) {
      const data::WeightView weights = worker.weights;
      worker.node_weights.resize(some.size());
      for (std::size_t i = 0; i < some.size(); ++i) worker.node_weights[i] = weights[some[i]];
    }
    if (in_order) {
      add_to_cells(
          some.size(), [first](std::size_t i) { return first + i; }, worker.dataset.classes.data() + first,
          worker.node_weights.data(), worker, team, cells);
      continue;
    }
    worker.node_classes.resize(some.size());
    for (std::size_t i = 0; i < some.size(); ++i)
      worker.node_classes[i] = static_cast<std::uint32_t>(worker.dataset.classes[some[i]]);
    add_to_cells(
        some.size(), [some](std::size_t i) { return some[i]; }, worker.node_classes.data(), worker.node_weights.data(),
        worker, team, cells);
  }
}

// Adds rows to the tables of all columns.
template <class Count, class RowAt, class Class>
void TableKeeper::add_to_cells(std::size_t n_rows, const RowAt& row_at, const Class* classes, const double* weights,
                               const Worker& worker, ThreadTeam& team, std::vector<Count>& cells) const {
  const auto n_columns = static_cast<std::uint32_t>(columns_.size());
  const auto count_group = [&](std::uint32_t group, std::uint32_t) {
    const std::uint32_t first = group * columns_at_a_time;
    const std::uint32_t n = std::min(columns_at_a_time, n_columns - first);
    const std::uint8_t* codes[columns_at_a_time];
    Count* tables[columns_at_a_time];
    for (std::uint32_t c = 0; c < n; ++c) {
      codes[c] = std::get<data::CodeArray<std::uint8_t>>(worker.dataset.columns[columns_[first + c]].codes).data();
      tables[c] = cells.data() + starts_[first + c];
    }
    const auto add = [&]<std::size_t size>(std::integral_constant<std::size_t, size>) {
      add_rows<size>(n_rows, row_at, classes, weights, n_classes_, codes, tables);
    };
    switch (n) {
      case 1:
        return add(std::integral_constant<std::size_t, 1>{});
      case 2:
        return add(std::integral_constant<std::size_t, 2>{});
      case 3:
        return add(std::integral_constant<std::size_t, 3>{});
      case 4:
        return add(std::integral_constant<std::size_t, 4>{});
      default:
        return add(std::integral_constant<std::size_t, columns_at_a_time>{});
    }
  };
  team.for_each_column(n_rows, worker.thread, (n_columns + columns_at_a_time - 1) / columns_at_a_time, count_group);
}

void TableKeeper::hand_down(std::span<OpenNode> children, Worker& worker, ThreadTeam& team) const {
  NodeTables tables = std::move(worker.tables);
  worker.tables = {};
  const auto& n_rows = worker.n_rows;  // per branch, and then of missing value
  const auto n_taken = static_cast<std::size_t>(std::ranges::count_if(n_rows, [](std::uint32_t n) { return n > 0; }));
  // Rows that went to a leaf are not kept, and rows of missing value are in several children.
  if (children.empty() || n_taken != children.size() || n_rows.back() > 0) return;
  const auto largest =
      std::ranges::max_element(children, {}, [](const OpenNode& child) { return child.node_rows.rows.size(); });
  if (!pays(largest->node_rows.rows.size())) return;
  for (OpenNode& child : children) {
    if (&child == &*largest) continue;
    fill(child, worker, team, child.tables);
    if (worker.counts_rows)
      subtract(tables.counts, child.tables.counts);
    else
      subtract(tables.weights, child.tables.weights);
    if (!pays(child.node_rows.rows.size())) child.tables = {};
  }
  largest->tables = std::move(tables);
}

}  // namespace weaklearn::tree
