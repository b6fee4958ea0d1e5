// Fast access to all codes of one row, for code that sends rows down whole subtrees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::parallel {
class ThreadPool;
}

namespace weaklearn::data {

// The location of the codes of a column.
struct CodeView {
  const std::byte* first = nullptr;
  std::uint32_t stride = 0;  // bytes from row to row
  std::uint32_t width = 0;   // bytes of a code

  const std::byte* address(std::uint32_t row) const { return first + std::size_t{row} * stride; }
  std::uint32_t operator[](std::uint32_t row) const {
    if (width == 1) return *reinterpret_cast<const std::uint8_t*>(address(row));
    if (width == 2) return *reinterpret_cast<const std::uint16_t*>(address(row));
    return *reinterpret_cast<const std::uint32_t*>(address(row));
  }
};

// Views of the wanted columns of a dataset. If there are many rows, the codes are copied so that the codes of a row lie
// side by side; otherwise each code would be a cache miss.
class RowCodes {
 public:
  RowCodes(const Dataset& dataset, const std::vector<bool>& wanted, parallel::ThreadPool& pool);

  // For rows in random order.
  const CodeView& of_row(std::size_t column) const { return of_row_[column]; }
  // For n ascending rows. If they are a large share of all rows, the codes of a column lie closer together.
  const CodeView& of_rows(std::size_t column, std::size_t n) const {
    return n >= n_rows_ / 16 ? of_column_[column] : of_row_[column];
  }

 private:
  void interleave(const Dataset& dataset, const std::vector<bool>& wanted, parallel::ThreadPool& pool);

  std::uint32_t n_rows_;
  std::vector<CodeView> of_column_;  // per column: codes in the dataset
  std::vector<CodeView> of_row_;  // per column: codes in the copy, if there is one
  std::unique_ptr<std::byte[]> interleaved_;
};

}  // namespace weaklearn::data
