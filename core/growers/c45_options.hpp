#pragma once

#include <cstdint>

namespace weaklearn::growers {

enum class Criterion : std::uint8_t { gain_ratio, gain, gini, km };

struct C45Options {
  Criterion criterion = Criterion::gain_ratio;
  double min_objects = 2.0;
  double confidence = 0.25;  // a share, not a percentage
  bool prune = true;
  bool subset = false;
  bool threshold_penalty = true;
  std::uint32_t max_depth = UINT32_MAX;
  std::uint32_t n_threads = 1;
};

}  // namespace weaklearn::growers
