#include "data/node_rows.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "parallel/thread_pool.hpp"

namespace weaklearn::data {

NodeRows root_rows(const Dataset& dataset, std::span<const std::uint32_t> columns, std::vector<std::uint32_t> rows,
                   parallel::ThreadPool& pool) {
  NodeRows result;
  result.store = std::make_shared<RowStore>();
  result.store->rows = std::move(rows);
  const std::vector<std::uint32_t>& present = result.store->rows;
  result.store->lists.resize(columns.size());
  result.rows = {0, static_cast<std::uint32_t>(present.size())};
  result.lists.resize(columns.size());

  const Tagging tagging(dataset);
  std::vector<bool> is_present;
  if (present.size() < dataset.n_rows) {
    is_present.assign(dataset.n_rows, false);
    for (const std::uint32_t row : present) is_present[row] = true;
  }
  const auto fill_lists = [&](const auto* classes) {
    pool.for_each(static_cast<std::uint32_t>(columns.size()), [&](std::uint32_t l, std::uint32_t) {
      const Column& column = dataset.columns[columns[l]];
      std::vector<Entry>& list = result.store->lists[l];
      list.reserve(std::min(column.order.size(), present.size()));
      const auto append = [&](std::uint32_t row, double value) {
        if (is_present.empty() || is_present[row])
          list.push_back({static_cast<float>(value), tagging.tag(row, classes[row])});
      };
      if (column.n_codes == column.order.size()) {  // all values differ: the i-th row in order has the i-th value
        for (std::size_t i = 0; i < column.order.size(); ++i) {
          parallel::prefetch_ahead(classes, column.order, i);
          append(column.order[i], column.values[i]);
        }
      } else {
        std::visit(
            [&](const auto& codes) {
              for (std::size_t i = 0; i < column.order.size(); ++i) {
                parallel::prefetch_ahead(codes.data(), column.order, i);
                parallel::prefetch_ahead(classes, column.order, i);
                append(column.order[i], column.values[codes[column.order[i]]]);
              }
            },
            column.codes);
      }
      result.lists[l] = {0, static_cast<std::uint32_t>(list.size())};
    });
  };
  if (dataset.n_classes <= 256)  // classes are read in random order: one byte per row stays in the cache
    fill_lists(std::vector<std::uint8_t>(dataset.classes.begin(), dataset.classes.end()).data());
  else
    fill_lists(dataset.classes.data());
  return result;
}

NodeRows merge_missing_rows(const Dataset& dataset, std::span<const std::uint32_t> columns, const NodeRows& own,
                            const NodeRows& missing) {
  const Tagging tagging(dataset);
  NodeRows result;
  result.store = std::make_shared<RowStore>();
  const auto own_rows = own.row_span();
  const auto missing_rows = missing.row_span();
  result.store->rows.resize(own_rows.size() + missing_rows.size());
  std::merge(own_rows.begin(), own_rows.end(), missing_rows.begin(), missing_rows.end(), result.store->rows.begin());
  result.rows = {0, static_cast<std::uint32_t>(result.store->rows.size())};
  for (std::size_t l = 0; l < own.lists.size(); ++l) {
    const auto own_list = own.list_span(l);
    const auto missing_list = missing.list_span(l);
    const Column& column = dataset.columns[columns[l]];
    // Different values may be equal after rounding; then their codes decide.
    const auto before = [&](const Entry& a, const Entry& b) {
      if (a.value != b.value) return a.value < b.value;
      const std::uint32_t row_a = tagging.row(a.tag);
      const std::uint32_t row_b = tagging.row(b.tag);
      const std::uint32_t code_a = code_of(column, row_a);
      const std::uint32_t code_b = code_of(column, row_b);
      return code_a != code_b ? code_a < code_b : row_a < row_b;
    };
    std::vector<Entry> list(own_list.size() + missing_list.size());
    std::merge(own_list.begin(), own_list.end(), missing_list.begin(), missing_list.end(), list.begin(), before);
    result.lists.push_back({0, static_cast<std::uint32_t>(list.size())});
    result.store->lists.push_back(std::move(list));
  }
  return result;
}

NodeRows renumber_rows(const NodeRows& node_rows, const Dataset& from, const Dataset& to) {
  const Tagging old_tagging(from);
  const Tagging new_tagging(to);
  NodeRows result;
  result.store = std::make_shared<RowStore>();
  result.store->rows.resize(node_rows.rows.size());
  std::iota(result.store->rows.begin(), result.store->rows.end(), 0U);
  result.rows = {0, node_rows.rows.size()};
  if (node_rows.lists.empty()) return result;

  // The new index of a row is read in random order, and four bytes per row would not stay in the cache. So each block
  // of rows stores the new index of its first row, and each row one byte: the number of rows of the block before it.
  constexpr std::uint32_t block = 256;
  std::vector<std::uint32_t> first(from.n_rows / block + 1);
  const auto before = std::make_unique_for_overwrite<std::uint8_t[]>(from.n_rows);
  std::uint32_t new_row = 0;
  std::uint32_t end = 0;  // end of the current block
  for (const std::uint32_t row : node_rows.row_span()) {
    if (row >= end) {
      first[row / block] = new_row;
      end = (row / block + 1) * block;
    }
    before[row] = static_cast<std::uint8_t>(new_row++ - first[row / block]);
  }
  for (std::size_t l = 0; l < node_rows.lists.size(); ++l) {
    const auto span = node_rows.list_span(l);
    std::vector<Entry> list(span.begin(), span.end());
    for (Entry& entry : list) {
      const std::uint32_t row = old_tagging.row(entry.tag);
      entry.tag =
          new_tagging.tag(first[row / block] + before[row], static_cast<std::int32_t>(old_tagging.class_of(entry.tag)));
    }
    result.lists.push_back({0, node_rows.lists[l].size()});
    result.store->lists.push_back(std::move(list));
  }
  return result;
}

}  // namespace weaklearn::data
