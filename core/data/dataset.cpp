#include "data/dataset.hpp"

#include <type_traits>
#include <utility>

namespace weaklearn::data {

Dataset select(const Dataset& dataset, std::span<const std::uint32_t> rows) {
  Dataset selected;
  selected.n_rows = static_cast<std::uint32_t>(rows.size());
  selected.n_classes = dataset.n_classes;
  selected.has_bins = dataset.has_bins;
  selected.classes.reserve(rows.size());
  for (const std::uint32_t row : rows) selected.classes.push_back(dataset.classes[row]);
  for (const Column& column : dataset.columns) {
    Column copy;
    copy.nominal = column.nominal;
    copy.single_precision = column.single_precision;
    copy.n_codes = column.n_codes;
    copy.n_missing = column.n_missing;
    copy.values = column.values;
    copy.least_gap = column.least_gap;
    copy.shared_bins = column.shared_bins;
    std::visit(
        [&](const auto& codes) {
          std::vector<typename std::remove_cvref_t<decltype(codes)>::value_type> chosen(rows.size());
          for (std::size_t i = 0; i < rows.size(); ++i) chosen[i] = codes[rows[i]];
          copy.codes = std::move(chosen);
        },
        column.codes);
    selected.columns.push_back(std::move(copy));
  }
  return selected;
}

std::size_t n_bytes(const Dataset& dataset) {
  std::size_t total = dataset.classes.size() * sizeof(std::int32_t);
  for (const Column& column : dataset.columns) {
    total += std::visit([](const auto& codes) { return codes.size() * sizeof(codes[0]); }, column.codes);
    total += column.values.size() * sizeof(double) + column.order.size() * sizeof(std::uint32_t);
  }
  return total;
}

}  // namespace weaklearn::data
