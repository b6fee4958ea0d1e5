#pragma once

#include <cstdint>
#include <vector>

namespace weaklearn::tree {

enum class Criterion : std::uint8_t { gain_ratio, gain, gini, km, error, tabulated };

struct C45Options {
  Criterion criterion = Criterion::gain_ratio;
  std::vector<double> impurities;  // of the criterion `tabulated`: see criteria::Tabulated
  double min_objects = 2.0;
  double confidence = 0.25;  // a share, not a percentage
  bool prune = true;
  bool subset = false;
  bool grouping = false;  // nominal values in two groups
  bool collapse = true;
  bool threshold_penalty = true;
  std::uint32_t max_depth = UINT32_MAX;
  std::uint32_t n_threads = 1;
};

}  // namespace weaklearn::tree
