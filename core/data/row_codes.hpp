// Fast access to the codes of rows, for code that sends rows down whole subtrees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"

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

// Views of the columns of a dataset, or of copies of some rows in which the codes of a row lie side by side. In a large
// dataset each code of a row would be a cache miss.
class RowCodes {
 public:
  explicit RowCodes(const Dataset& dataset);

  const CodeView& of_column(std::size_t column) const { return views_[column]; }

  // Returns the codes of a row of a copy in which all codes are bytes, and otherwise null. That of a column is at the
  // place `places()[column]`.
  const std::uint8_t* bytes_of(std::uint32_t row) const {
    if (!all_bytes_) return nullptr;
    return reinterpret_cast<const std::uint8_t*>(copies_.data()) + std::size_t{row} * bytes_per_row_;
  }
  const std::uint32_t* places() const { return places_.data(); }

  // Becomes a copy of the wanted columns of some rows: row i of the copy is rows[i] of `from`. If `from` is a copy,
  // too, it must have the same columns. Memory is used again.
  void copy_rows(const RowCodes& from, const std::vector<bool>& wanted, std::span<const std::uint32_t> rows);

 private:
  std::vector<CodeView> views_;
  std::vector<std::byte> copies_;
  std::uint32_t bytes_per_row_ = 0;  // of a copy
  std::vector<std::uint32_t> places_;  // of a copy, per column: the first byte of its codes in a row
  bool all_bytes_ = false;  // whether this is a copy of columns whose codes are bytes
};

}  // namespace weaklearn::data
