// Reading several columns together, a block of rows at a time. Tables are often arrays row by row: their numbers stay
// in the cache while all columns are read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "data/numbers.hpp"
#include "parallel/thread_pool.hpp"

namespace weaklearn::data {

constexpr std::uint32_t block_rows = 2048;

inline Numbers from_row(Numbers numbers, std::size_t row) {
  return {numbers.first + static_cast<std::ptrdiff_t>(row) * numbers.stride, numbers.stride};
}

// Calls use(first row, number of rows, thread) for each block.
template <class Use>
void for_each_block(std::uint32_t n_rows, parallel::ThreadPool& pool, const Use& use) {
  pool.for_each((n_rows + block_rows - 1) / block_rows, [&](std::uint32_t b, std::uint32_t thread) {
    const std::uint32_t first = b * block_rows;
    use(first, std::min(block_rows, n_rows - first), thread);
  });
}

}  // namespace weaklearn::data
