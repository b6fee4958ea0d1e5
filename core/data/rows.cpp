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
          for (std::size_t i = 0; i < column.order.size(); ++i) {
            const std::uint32_t row = column.order[i];
            prefetch(codes.data(), column.order, i);
            prefetch(dataset.classes.data(), column.order, i);
            if (here.empty() || here[row]) list.push_back({column.values[codes[row]], row, static_cast<std::uint32_t>(dataset.classes[row])});
          }
        },
        column.codes);
    part.lists.push_back({0, static_cast<std::uint32_t>(list.size())});
    part.store->lists.push_back(std::move(list));
  }
  return part;
}

Part joined(const Part& own, const Part& unknown) {
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
    std::merge(ours.begin(), ours.end(), theirs.begin(), theirs.end(), list.begin(),
               [](const Entry& a, const Entry& b) { return a.value != b.value ? a.value < b.value : a.row < b.row; });
    part.lists.push_back({0, static_cast<std::uint32_t>(list.size())});
    part.store->lists.push_back(std::move(list));
  }
  return part;
}

Part renumbered(const Part& part, std::span<std::uint32_t> number_of) {
  Part result;
  result.store = std::make_shared<Store>();
  result.rows = {0, part.rows.size()};
  for (const std::uint32_t row : part.row_span()) {
    const auto number = static_cast<std::uint32_t>(result.store->rows.size());
    number_of[row] = number;
    result.store->rows.push_back(number);
  }
  for (std::size_t l = 0; l < part.lists.size(); ++l) {
    const auto from = part.list_span(l);
    std::vector<Entry> list(from.begin(), from.end());
    for (Entry& entry : list) entry.row = number_of[entry.row];
    result.lists.push_back({0, part.lists[l].size()});
    result.store->lists.push_back(std::move(list));
  }
  return result;
}

}  // namespace weaklearn::data
