#include "data/presorted_rows.hpp"

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "parallel/thread_pool.hpp"

namespace weaklearn::data {
namespace {

constexpr std::uint32_t absent = ~0U;

// Copies the codes of some rows and notes which codes occur.
void keep_codes(const Column& column, std::span<const std::uint32_t> rows, OrderedColumn& kept) {
  kept.occurs.assign(column.n_codes, false);
  std::visit(
      [&](const auto& codes) {
        std::remove_cvref_t<decltype(codes)> chosen;
        chosen.reserve(rows.size());
        for (const std::uint32_t row : rows) {
          chosen.push_back(codes[row]);
          if (codes[row] < column.n_codes) kept.occurs[codes[row]] = true;
        }
        kept.codes = std::move(chosen);
      },
      column.codes);
}

// Lists the rows of a column by ascending value. `place_of` gives the position of a row, or `absent`.
void keep_order(const Column& column, std::span<const std::uint32_t> place_of, OrderedColumn& kept) {
  kept.listed = true;
  std::visit(
      [&](const auto& codes) {
        std::uint32_t last = absent;
        for (const std::uint32_t row : column.order) {
          if (place_of[row] == absent) continue;
          const bool same = codes[row] == last;
          last = codes[row];
          kept.order.push_back(place_of[row] | (same ? OrderedColumn::same : 0U));
        }
      },
      column.codes);
}

}  // namespace

OrderedRows ordered_rows(const Dataset& dataset, std::vector<std::uint32_t> rows, parallel::Pool& pool) {
  if (dataset.n_rows >= OrderedColumn::same) throw std::length_error("at most 2^31 rows can be ordered");
  OrderedRows result;
  result.rows = std::move(rows);
  result.columns.resize(dataset.columns.size());
  std::vector<std::uint32_t> place_of(dataset.n_rows, absent);
  for (std::uint32_t i = 0; i < result.rows.size(); ++i) place_of[result.rows[i]] = i;
  pool.for_each(static_cast<std::uint32_t>(dataset.columns.size()), [&](std::uint32_t c, std::uint32_t) {
    const Column& column = dataset.columns[c];
    if (column.order.empty())
      keep_codes(column, result.rows, result.columns[c]);
    else
      keep_order(column, place_of, result.columns[c]);
  });
  return result;
}

std::pair<OrderedRows, OrderedRows> divide(const Dataset& dataset, const OrderedRows& rows,
                                           const std::vector<bool>& second_side, parallel::Pool& pool) {
  OrderedRows sides[2];
  std::vector<std::uint32_t> place_of(rows.rows.size());
  for (std::uint32_t i = 0; i < rows.rows.size(); ++i) {
    auto& side = sides[second_side[i]].rows;
    place_of[i] = static_cast<std::uint32_t>(side.size());
    side.push_back(rows.rows[i]);
  }
  for (OrderedRows& side : sides) side.columns.resize(dataset.columns.size());
  pool.for_each(static_cast<std::uint32_t>(dataset.columns.size()), [&](std::uint32_t c, std::uint32_t) {
    const OrderedColumn& from = rows.columns[c];
    if (!from.listed) {
      for (OrderedRows& side : sides) keep_codes(dataset.columns[c], side.rows, side.columns[c]);
      return;
    }
    bool changed[2] = {true, true};  // per side: whether the value has changed since its last row
    for (OrderedRows& side : sides) {
      side.columns[c].listed = true;
      side.columns[c].order.reserve(side.rows.size());
    }
    for (const std::uint32_t element : from.order) {
      const std::uint32_t row = element & ~OrderedColumn::same;
      if ((element & OrderedColumn::same) == 0) changed[0] = changed[1] = true;
      const bool second = second_side[row];
      OrderedColumn& to = sides[second].columns[c];
      const bool same = !changed[second];
      changed[second] = false;
      to.order.push_back(place_of[row] | (same ? OrderedColumn::same : 0U));
    }
  });
  return {std::move(sides[0]), std::move(sides[1])};
}

}  // namespace weaklearn::data
