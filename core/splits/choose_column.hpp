// Which attribute a node is split by: the greatest gain ratio among the attributes of at least average
// gain, or the greatest gain.
#pragma once

#include <span>
#include <vector>

#include "splits/node_view.hpp"

namespace weaklearn::splits {

// `counts_in_average` leaves out nominal attributes with very many values. Returns the number of the
// chosen split, or -1 when none is acceptable; of equals the lowest number.
inline int choose(std::span<const Split> splits, const std::vector<bool>& counts_in_average, bool use_ratio) {
  double sum = 0.0;
  std::size_t usable = 0;
  for (std::size_t a = 0; a < splits.size(); ++a) {
    if (at_most(splits[a].gain, -epsilon) || !counts_in_average[a]) continue;
    sum += splits[a].gain;
    ++usable;
  }
  const double average = usable > 0 ? sum / static_cast<double>(usable) : 1e6;
  int best = -1;
  double best_value = -epsilon;
  for (std::size_t a = 0; a < splits.size(); ++a) {
    const Split& split = splits[a];
    if (at_most(split.gain, -epsilon)) continue;
    double value = -epsilon;
    if (!use_ratio)
      value = more(split.split_info, 0.0) ? split.gain : -epsilon;
    else if (at_least(split.gain, average - epsilon) && more(split.split_info, epsilon))
      value = split.gain / split.split_info;
    if (more(value, best_value)) {
      best = static_cast<int>(a);
      best_value = value;
    }
  }
  return best;
}

}  // namespace weaklearn::splits
