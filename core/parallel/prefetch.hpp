// Prefetching in loops that visit a large array in random order, where each read would otherwise wait for memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "parallel/simd.hpp"

namespace weaklearn::parallel {

constexpr std::size_t prefetch_distance = 24;  // steps from the prefetch to the read

// Prefetches the value that a loop over `order` will read some steps later.
template <class T>
void prefetch_ahead(const T* values, std::span<const std::uint32_t> order, std::size_t i) {
  if (i + prefetch_distance < order.size()) prefetch(values + order[i + prefetch_distance]);
}

}  // namespace weaklearn::parallel
