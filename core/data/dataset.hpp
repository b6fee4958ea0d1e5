// Columns encoded once and shared, unchanged, by every fold, round, member and thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace weaklearn::data {

// Codes take the narrowest type that holds them. The code for "unknown" is Column::n_codes.
using Codes = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>,
                           std::vector<std::uint32_t>>;

struct Column {
  bool nominal = false;
  bool single_precision = true;       // continuous: the values are exact float32 numbers
  std::uint32_t n_codes = 0;          // nominal: declared values; continuous: distinct values
  std::uint32_t n_unknown = 0;
  Codes codes;                        // per row: a value's number, or its rank among the distinct values
  std::vector<double> values;         // continuous: the distinct values, ascending
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

// Throws std::invalid_argument on an infinite value. With `single`, values are rounded to float32
// whatever is lost; without it only where no two different values become equal.
Column encode_continuous(Numbers numbers, std::uint32_t n_rows, bool single);

// Codes outside [0, n_values) are unknown.
Column encode_nominal(std::span<const std::int32_t> codes, std::uint32_t n_values);

inline std::uint32_t code_of(const Column& column, std::uint32_t row) {
  return std::visit([row](const auto& codes) { return static_cast<std::uint32_t>(codes[row]); },
                    column.codes);
}

}  // namespace weaklearn::data
