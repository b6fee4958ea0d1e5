// OC1's best split by a single feature. Features are tried in order, and a later one must be better to win.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "oblique/line_search.hpp"
#include "oblique/numeric_features.hpp"

namespace weaklearn::oblique {

struct AxisSplit {
  std::uint32_t feature = 0;
  double threshold = 0.0;  // values below it go left
  double impurity = criteria::infinite;
};

// Finds the position of each row on the line of a feature. Positions are ranks, so no precision is lost.
void find_positions(const Features& features, std::size_t f, std::span<const std::uint32_t> rows,
                    std::vector<Position>& positions);

// Returns the threshold of a cut that leaves n_left of n points on the left: the midpoint of the two adjacent values,
// or a value slightly below the first or above the last point. (The original program uses the last value itself, so
// that rounding decides on which side the point is.)
inline double threshold_of_cut(std::size_t n_left, std::size_t n, double before, double after) {
  constexpr double margin = 0.0001;
  if (n_left == 0) return after - margin * std::max(1.0, std::abs(after));
  if (n_left == n) return before + margin * std::max(1.0, std::abs(before));
  const double middle = before / 2 + after / 2;
  return middle > before ? middle : after;
}

template <std::size_t K, class Measure>
AxisSplit best_axis_split(const Features& features, std::span<const double> weights,
                          std::span<const std::uint32_t> rows, std::span<const double> total, Measure& measure,
                          parallel::SeededRandom& random) {
  const std::vector<std::int32_t>& classes = features.dataset().classes;
  const auto class_of = [&](std::uint32_t i) { return static_cast<std::uint32_t>(classes[rows[i]]); };
  const auto weight_of = [&](std::uint32_t i) { return weights[rows[i]]; };
  AxisSplit best;
  std::vector<Position> positions;
  std::vector<Position> scratch;
  SideWeights<K> sides;
  for (std::uint32_t f = 0; f < features.size(); ++f) {
    find_positions(features, f, rows, positions);
    sort_positions(positions, scratch);
    const Cut cut = best_cut<K>(positions, total, class_of, weight_of, measure, sides, random);
    if (f > 0 && !criteria::lower(cut.impurity, best.impurity)) continue;
    const auto value_at = [&](std::size_t i) { return features.number(f, rows[positions[i].index]); };
    const std::size_t n = positions.size();
    const double before = cut.n_left > 0 ? value_at(cut.n_left - 1) : 0.0;
    const double after = cut.n_left < n ? value_at(cut.n_left) : 0.0;
    best = {f, threshold_of_cut(cut.n_left, n, before, after), cut.impurity};
    if (best.impurity == 0.0) break;
  }
  return best;
}

}  // namespace weaklearn::oblique
