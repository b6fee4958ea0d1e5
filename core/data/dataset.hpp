// data/: a table as the learners see it.
//
// Terms: a column is one input variable; its codes are small integers, one per row; a continuous column also has its
// distinct values in ascending order, and the code of a row is the rank of its value. The code n_codes means that the
// value is missing. A dataset is encoded once and shared, unchanged, by every fold, round, member and thread.
//
// Entry points: encode_dataset.hpp encodes a table (encode_column.hpp one column of it); this file describes the
// result; node_rows.hpp holds the rows of a node while a tree grows; presorted_rows.hpp holds rows in sorted order for
// boosting; row_codes.hpp gives fast access to all codes of a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "data/bins.hpp"

namespace weaklearn::data {

// One code per row. The codes are those of a vector, or lie in memory that is kept elsewhere, such as a mapped file.
// They do not change, so copies share them.
template <class Code>
class CodeArray {
 public:
  using value_type = Code;

  CodeArray() = default;
  CodeArray(std::vector<Code> codes) : size_(codes.size()) {
    const auto owned = std::make_shared<const std::vector<Code>>(std::move(codes));
    first_ = std::shared_ptr<const Code>(owned, owned->data());
  }
  // `owner` keeps the memory of the codes valid.
  CodeArray(std::span<const Code> codes, std::shared_ptr<const void> owner)
      : first_(std::move(owner), codes.data()), size_(codes.size()) {}

  std::size_t size() const { return size_; }
  const Code* data() const { return first_.get(); }
  Code operator[](std::size_t row) const { return first_.get()[row]; }
  const Code* begin() const { return data(); }
  const Code* end() const { return data() + size_; }
  bool operator==(const CodeArray& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  std::shared_ptr<const Code> first_;
  std::size_t size_ = 0;
};

// Codes use the narrowest type that holds them. The code of a missing value is Column::n_codes.
using Codes = std::variant<CodeArray<std::uint8_t>, CodeArray<std::uint16_t>, CodeArray<std::uint32_t>>;

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
  double least_gap = 0.0;  // of a column with bins: the least difference of adjacent values
  SharedBins shared_bins;  // of a column with bins: the numbers that share one
  // Continuous columns whose codes do not fit in a byte: the rows with a known value, by ascending value, then by row.
  // A column with fewer values is ordered by counting where it is needed.
  std::vector<std::uint32_t> order;
};

struct Dataset {
  std::uint32_t n_rows = 0;
  std::uint32_t n_classes = 0;
  bool has_bins = false;  // whether numbers were cut into bins; see encode_dataset.hpp
  std::vector<Column> columns;
  std::vector<std::int32_t> classes;  // per row
};

// Returns the same columns for some of the rows, in the given order. The sorted order of the columns is not copied.
Dataset select(const Dataset& dataset, std::span<const std::uint32_t> rows);

inline std::uint32_t code_of(const Column& column, std::uint32_t row) {
  return std::visit([row](const auto& codes) { return static_cast<std::uint32_t>(codes[row]); }, column.codes);
}

// Returns the memory that a dataset takes, in bytes.
std::size_t n_bytes(const Dataset& dataset);

}  // namespace weaklearn::data
