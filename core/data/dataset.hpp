// Columns encoded once and shared, unchanged, by every fold, round, member and thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace weaklearn::parallel {
class Pool;
}

namespace weaklearn::data {

// Codes take the narrowest type that holds them. The code for "unknown" is Column::n_codes.
using Codes = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>,
                           std::vector<std::uint32_t>>;

// Distinct values, ascending; copies of a column for some of its rows share them.
class Values {
 public:
  Values() : held_(std::make_shared<const std::vector<double>>()) {}
  Values(std::vector<double> values) : held_(std::make_shared<const std::vector<double>>(std::move(values))) {}

  std::size_t size() const { return held_->size(); }
  bool empty() const { return held_->empty(); }
  double operator[](std::size_t code) const { return (*held_)[code]; }
  double front() const { return held_->front(); }
  double back() const { return held_->back(); }
  auto begin() const { return held_->begin(); }
  auto end() const { return held_->end(); }
  bool operator==(const std::vector<double>& other) const { return *held_ == other; }

 private:
  std::shared_ptr<const std::vector<double>> held_;
};

struct Column {
  bool nominal = false;
  bool single_precision = true;       // continuous: the values are exact float32 numbers
  std::uint32_t n_codes = 0;          // nominal: declared values; continuous: distinct values
  std::uint32_t n_unknown = 0;
  Codes codes;                        // per row: a value's number, or its rank among the distinct values
  Values values;                      // continuous: what the codes stand for
  // Continuous, with more codes than fit in a byte: rows with a known value by ascending value, then
  // row. Columns of few values are ordered by counting wherever they are needed.
  std::vector<std::uint32_t> order;
};

struct Dataset {
  std::uint32_t n_rows = 0;
  std::uint32_t n_classes = 0;
  std::vector<Column> columns;
  std::vector<std::int32_t> classes;  // per row
};

// A strided view of numbers as they came in; NaN is unknown.
struct Numbers {
  const double* first = nullptr;
  std::ptrdiff_t stride = 1;
  double operator[](std::size_t row) const { return first[static_cast<std::ptrdiff_t>(row) * stride]; }
};

// Copies strided columns of a row-major array, a block of rows at a time so that every cache line is
// read once, and points `columns` at the copies, which it returns. Contiguous ones stay where they are.
std::vector<std::unique_ptr<double[]>> contiguous(std::span<Numbers> columns, std::uint32_t n_rows,
                                                  parallel::Pool& pool);

// Memory that a thread uses again for every column: fresh pages would cost as much as the sorting.
struct EncodingScratch {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> other_keys;
  std::vector<std::uint32_t> rows;
  std::vector<double> numbers;
};

// Throws std::invalid_argument on an infinite value. With `single`, values are rounded to float32
// whatever is lost; without it only where no two different values become equal.
Column encode_continuous(Numbers numbers, std::uint32_t n_rows, bool single, EncodingScratch& scratch);

// Codes outside [0, n_values) are unknown.
Column encode_nominal(std::span<const std::int32_t> codes, std::uint32_t n_values);

// The same columns for some of the rows, in the order given, without their sorted order.
Dataset select(const Dataset& dataset, std::span<const std::uint32_t> rows);

inline std::uint32_t code_of(const Column& column, std::uint32_t row) {
  return std::visit([row](const auto& codes) { return static_cast<std::uint32_t>(codes[row]); },
                    column.codes);
}

// Asks for what a loop over `order` will look up some steps later: in no order, each look-up of a large
// array would otherwise wait for memory.
constexpr std::size_t looked_ahead = 24;
template <class T>
void prefetch(const T* values, std::span<const std::uint32_t> order, std::size_t i) {
  if (i + looked_ahead < order.size()) __builtin_prefetch(values + order[i + looked_ahead]);
}

}  // namespace weaklearn::data
