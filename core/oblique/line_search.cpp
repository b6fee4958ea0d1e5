#include "oblique/line_search.hpp"

#include <array>
#include <utility>

namespace weaklearn::oblique {

void sort_positions(std::vector<Position>& positions, std::vector<Position>& scratch) {
  constexpr std::size_t few = 200;  // below this, counting the buckets takes longer than comparing
  if (positions.size() < few) {
    const auto key_and_index = [](const Position& p) { return std::uint64_t{p.key} << 32 | p.index; };
    std::ranges::sort(positions, {}, key_and_index);
    return;
  }
  constexpr std::uint32_t bits = 11;
  constexpr std::uint32_t n_buckets = 1U << bits;
  static_assert(3 * bits >= 32);
  std::array<std::array<std::uint32_t, n_buckets>, 3> starts{};
  for (const Position& position : positions)
    for (std::uint32_t pass = 0; pass < 3; ++pass) ++starts[pass][position.key >> (pass * bits) & (n_buckets - 1)];
  scratch.resize(positions.size());
  for (std::uint32_t pass = 0; pass < 3; ++pass) {
    auto& next = starts[pass];
    const std::uint32_t shift = pass * bits;
    if (next[positions[0].key >> shift & (n_buckets - 1)] == positions.size()) continue;  // all in one bucket
    std::uint32_t sum = 0;
    for (std::uint32_t& start : next) sum += std::exchange(start, sum);
    for (const Position& position : positions) scratch[next[position.key >> shift & (n_buckets - 1)]++] = position;
    positions.swap(scratch);
  }
}

}  // namespace weaklearn::oblique
