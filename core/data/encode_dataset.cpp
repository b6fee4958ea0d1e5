#include "data/encode_dataset.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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
  std::vector<Numbers> numbers;
  for (const RawColumn& column : columns) numbers.push_back(column.numbers);
  parallel::ThreadPool pool(options.n_threads);
  std::vector<SortScratch> scratch(pool.n_threads());
  // Codes of bins take so little memory that copies of all columns would be most of it. So few are copied at a time.
  const std::size_t n_at_once = options.max_bins > 0 ? 2 * std::size_t{pool.n_threads()} : columns.size();
  for (std::size_t first = 0; first < columns.size(); first += n_at_once) {
    const std::size_t n = std::min(n_at_once, columns.size() - first);
    auto copies = contiguous(std::span(numbers).subspan(first, n), dataset.n_rows, pool);
    pool.for_each(static_cast<std::uint32_t>(n), [&](std::uint32_t i, std::uint32_t thread) {
      const std::size_t c = first + i;
      try {
        dataset.columns[c] = columns[c].nominal
                                 ? encode_nominal(columns[c].codes, columns[c].n_values)
                                 : encode_continuous(numbers[c], dataset.n_rows, options.single, scratch[thread],
                                                     columns[c].exact, options.max_bins);
        copies[i].reset();  // the next column can use the memory
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("column " + std::to_string(c) + ": " + error.what());
      }
    });
  }
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
    try {
      CodedColumn& column = columns[c];
      dataset.columns[c] = column.nominal ? take_nominal_codes(std::move(column.codes), column.n_values)
                                          : take_bin_codes(std::move(column.codes), std::move(column.bins));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("column " + std::to_string(c) + ": " + error.what());
    }
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
