// OC1's best test of one feature: features in order, the first that is better wins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "oblique/line_search.hpp"
#include "oblique/numeric_features.hpp"

namespace weaklearn::oblique {

struct AxisCut {
  std::uint32_t feature = 0;
  double cut = 0.0;  // left is what is below it
  double impurity = criteria::infinite;
};

// The place of each row on the line of a feature, exactly, whatever its precision.
void place_rows(const Features& features, std::size_t f, std::span<const std::uint32_t> rows,
                std::vector<Place>& places);

// Between two neighbours halfway, else a little below the first or above the last. (The program cuts at the last
// itself, and rounding says on which side that point is.)
inline double cut_at(std::size_t n_left, std::size_t n, double before, double after) {
  constexpr double little = 0.0001;
  if (n_left == 0) return after - little * std::max(1.0, std::abs(after));
  if (n_left == n) return before + little * std::max(1.0, std::abs(before));
  const double middle = before / 2 + after / 2;
  return middle > before ? middle : after;
}

template <std::size_t K, class Measure>
AxisCut best_axis_cut(const Features& features, std::span<const double> weights, std::span<const std::uint32_t> rows,
                      std::span<const double> total, Measure& measure, parallel::SeededRandom& random) {
  const std::vector<std::int32_t>& classes = features.dataset().classes;
  const auto class_of = [&](std::uint32_t i) { return static_cast<std::uint32_t>(classes[rows[i]]); };
  const auto weight_of = [&](std::uint32_t i) { return weights[rows[i]]; };
  AxisCut best;
  std::vector<Place> places;
  std::vector<Place> scratch;
  Balance<K> balance;
  for (std::uint32_t f = 0; f < features.size(); ++f) {
    place_rows(features, f, rows, places);
    sort_places(places, scratch);
    const Cut found = best_cut<K>(places, total, class_of, weight_of, measure, balance, random);
    if (f > 0 && !criteria::lower(found.impurity, best.impurity)) continue;
    const auto at = [&](std::size_t i) { return features.number(f, rows[places[i].item]); };
    const std::size_t n = places.size();
    const double before = found.n_left > 0 ? at(found.n_left - 1) : 0.0;
    const double after = found.n_left < n ? at(found.n_left) : 0.0;
    best = {f, cut_at(found.n_left, n, before, after), found.impurity};
    if (best.impurity == 0.0) break;
  }
  return best;
}

}  // namespace weaklearn::oblique
