#include "data/encode_dataset.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "data/encode_bins.hpp"
#include "data/encode_column.hpp"
#include "parallel/thread_pool.hpp"

namespace weaklearn::data {
namespace {

constexpr std::size_t most_rows = std::size_t{1} << 31;

void check(std::span<const std::int32_t> classes, std::uint32_t n_classes) {
  if (classes.size() >= most_rows)
    throw std::invalid_argument("got " + std::to_string(classes.size()) + " rows; expected at most 2,147,483,647");
  if (n_classes == 0) throw std::invalid_argument("at least one class is needed");
  for (const std::int32_t k : classes)
    if (k < 0 || static_cast<std::uint32_t>(k) >= n_classes)
      throw std::invalid_argument("a class code is out of range");
}

void check_rows(std::size_t column, std::size_t n_rows, std::span<const std::int32_t> classes) {
  if (n_rows != classes.size())
    throw std::invalid_argument("column " + std::to_string(column) + " has " + std::to_string(n_rows) +
                                " rows, the classes " + std::to_string(classes.size()));
}

// Copies strided columns and makes `columns` point at the copies, which are returned. Contiguous columns are not
// copied. A row-major array is copied one block of rows at a time, so that every cache line is read once.
std::vector<std::unique_ptr<double[]>> contiguous(std::span<Numbers> columns, std::uint32_t n_rows,
                                                  parallel::ThreadPool& pool) {
  std::vector<std::unique_ptr<double[]>> copies(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].first != nullptr && columns[c].stride != 1)
      copies[c] = std::make_unique_for_overwrite<double[]>(n_rows);
  constexpr std::uint32_t block = 512;
  pool.for_each((n_rows + block - 1) / block, [&](std::uint32_t b, std::uint32_t) {
    const std::uint32_t end = std::min(n_rows, (b + 1) * block);
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (copies[c] != nullptr)
        for (std::uint32_t row = b * block; row < end; ++row) copies[c][row] = columns[c][row];
  });
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (copies[c] != nullptr) columns[c] = {copies[c].get(), 1};
  return copies;
}

// Calls encode(). An error gets the index of the column.
template <class Encode>
void name_column(std::size_t column, const Encode& encode) {
  try {
    encode();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("column " + std::to_string(column) + ": " + error.what());
  }
}

void encode_with_bins(std::span<const RawColumn> columns, Dataset& dataset, const EncodingOptions& options,
                      parallel::ThreadPool& pool) {
  std::vector<NumbersToBin> numbers;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (!columns[c].nominal) numbers.push_back({columns[c].numbers, columns[c].exact, c});
  std::vector<Column> encoded = encode_by_bins(numbers, dataset.n_rows, options.single, options.max_bins, pool);
  for (std::size_t i = 0; i < numbers.size(); ++i) dataset.columns[numbers[i].index] = std::move(encoded[i]);
  pool.for_each(static_cast<std::uint32_t>(columns.size()), [&](std::uint32_t c, std::uint32_t) {
    if (columns[c].nominal) dataset.columns[c] = encode_nominal(columns[c].codes, columns[c].n_values);
  });
}

void encode_exactly(std::span<const RawColumn> columns, Dataset& dataset, const EncodingOptions& options,
                    parallel::ThreadPool& pool) {
  std::vector<Numbers> numbers;
  for (const RawColumn& column : columns) numbers.push_back(column.numbers);
  std::vector<SortScratch> scratch(pool.n_threads());
  auto copies = contiguous(numbers, dataset.n_rows, pool);
  pool.for_each(static_cast<std::uint32_t>(columns.size()), [&](std::uint32_t c, std::uint32_t thread) {
    name_column(c, [&] {
      dataset.columns[c] = columns[c].nominal ? encode_nominal(columns[c].codes, columns[c].n_values)
                                              : encode_continuous(numbers[c], dataset.n_rows, options.single,
                                                                  scratch[thread], columns[c].exact);
    });
    copies[c].reset();  // the next column can use the memory
  });
}

}  // namespace

Dataset encode_dataset(std::span<const RawColumn> columns, std::span<const std::int32_t> classes,
                       std::uint32_t n_classes, const EncodingOptions& options) {
  check(classes, n_classes);
  for (std::size_t c = 0; c < columns.size(); ++c) check_rows(c, columns[c].n_rows, classes);
  Dataset dataset;
  dataset.n_rows = static_cast<std::uint32_t>(classes.size());
  dataset.n_classes = n_classes;
  dataset.has_bins = options.max_bins > 0;
  dataset.classes.assign(classes.begin(), classes.end());
  dataset.columns.resize(columns.size());
  parallel::ThreadPool pool(options.n_threads);
  if (options.max_bins > 0)
    encode_with_bins(columns, dataset, options, pool);
  else
    encode_exactly(columns, dataset, options, pool);
  return dataset;
}

Dataset dataset_of_codes(std::span<CodedColumn> columns, std::span<const std::int32_t> classes, std::uint32_t n_classes,
                         std::uint32_t n_threads) {
  check(classes, n_classes);
  for (std::size_t c = 0; c < columns.size(); ++c)
    check_rows(c, std::visit([](const auto& codes) { return codes.size(); }, columns[c].codes), classes);
  Dataset dataset;
  dataset.n_rows = static_cast<std::uint32_t>(classes.size());
  dataset.n_classes = n_classes;
  dataset.has_bins = true;
  dataset.classes.assign(classes.begin(), classes.end());
  dataset.columns.resize(columns.size());
  parallel::ThreadPool pool(n_threads);
  pool.for_each(static_cast<std::uint32_t>(columns.size()), [&](std::uint32_t c, std::uint32_t) {
    name_column(c, [&] {
      CodedColumn& column = columns[c];
      dataset.columns[c] = column.nominal ? take_nominal_codes(std::move(column.codes), column.n_values)
                                          : take_bin_codes(std::move(column.codes), std::move(column.bins));
    });
  });
  return dataset;
}

Dataset select_columns(const Dataset& dataset, std::span<const std::uint32_t> columns) {
  Dataset selected{.n_rows = dataset.n_rows,
                   .n_classes = dataset.n_classes,
                   .has_bins = dataset.has_bins,
                   .columns = {},
                   .classes = dataset.classes};
  for (const std::uint32_t column : columns) selected.columns.push_back(dataset.columns.at(column));
  return selected;
}

}  // namespace weaklearn::data
