// OC1's search in one dimension: the best place to cut a line of points.
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

// A point on the line: points of equal keys lie in the same place.
struct Place {
  std::uint32_t key;
  std::uint32_t item;
};

// The key of a number in single precision, in which OC1 compares: what differs by the noise of a sum only lies
// in one place.
inline std::uint32_t key_of(double number) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number) + 0.0F);  // -0 is 0
  return bits ^ ((bits >> 31) != 0 ? 0xffffffffU : 0x80000000U);
}

// By key, then as given.
void sort_places(std::vector<Place>& places, std::vector<Place>& scratch);

struct Cut {
  std::size_t n_left = 0;  // so many places, the first ones, are left of it
  double impurity = criteria::infinite;
};

// The class weights of the two sides of a division, as points change side.
template <std::size_t K>
class Balance {
 public:
  // All is right.
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
  // What is left of a sum when all that went into it has gone is noise.
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

// Moves one place after the other to the left. An impurity lower than the lowest so far is taken, an equal one
// by the toss of a coin. `places` are sorted; class and weight are those of their items.
template <std::size_t K, class Measure, class ClassOf, class WeightOf>
Cut best_cut(std::span<const Place> places, std::span<const double> total, const ClassOf& class_of,
             const WeightOf& weight_of, Measure& measure, Balance<K>& balance, parallel::SeededRandom& random) {
  balance.reset(total);
  Cut best{0, balance.impurity(measure)};
  for (std::size_t i = 0; i < places.size(); ++i) {
    balance.move_left(class_of(places[i].item), weight_of(places[i].item));
    if (i + 1 < places.size() && places[i + 1].key == places[i].key) continue;
    const double impurity = balance.impurity(measure);
    if (criteria::lower(best.impurity, impurity)) continue;
    if (criteria::lower(impurity, best.impurity) || random.coin()) best = {i + 1, impurity};
  }
  return best;
}

}  // namespace weaklearn::oblique
