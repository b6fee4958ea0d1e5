// Sets of rows, one bit per row.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weaklearn::rules {

using Word = std::uint64_t;
constexpr std::size_t rows_per_word = 64;
// Sets are processed this many words at a time. Their size is a multiple of it, and the bits after the last row are 0.
constexpr std::size_t words_per_block = 4;

inline std::size_t words_for(std::size_t n_rows) {
  const std::size_t rows_per_block = rows_per_word * words_per_block;
  return (n_rows + rows_per_block - 1) / rows_per_block * words_per_block;
}

class RowBits {
 public:
  RowBits() = default;
  explicit RowBits(std::size_t n_rows) : words_(words_for(n_rows), 0) {}

  Word* data() { return words_.data(); }
  const Word* data() const { return words_.data(); }
  std::size_t n_words() const { return words_.size(); }

  void insert(std::size_t row) { words_[row / rows_per_word] |= Word{1} << (row % rows_per_word); }
  bool contains(std::size_t row) const { return (words_[row / rows_per_word] >> (row % rows_per_word) & 1) != 0; }

 private:
  std::vector<Word> words_;
};

// Calls use(row) for each row of a word whose first row is `first_row`.
template <class Use>
void for_each_row(Word word, std::size_t first_row, const Use& use) {
  for (; word != 0; word &= word - 1) use(first_row + static_cast<std::size_t>(std::countr_zero(word)));
}

inline std::vector<std::uint32_t> rows_of(const RowBits& bits) {
  std::vector<std::uint32_t> rows;
  for (std::size_t w = 0; w < bits.n_words(); ++w)
    for_each_row(bits.data()[w], w * rows_per_word,
                 [&](std::size_t row) { rows.push_back(static_cast<std::uint32_t>(row)); });
  return rows;
}

// Writes the set of the rows i for which satisfies(i) is true.
template <class Satisfies>
void write_bits(std::size_t n_rows, Word* words, const Satisfies& satisfies) {
  std::size_t row = 0;
  for (; row + rows_per_word <= n_rows; row += rows_per_word) {
    Word word = 0;
    for (std::size_t j = 0; j < rows_per_word; ++j) word |= Word{satisfies(row + j)} << j;
    *words++ = word;
  }
  if (row == n_rows) return;
  *words = 0;
  for (std::size_t j = 0; row < n_rows; ++row, ++j) *words |= Word{satisfies(row)} << j;
}

}  // namespace weaklearn::rules
