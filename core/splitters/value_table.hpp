// The weights of a node by value and class, for columns of few values and nominal ones.
#pragma once

#include "splitters/node_view.hpp"

namespace weaklearn::splitters {

// Whether the full table of codes by classes is cheap beside a pass over the rows.
inline bool table_is_cheap(const NodeView& node, const data::Column& column) {
  return (std::size_t{column.n_codes} + 1) * node.n_local <= 2 * node.rows.size();
}

// cells[code * n_local + class]; the last row is that of unknown values.
template <class Weights>
std::span<const typename Weights::Count> fill_table(const Weights& weights, const NodeView& node,
                                                    const data::Column& column, Scratch& scratch) {
  auto& cells = scratch.counts<typename Weights::Count>().cells;
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

// The node's known rows by ascending code, where the full table would be mostly empty.
inline std::span<const CodedRow> rows_by_code(const NodeView& node, const data::Column& column, Scratch& scratch) {
  auto& entries = scratch.coded_rows;
  std::visit(
      [&](const auto& codes) {
        if (column.n_codes <= 256 || column.n_codes <= node.rows.size()) {
          scratch.starts.assign(std::size_t{column.n_codes} + 2, 0);
          for (const std::uint32_t row : node.rows) ++scratch.starts[std::size_t{codes[row]} + 1];
          for (std::size_t c = 0; c <= column.n_codes; ++c) scratch.starts[c + 1] += scratch.starts[c];
          const std::uint32_t n_known = scratch.starts[column.n_codes];
          entries.resize(node.rows.size());
          for (std::size_t i = 0; i < node.rows.size(); ++i) {
            const std::uint32_t row = node.rows[i];
            entries[scratch.starts[codes[row]]++] = {static_cast<std::uint32_t>(codes[row]), row, node.local_class[i]};
          }
          entries.resize(n_known);
        } else {
          scratch.keys.clear();
          for (std::uint32_t i = 0; i < node.rows.size(); ++i)
            if (codes[node.rows[i]] < column.n_codes)
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

}  // namespace weaklearn::splitters
