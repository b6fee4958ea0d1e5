// OC1's search in one dimension: the best cut of points on a line.
//
// Template parameters: K is the number of classes, or std::dynamic_extent if it is known only at run time. Measure is
// an impurity of two sides (criteria/two_sided_impurities.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "criteria/two_sided_impurities.hpp"
#include "parallel/seeded_random.hpp"

namespace weaklearn::oblique {

// The position of a point on the line. Points of equal keys cannot be separated.
struct Position {
  std::uint32_t key;
  std::uint32_t index;  // of the point
};

// Returns a key in the order of the numbers in single precision. OC1 compares in single precision, so that numbers that
// differ only by the rounding errors of a sum are equal.
inline std::uint32_t key_of(double number) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number) + 0.0F);  // -0 is 0
  return bits ^ ((bits >> 31) != 0 ? 0xffffffffU : 0x80000000U);
}

// Sorts by key. Positions of equal keys stay in the given order.
void sort_positions(std::vector<Position>& positions, std::vector<Position>& scratch);

struct Cut {
  std::size_t n_left = 0;  // the number of positions on the left, which are the first ones
  double impurity = criteria::infinite;
};

// The class weights of the two sides of a split, updated as points change side.
template <std::size_t K>
class SideWeights {
 public:
  // Puts all weight on the right side.
  void reset(std::span<const double> total) {
    if constexpr (K == std::dynamic_extent) {
      left_.resize(total.size());
      right_.resize(total.size());
      total_.resize(total.size());
    }
    std::ranges::fill(left_, 0.0);
    std::ranges::copy(total, right_.begin());
    std::ranges::copy(total, total_.begin());
  }
  void move_left(std::uint32_t k, double weight) { set(k, left_[k] + weight); }
  void move_right(std::uint32_t k, double weight) { set(k, left_[k] - weight); }

  template <class Measure>
  double impurity(Measure& measure) const {
    const std::span<const double, K> left(left_.data(), left_.size());
    const std::span<const double, K> right(right_.data(), right_.size());
    return criteria::impurity_of(measure, criteria::TwoSides<K>{left, right, sum(left), sum(right)});
  }

 private:
  // After all points of a class have left a side, a rounding error may remain. It is set to 0.
  void set(std::uint32_t k, double left) {
    const double noise = criteria::slack * total_[k];
    const double right = total_[k] - left;
    left_[k] = left > noise ? left : 0.0;
    right_[k] = right > noise ? right : 0.0;
  }
  static double sum(std::span<const double, K> side) {
    double n = 0.0;
    for (const double x : side) n += x;
    return n;
  }
  using Weights = std::conditional_t<K == std::dynamic_extent, std::vector<double>, std::array<double, K>>;
  Weights left_{};
  Weights right_{};
  Weights total_{};
};

// Returns the best cut of sorted positions. Points move one by one to the left. A cut of lower impurity wins; a coin
// decides between equal ones. `class_of` and `weight_of` take the index of a point.
template <std::size_t K, class Measure, class ClassOf, class WeightOf>
Cut best_cut(std::span<const Position> positions, std::span<const double> total, const ClassOf& class_of,
             const WeightOf& weight_of, Measure& measure, SideWeights<K>& sides, parallel::SeededRandom& random) {
  sides.reset(total);
  Cut best{0, sides.impurity(measure)};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    sides.move_left(class_of(positions[i].index), weight_of(positions[i].index));
    if (i + 1 < positions.size() && positions[i + 1].key == positions[i].key) continue;
    const double impurity = sides.impurity(measure);
    if (criteria::lower(best.impurity, impurity)) continue;
    if (criteria::lower(impurity, best.impurity) || random.coin()) best = {i + 1, impurity};
  }
  return best;
}

}  // namespace weaklearn::oblique
