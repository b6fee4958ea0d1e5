// Sorts rows by small whole numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weaklearn::release8 {

// A number with 32 bits, and the index of a row that it belongs to.
struct RowKey {
  std::uint32_t key = 0;
  std::uint32_t row = 0;
};

// Sorts by keys, which are below `bound`, eight bits at a time. Rows of the same key come in any order. `scratch` is
// memory that is kept between calls.
inline void radix_sort(std::vector<RowKey>& keys, std::uint32_t bound, std::vector<RowKey>& scratch) {
  constexpr std::size_t worth_counting = 128;  // below this, comparisons are faster
  constexpr unsigned n_bits = 8;
  if (keys.size() < worth_counting) {
    std::ranges::sort(keys, {}, &RowKey::key);
    return;
  }
  scratch.resize(keys.size());
  for (unsigned shift = 0; shift < 32 && bound >> shift > 0; shift += n_bits) {
    std::array<std::uint32_t, (std::size_t{1} << n_bits) + 1> start{};
    const auto digit = [shift](RowKey key) { return key.key >> shift & ((1U << n_bits) - 1); };
    for (const RowKey key : keys) ++start[digit(key) + 1];
    for (std::size_t d = 1; d < start.size(); ++d) start[d] += start[d - 1];
    for (const RowKey key : keys) scratch[start[digit(key)]++] = key;
    keys.swap(scratch);
  }
}

}  // namespace weaklearn::release8
