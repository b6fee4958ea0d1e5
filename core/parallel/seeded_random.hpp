// A seeded random number generator: SplitMix64 of Steele, Lea and Flood (2014). It is so small that every node and
// every restart has its own. Results therefore depend neither on the order of work nor on the number of threads.
#pragma once

#include <cstdint>

namespace weaklearn::parallel {

class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += step;
    return mixed(state_);
  }
  bool coin() { return (next() >> 63) != 0; }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // in [0, 1)
  double between(double low, double high) { return low + (high - low) * uniform(); }
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(uniform() * static_cast<double>(bound));
  }

  // Returns the seed of the child with the given index, for example of a node or a restart.
  static std::uint64_t seed_of(std::uint64_t seed, std::uint64_t index) {
    return mixed(mixed(seed + step) + (index + 1) * step);
  }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace weaklearn::parallel
