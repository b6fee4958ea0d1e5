// data/: a table as the learners see it.
//
// Terms: a column is one input variable; its codes are small integers, one per row; a continuous column also has its
// distinct values in ascending order, and the code of a row is the rank of its value. The code n_codes means that the
// value is missing. A dataset is encoded once and shared, unchanged, by every fold, round, member and thread.
//
// Entry points: encode_continuous and encode_nominal (this file) build columns; node_rows.hpp holds the rows of a node
// while a tree grows; presorted_rows.hpp holds rows in sorted order for boosting; row_codes.hpp gives fast access to
// all codes of a row.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "parallel/simd.hpp"

namespace weaklearn::parallel {
class ThreadPool;
}

namespace weaklearn::data {

// Codes use the narrowest type that holds them. The code of a missing value is Column::n_codes.
using Codes = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

// Distinct values in ascending order. A copy of a column for some of its rows shares them.
class Values {
 public:
  Values() : values_(std::make_shared<const std::vector<double>>()) {}
  Values(std::vector<double> values) : values_(std::make_shared<const std::vector<double>>(std::move(values))) {}

  std::size_t size() const { return values_->size(); }
  bool empty() const { return values_->empty(); }
  double operator[](std::size_t code) const { return (*values_)[code]; }
  double front() const { return values_->front(); }
  double back() const { return values_->back(); }
  auto begin() const { return values_->begin(); }
  auto end() const { return values_->end(); }
  bool operator==(const std::vector<double>& other) const { return *values_ == other; }

 private:
  std::shared_ptr<const std::vector<double>> values_;
};

struct Column {
  bool nominal = false;
  bool single_precision = true;       // continuous: the values are exact float32 numbers
  std::uint32_t n_codes = 0;          // nominal: declared values; continuous: distinct values
  std::uint32_t n_missing = 0;
  Codes codes;  // per row: the index of a declared value, or the rank among the distinct values
  Values values;  // continuous: the value of each code
  // Continuous columns whose codes do not fit in a byte: the rows with a known value, by ascending value, then by row.
  // A column with fewer values is ordered by counting where it is needed.
  std::vector<std::uint32_t> order;
};

struct Dataset {
  std::uint32_t n_rows = 0;
  std::uint32_t n_classes = 0;
  std::vector<Column> columns;
  std::vector<std::int32_t> classes;  // per row
};

// A strided view of the numbers that the caller passed. NaN means missing.
struct Numbers {
  const double* first = nullptr;
  std::ptrdiff_t stride = 1;
  double operator[](std::size_t row) const { return first[static_cast<std::ptrdiff_t>(row) * stride]; }
};

// Copies strided columns and makes `columns` point at the copies, which are returned. Contiguous columns are not
// copied. A row-major array is copied one block of rows at a time, so that every cache line is read once.
std::vector<std::unique_ptr<double[]>> contiguous(std::span<Numbers> columns, std::uint32_t n_rows,
                                                  parallel::ThreadPool& pool);

// Memory that a thread reuses for every column. Fresh pages would cost as much as the sorting.
struct EncodingScratch {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> other_keys;
  std::vector<std::uint32_t> rows;
  std::vector<double> numbers;
};

// Encodes a continuous column. Throws std::invalid_argument on an infinite value. With `single`, values are always
// rounded to float32; without it, they are rounded only if no two different values become equal.
Column encode_continuous(Numbers numbers, std::uint32_t n_rows, bool single, EncodingScratch& scratch);

// Encodes a nominal column. Codes outside [0, n_values) mean that the value is missing.
Column encode_nominal(std::span<const std::int32_t> codes, std::uint32_t n_values);

// Returns the same columns for some of the rows, in the given order. The sorted order of the columns is not copied.
Dataset select(const Dataset& dataset, std::span<const std::uint32_t> rows);

inline std::uint32_t code_of(const Column& column, std::uint32_t row) {
  return std::visit([row](const auto& codes) { return static_cast<std::uint32_t>(codes[row]); }, column.codes);
}

// Prefetches the value that a loop over `order` will read some steps later. `order` visits a large array in random
// order, so each read would otherwise wait for memory.
constexpr std::size_t prefetch_distance = 24;
template <class T>
void prefetch(const T* values, std::span<const std::uint32_t> order, std::size_t i) {
  if (i + prefetch_distance < order.size()) parallel::prefetch(values + order[i + prefetch_distance]);
}

}  // namespace weaklearn::data
