#include "data/node_rows.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "parallel/thread_pool.hpp"

namespace weaklearn::data {

Part whole_part(const Dataset& dataset, std::span<const std::uint32_t> columns,
                const std::vector<std::uint32_t>& present, parallel::Pool& pool) {
  Part part;
  part.store = std::make_shared<Store>();
  part.store->rows = present;
  part.store->lists.resize(columns.size());
  part.rows = {0, static_cast<std::uint32_t>(present.size())};
  part.lists.resize(columns.size());

  const Tagging tagging(dataset);
  std::vector<bool> here;
  if (present.size() < dataset.n_rows) {
    here.assign(dataset.n_rows, false);
    for (const std::uint32_t row : present) here[row] = true;
  }
  const auto fill_lists = [&](const auto* classes) {
    pool.for_each(static_cast<std::uint32_t>(columns.size()), [&](std::uint32_t l, std::uint32_t) {
      const Column& column = dataset.columns[columns[l]];
      std::vector<Entry>& list = part.store->lists[l];
      list.reserve(std::min(column.order.size(), present.size()));
      const auto append = [&](std::uint32_t row, double value) {
        if (here.empty() || here[row]) list.push_back({static_cast<float>(value), tagging.tag(row, classes[row])});
      };
      if (column.n_codes == column.order.size()) {  // all values differ: the i-th row in order has the i-th value
        for (std::size_t i = 0; i < column.order.size(); ++i) {
          prefetch(classes, column.order, i);
          append(column.order[i], column.values[i]);
        }
      } else {
        std::visit(
            [&](const auto& codes) {
              for (std::size_t i = 0; i < column.order.size(); ++i) {
                prefetch(codes.data(), column.order, i);
                prefetch(classes, column.order, i);
                append(column.order[i], column.values[codes[column.order[i]]]);
              }
            },
            column.codes);
      }
      part.lists[l] = {0, static_cast<std::uint32_t>(list.size())};
    });
  };
  if (dataset.n_classes <= 256)  // classes are read in random order: one byte per row stays in the cache
    fill_lists(std::vector<std::uint8_t>(dataset.classes.begin(), dataset.classes.end()).data());
  else
    fill_lists(dataset.classes.data());
  return part;
}

Part joined(const Dataset& dataset, std::span<const std::uint32_t> columns, const Part& own, const Part& unknown) {
  const Tagging tagging(dataset);
  Part part;
  part.store = std::make_shared<Store>();
  const auto own_rows = own.row_span();
  const auto unknown_rows = unknown.row_span();
  part.store->rows.resize(own_rows.size() + unknown_rows.size());
  std::merge(own_rows.begin(), own_rows.end(), unknown_rows.begin(), unknown_rows.end(), part.store->rows.begin());
  part.rows = {0, static_cast<std::uint32_t>(part.store->rows.size())};
  for (std::size_t l = 0; l < own.lists.size(); ++l) {
    const auto ours = own.list_span(l);
    const auto theirs = unknown.list_span(l);
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
    std::vector<Entry> list(ours.size() + theirs.size());
    std::merge(ours.begin(), ours.end(), theirs.begin(), theirs.end(), list.begin(), before);
    part.lists.push_back({0, static_cast<std::uint32_t>(list.size())});
    part.store->lists.push_back(std::move(list));
  }
  return part;
}

Part renumbered(const Part& part, const Dataset& from, const Dataset& to) {
  const Tagging old_tagging(from);
  const Tagging new_tagging(to);
  Part result;
  result.store = std::make_shared<Store>();
  result.store->rows.resize(part.rows.size());
  std::iota(result.store->rows.begin(), result.store->rows.end(), 0U);
  result.rows = {0, part.rows.size()};

  // The new index of a row is read in random order, and four bytes per row would not stay in the cache. So each block of
  // rows stores the new index of its first row, and each row one byte: the number of rows of the block before it.
  constexpr std::uint32_t block = 256;
  std::vector<std::uint32_t> first(from.n_rows / block + 1);
  const auto before = std::make_unique_for_overwrite<std::uint8_t[]>(from.n_rows);
  std::uint32_t new_row = 0;
  std::uint32_t end = 0;  // end of the current block
  for (const std::uint32_t row : part.row_span()) {
    if (row >= end) {
      first[row / block] = new_row;
      end = (row / block + 1) * block;
    }
    before[row] = static_cast<std::uint8_t>(new_row++ - first[row / block]);
  }
  for (std::size_t l = 0; l < part.lists.size(); ++l) {
    const auto span = part.list_span(l);
    std::vector<Entry> list(span.begin(), span.end());
    for (Entry& entry : list) {
      const std::uint32_t row = old_tagging.row(entry.tag);
      entry.tag = new_tagging.tag(first[row / block] + before[row],
                                  static_cast<std::int32_t>(old_tagging.class_of(entry.tag)));
    }
    result.lists.push_back({0, part.lists[l].size()});
    result.store->lists.push_back(std::move(list));
  }
  return result;
}

}  // namespace weaklearn::data
