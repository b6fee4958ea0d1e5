// Codes for those who go from column to column with one row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::data {

// Where the codes of a column are.
struct CodeView {
  const std::byte* first = nullptr;
  std::uint32_t stride = 0;  // from row to row, in bytes
  std::uint32_t width = 0;   // of a code, in bytes

  const std::byte* place(std::uint32_t row) const { return first + std::size_t{row} * stride; }
  std::uint32_t operator[](std::uint32_t row) const {
    if (width == 1) return *reinterpret_cast<const std::uint8_t*>(place(row));
    if (width == 2) return *reinterpret_cast<const std::uint16_t*>(place(row));
    return *reinterpret_cast<const std::uint32_t*>(place(row));
  }
};

// Views of those columns of a dataset that are wanted. Of many rows the codes are copied so that those of a row lie
// together: otherwise each would be a cache miss of its own.
class CodeViews {
 public:
  CodeViews(const Dataset& dataset, const std::vector<bool>& wanted, parallel::Pool& pool);

  // For rows here and there.
  const CodeView& of_row(std::size_t column) const { return of_row_[column]; }
  // For so many ascending rows: if these are a good part of all, those of a column lie closer.
  const CodeView& of_rows(std::size_t column, std::size_t n) const {
    return n >= n_rows_ / 16 ? of_column_[column] : of_row_[column];
  }

 private:
  void put_together(const Dataset& dataset, const std::vector<bool>& wanted, parallel::Pool& pool);

  std::uint32_t n_rows_;
  std::vector<CodeView> of_column_;  // per column: in the dataset
  std::vector<CodeView> of_row_;     // per column: in the copy, if there is one
  std::unique_ptr<std::byte[]> together_;
};

}  // namespace weaklearn::data
