#include "release8/information.hpp"

#include <algorithm>
#include <cmath>

namespace weaklearn::release8 {

double log2_release8(float x) {
  constexpr double ln_2 = 0.69314718055994530942;
  return x <= 0.0F ? 0.0 : std::log(static_cast<double>(x)) / ln_2;
}

Information::Information(std::size_t largest_count) {
  constexpr std::size_t most_entries = 65536;  // so that the table stays in the cache
  const std::size_t entries = std::min(largest_count + 1, most_entries);
  table_.reserve(entries);
  for (std::size_t count = 0; count < entries; ++count) {
    const float x = static_cast<float>(count);
    table_.push_back(x * log2_release8(x));
  }
  table_limit_ = static_cast<float>(entries);
}

float Information::total(std::span<const float> outcomes) const {
  float sum = 0.0F;
  float weight = 0.0F;
  for (const float x : outcomes) {
    if (x == 0.0F) continue;  // it changes neither sum
    sum = rounded(sum + x_log2_x(x));
    weight += x;
  }
  return rounded(x_log2_x(weight) - sum);
}

}  // namespace weaklearn::release8
