// A value table holds the weights of a node by value and class. It serves nominal columns and columns with few values.
#pragma once

#include "splits/node_view.hpp"

namespace weaklearn::splits {

// Returns how many values of a nominal column a split at a node groups or separates: the declared ones, and the missing
// value if it takes a branch and occurs. It is then the last one, as in the table.
template <class Count>
std::uint32_t n_values_at(const NodeView& node, const data::Column& column, std::span<const Count> cells) {
  const bool occurs = std::ranges::any_of(cells.last(node.n_local), [](Count x) { return x != 0; });
  return column.n_codes + (node.missing_takes_branch && occurs);
}

// Returns whether the full table of codes by classes costs less than sorting the rows by code.
inline bool table_is_cheap(const NodeView& node, const data::Column& column) {
  const std::size_t n_cells = (std::size_t{column.n_codes} + 1) * node.n_local;
  const std::size_t cells_per_row = node.n_local == 2 ? 10 : 4;  // a table of two classes is scanned faster
  return node.has_table() || n_cells <= std::max<std::size_t>(cells_per_row * node.rows.size(), 128);
}

// Copies a table to cells[code * n_local + local class].
template <class Count>
void select_local_classes(std::span<const Count> table, std::span<const std::uint32_t> local_index, std::size_t n_local,
                          std::vector<Count>& cells) {
  const std::size_t n_classes = local_index.size();
  const std::size_t n_lines = table.size() / n_classes;
  cells.assign(n_lines * n_local, 0);
  for (std::size_t line = 0; line < n_lines; ++line)
    for (std::size_t k = 0; k < n_classes; ++k)
      if (local_index[k] < n_local) cells[line * n_local + local_index[k]] = table[line * n_classes + k];
}

// Fills cells[code * n_local + class]. The last line of the table belongs to missing values.
template <class Weights>
std::span<const typename Weights::Count> fill_table(const Weights& given, const NodeView& node,
                                                    const data::Column& column, Scratch& scratch) {
  const Weights weights = given;  // a local copy stays in registers while cells are written
  auto& cells = scratch.counts<typename Weights::Count>().cells;
  if (node.has_table()) {
    select_local_classes(node.table<typename Weights::Count>(), node.local_index, node.n_local, cells);
    return cells;
  }
  cells.assign((std::size_t{column.n_codes} + 1) * node.n_local, 0);
  std::visit(
      [&](const auto& codes) {
        for (std::size_t i = 0; i < node.rows.size(); ++i) {
          const std::uint32_t row = node.rows[i];
          cells[std::size_t{codes[row]} * node.n_local + node.local_class[i]] += weights.weight_of(row);
        }
      },
      column.codes);
  return cells;
}

constexpr std::size_t tables_at_a_time = 4;

// Fills the tables of several columns in one pass over the rows. The codes of the columns must be bytes. The tables lie
// one after the other.
template <class Weights>
std::span<const typename Weights::Count> fill_tables(const Weights& given, const NodeView& node,
                                                     std::span<const data::Column* const> columns, Scratch& scratch) {
  const Weights weights = given;
  auto& cells = scratch.counts<typename Weights::Count>().cells;
  std::size_t starts[tables_at_a_time + 1] = {};
  for (std::size_t c = 0; c < columns.size(); ++c)
    starts[c + 1] = starts[c] + (std::size_t{columns[c]->n_codes} + 1) * node.n_local;
  cells.assign(starts[columns.size()], 0);
  const auto fill = [&]<std::size_t n>(std::integral_constant<std::size_t, n>) {
    const std::uint8_t* codes[n];
    typename Weights::Count* table[n];
    for (std::size_t c = 0; c < n; ++c) {
      codes[c] = std::get<data::CodeArray<std::uint8_t>>(columns[c]->codes).data();
      table[c] = cells.data() + starts[c];
    }
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      const std::uint32_t row = node.rows[i];
      const std::size_t k = node.local_class[i];
      const auto w = weights.weight_of(row);
      for (std::size_t c = 0; c < n; ++c) table[c][std::size_t{codes[c][row]} * node.n_local + k] += w;
    }
  };
  switch (columns.size()) {
    case 1:
      fill(std::integral_constant<std::size_t, 1>{});
      break;
    case 2:
      fill(std::integral_constant<std::size_t, 2>{});
      break;
    case 3:
      fill(std::integral_constant<std::size_t, 3>{});
      break;
    default:
      fill(std::integral_constant<std::size_t, tables_at_a_time>{});
      break;
  }
  return cells;
}

// Returns the rows with a known value, sorted by code; with `with_missing`, the rows of missing value follow them. This
// is used if the full table would be mostly empty.
inline std::span<const CodedRow> rows_by_code(const NodeView& node, const data::Column& column, Scratch& scratch,
                                              bool with_missing = false) {
  auto& entries = scratch.coded_rows;
  std::visit(
      [&](const auto& codes) {
        constexpr std::size_t few_rows = 16;  // so few are sorted by insertion, without a table of all codes
        if (node.rows.size() <= few_rows) {
          entries.clear();
          for (std::size_t i = 0; i < node.rows.size(); ++i) {
            const std::uint32_t row = node.rows[i];
            const CodedRow entry{static_cast<std::uint32_t>(codes[row]), row, node.local_class[i]};
            if (!with_missing && entry.code == column.n_codes) continue;
            entries.push_back(entry);
            std::size_t place = entries.size() - 1;
            for (; place > 0 && entries[place - 1].code > entry.code; --place) entries[place] = entries[place - 1];
            entries[place] = entry;
          }
        } else if (column.n_codes <= 256 || column.n_codes <= node.rows.size()) {
          scratch.starts.assign(std::size_t{column.n_codes} + 2, 0);
          for (const std::uint32_t row : node.rows) ++scratch.starts[std::size_t{codes[row]} + 1];
          for (std::size_t c = 0; c <= column.n_codes; ++c) scratch.starts[c + 1] += scratch.starts[c];
          const std::uint32_t n_known = scratch.starts[column.n_codes];
          entries.resize(node.rows.size());
          for (std::size_t i = 0; i < node.rows.size(); ++i) {
            const std::uint32_t row = node.rows[i];
            entries[scratch.starts[codes[row]]++] = {static_cast<std::uint32_t>(codes[row]), row, node.local_class[i]};
          }
          if (!with_missing) entries.resize(n_known);
        } else {
          scratch.keys.clear();
          for (std::uint32_t i = 0; i < node.rows.size(); ++i)
            if (with_missing || codes[node.rows[i]] < column.n_codes)
              scratch.keys.push_back(std::uint64_t{codes[node.rows[i]]} << 32 | i);
          std::sort(scratch.keys.begin(), scratch.keys.end());
          entries.clear();
          for (const std::uint64_t key : scratch.keys) {
            const auto i = static_cast<std::uint32_t>(key);
            entries.push_back({static_cast<std::uint32_t>(key >> 32), node.rows[i], node.local_class[i]});
          }
        }
      },
      column.codes);
  return entries;
}

}  // namespace weaklearn::splits
