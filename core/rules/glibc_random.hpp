// The random numbers of the C library that the original program was run with: random() of glibc without a seed, an
// additive feedback generator with 31 words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weaklearn::rules {

class GlibcRandom {
 public:
  GlibcRandom() {
    std::int64_t x = 1;
    for (std::uint32_t& word : words_) {
      word = static_cast<std::uint32_t>(x);
      x = 16807 * x % 2147483647;
    }
    // The word three places before word 31 is word 0 again: x(31 + i) = x(i) for i < 3.
    constexpr int discarded = 310;
    for (int i = 0; i < discarded; ++i) next();
  }

  // Returns a number in [0, 1).
  double uniform() { return static_cast<double>(next() >> 1) / 2147483648.0; }

 private:
  static constexpr std::size_t size = 31;

  // x(i) = x(i - 31) + x(i - 3); words_[oldest_] is x(i - 31), and is replaced by x(i).
  std::uint32_t next() {
    words_[oldest_] += words_[(oldest_ + size - 3) % size];
    const std::uint32_t result = words_[oldest_];
    oldest_ = (oldest_ + 1) % size;
    return result;
  }

  std::array<std::uint32_t, size> words_{};
  std::size_t oldest_ = 3;
};

}  // namespace weaklearn::rules
