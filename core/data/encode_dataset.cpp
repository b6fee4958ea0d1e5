#include "data/encode_dataset.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "parallel/thread_pool.hpp"

namespace weaklearn::data {
namespace {

constexpr std::size_t most_rows = std::size_t{1} << 31;

void check(std::span<const RawColumn> columns, std::span<const std::int32_t> classes, std::uint32_t n_classes) {
  if (classes.size() >= most_rows)
    throw std::invalid_argument("got " + std::to_string(classes.size()) + " rows; expected at most 2,147,483,647");
  if (n_classes == 0) throw std::invalid_argument("at least one class is needed");
  for (const std::int32_t k : classes)
    if (k < 0 || static_cast<std::uint32_t>(k) >= n_classes)
      throw std::invalid_argument("a class code is out of range");
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].n_rows != classes.size())
      throw std::invalid_argument("column " + std::to_string(c) + " has " + std::to_string(columns[c].n_rows) +
                                  " rows, the classes " + std::to_string(classes.size()));
}

}  // namespace

Dataset encode_dataset(std::span<const RawColumn> columns, std::span<const std::int32_t> classes,
                       std::uint32_t n_classes, bool single, std::uint32_t n_threads) {
  check(columns, classes, n_classes);
  Dataset dataset;
  dataset.n_rows = static_cast<std::uint32_t>(classes.size());
  dataset.n_classes = n_classes;
  dataset.classes.assign(classes.begin(), classes.end());
  dataset.columns.resize(columns.size());
  std::vector<Numbers> numbers;
  for (const RawColumn& column : columns) numbers.push_back(column.numbers);
  parallel::ThreadPool pool(n_threads);
  auto copies = contiguous(numbers, dataset.n_rows, pool);
  std::vector<EncodingScratch> scratch(pool.n_threads());
  pool.for_each(static_cast<std::uint32_t>(columns.size()), [&](std::uint32_t c, std::uint32_t thread) {
    try {
      dataset.columns[c] = columns[c].nominal ? encode_nominal(columns[c].codes, columns[c].n_values)
                                              : encode_continuous(numbers[c], dataset.n_rows, single, scratch[thread]);
      copies[c].reset();  // the next column can use the memory
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("column " + std::to_string(c) + ": " + error.what());
    }
  });
  return dataset;
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
