#include "data/rows.hpp"

#include <algorithm>

namespace weaklearn::data {

Part whole_part(const Dataset& dataset, std::span<const std::uint32_t> columns,
                const std::vector<std::uint32_t>& present) {
  Part part;
  part.store = std::make_shared<Store>();
  part.store->rows = present;
  part.rows = {0, static_cast<std::uint32_t>(present.size())};

  std::vector<bool> here;
  if (present.size() < dataset.n_rows) {
    here.assign(dataset.n_rows, false);
    for (const std::uint32_t row : present) here[row] = true;
  }
  for (const std::uint32_t c : columns) {
    const Column& column = dataset.columns[c];
    std::vector<Entry> list;
    list.reserve(std::min(column.order.size(), present.size()));
    std::visit(
        [&](const auto& codes) {
          for (const std::uint32_t row : column.order)
            if (here.empty() || here[row]) list.push_back({static_cast<float>(column.values[codes[row]]), row});
        },
        column.codes);
    part.lists.push_back({0, static_cast<std::uint32_t>(list.size())});
    part.store->lists.push_back(std::move(list));
  }
  return part;
}

Part joined(const Dataset& dataset, std::span<const std::uint32_t> columns, const Part& own, const Part& unknown) {
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
    std::vector<Entry> list(ours.size() + theirs.size());
    const Column& column = dataset.columns[columns[l]];
    std::merge(ours.begin(), ours.end(), theirs.begin(), theirs.end(), list.begin(), [&](Entry a, Entry b) {
      if (a.value != b.value) return a.value < b.value;
      const std::uint32_t code_a = code_of(column, a.row);
      const std::uint32_t code_b = code_of(column, b.row);
      return code_a != code_b ? code_a < code_b : a.row < b.row;
    });
    part.lists.push_back({0, static_cast<std::uint32_t>(list.size())});
    part.store->lists.push_back(std::move(list));
  }
  return part;
}

}  // namespace weaklearn::data
