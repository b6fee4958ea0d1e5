#include "oblique/line_search.hpp"

#include <array>
#include <utility>

namespace weaklearn::oblique {

void sort_places(std::vector<Place>& places, std::vector<Place>& scratch) {
  constexpr std::size_t few = 200;  // below this, counting the buckets takes longer than comparing
  if (places.size() < few) {
    std::ranges::sort(places, {}, [](const Place& place) { return std::uint64_t{place.key} << 32 | place.item; });
    return;
  }
  constexpr std::uint32_t bits = 11;
  constexpr std::uint32_t n_buckets = 1U << bits;
  static_assert(3 * bits >= 32);
  std::array<std::array<std::uint32_t, n_buckets>, 3> starts{};
  for (const Place& place : places)
    for (std::uint32_t pass = 0; pass < 3; ++pass) ++starts[pass][place.key >> (pass * bits) & (n_buckets - 1)];
  scratch.resize(places.size());
  for (std::uint32_t pass = 0; pass < 3; ++pass) {
    auto& next = starts[pass];
    const std::uint32_t shift = pass * bits;
    if (next[places[0].key >> shift & (n_buckets - 1)] == places.size()) continue;  // all in one bucket
    std::uint32_t sum = 0;
    for (std::uint32_t& start : next) sum += std::exchange(start, sum);
    for (const Place& place : places) scratch[next[place.key >> shift & (n_buckets - 1)]++] = place;
    places.swap(scratch);
  }
}

}  // namespace weaklearn::oblique
