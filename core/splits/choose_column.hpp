// Chooses the column by which a node is split: the column of the greatest gain ratio among the columns of at least
// average gain, or the column of the greatest gain.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splits/node_view.hpp"

namespace weaklearn::splits {

// Returns the chosen one of some columns, or -1 if none has an acceptable split. The columns are in ascending order,
// and ties go to the lowest. `splits` and `counts_in_average` are those of all columns; the latter is false for nominal
// columns with very many values.
inline int choose(std::span<const Split> splits, std::span<const std::uint32_t> columns,
                  const std::vector<bool>& counts_in_average, bool use_ratio) {
  double sum = 0.0;
  std::size_t n_usable = 0;
  for (const std::uint32_t c : columns) {
    if (at_most(splits[c].gain, -epsilon) || !counts_in_average[c]) continue;
    sum += splits[c].gain;
    ++n_usable;
  }
  const double average = n_usable > 0 ? sum / static_cast<double>(n_usable) : 1e6;
  int best = -1;
  double best_value = -epsilon;
  for (const std::uint32_t c : columns) {
    const Split& split = splits[c];
    if (at_most(split.gain, -epsilon)) continue;
    double value = -epsilon;
    if (!use_ratio)
      value = more(split.split_info, 0.0) ? split.gain : -epsilon;
    else if (at_least(split.gain, average - epsilon) && more(split.split_info, epsilon))
      value = split.gain / split.split_info;
    if (more(value, best_value)) {
      best = static_cast<int>(c);
      best_value = value;
    }
  }
  return best;
}

}  // namespace weaklearn::splits
