#include "data/presorted_rows.hpp"

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "parallel/thread_pool.hpp"

namespace weaklearn::data {
namespace {

constexpr std::uint32_t absent = ~0U;

// Copies the codes of some rows and notes which codes occur.
void copy_codes(const Column& column, std::span<const std::uint32_t> rows, PresortedColumn& copy) {
  copy.occurs.assign(column.n_codes, false);
  std::visit(
      [&](const auto& codes) {
        std::vector<typename std::remove_cvref_t<decltype(codes)>::value_type> chosen;
        chosen.reserve(rows.size());
        for (const std::uint32_t row : rows) {
          chosen.push_back(codes[row]);
          if (codes[row] < column.n_codes) copy.occurs[codes[row]] = true;
        }
        copy.codes = std::move(chosen);
      },
      column.codes);
}

// Lists the rows of a column by ascending value. `position_of` gives the position of a row, or `absent`.
void copy_order(const Column& column, std::span<const std::uint32_t> position_of, PresortedColumn& copy) {
  copy.listed = true;
  std::visit(
      [&](const auto& codes) {
        std::uint32_t last = absent;
        for (const std::uint32_t row : column.order) {
          if (position_of[row] == absent) continue;
          const bool same = codes[row] == last;
          last = codes[row];
          copy.order.push_back(position_of[row] | (same ? PresortedColumn::same : 0U));
        }
      },
      column.codes);
}

}  // namespace

PresortedRows presort_rows(const Dataset& dataset, std::vector<std::uint32_t> rows, parallel::ThreadPool& pool) {
  if (dataset.n_rows >= PresortedColumn::same) throw std::length_error("at most 2^31 rows can be ordered");
  PresortedRows result;
  result.rows = std::move(rows);
  result.columns.resize(dataset.columns.size());
  std::vector<std::uint32_t> position_of(dataset.n_rows, absent);
  for (std::uint32_t i = 0; i < result.rows.size(); ++i) position_of[result.rows[i]] = i;
  pool.for_each(static_cast<std::uint32_t>(dataset.columns.size()), [&](std::uint32_t c, std::uint32_t) {
    const Column& column = dataset.columns[c];
    if (column.order.empty())
      copy_codes(column, result.rows, result.columns[c]);
    else
      copy_order(column, position_of, result.columns[c]);
  });
  return result;
}

std::pair<PresortedRows, PresortedRows> partition(const Dataset& dataset, const PresortedRows& rows,
                                                  const std::vector<bool>& second_side, parallel::ThreadPool& pool) {
  PresortedRows sides[2];
  std::vector<std::uint32_t> position_of(rows.rows.size());
  for (std::uint32_t i = 0; i < rows.rows.size(); ++i) {
    auto& side = sides[second_side[i]].rows;
    position_of[i] = static_cast<std::uint32_t>(side.size());
    side.push_back(rows.rows[i]);
  }
  for (PresortedRows& side : sides) side.columns.resize(dataset.columns.size());
  pool.for_each(static_cast<std::uint32_t>(dataset.columns.size()), [&](std::uint32_t c, std::uint32_t) {
    const PresortedColumn& from = rows.columns[c];
    if (!from.listed) {
      for (PresortedRows& side : sides) copy_codes(dataset.columns[c], side.rows, side.columns[c]);
      return;
    }
    bool changed[2] = {true, true};  // per side: whether the value has changed since its last row
    for (PresortedRows& side : sides) {
      side.columns[c].listed = true;
      side.columns[c].order.reserve(side.rows.size());
    }
    for (const std::uint32_t element : from.order) {
      const std::uint32_t row = element & ~PresortedColumn::same;
      if ((element & PresortedColumn::same) == 0) changed[0] = changed[1] = true;
      const bool second = second_side[row];
      PresortedColumn& to = sides[second].columns[c];
      const bool same = !changed[second];
      changed[second] = false;
      to.order.push_back(position_of[row] | (same ? PresortedColumn::same : 0U));
    }
  });
  return {std::move(sides[0]), std::move(sides[1])};
}

}  // namespace weaklearn::data
