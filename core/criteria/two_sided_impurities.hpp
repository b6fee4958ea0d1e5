// The six impurities of OC1 (Murthy, Kasif and Salzberg 1994). Each is a function of the class weights of both sides of
// a split. All of them are minimised. Twoing and the information gain, where larger is better, are inverted; they are
// infinite for a split that separates nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "criteria/logarithm.hpp"
#include "criteria/tolerance.hpp"

namespace weaklearn::criteria {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The class weights of the two sides of a split. K is the number of classes: 2, or std::dynamic_extent.
template <std::size_t K>
struct TwoSides {
  std::span<const double, K> left;
  std::span<const double, K> right;
  double n_left = 0.0;
  double n_right = 0.0;
};

inline double minority(std::span<const double> side, double n) {
  double largest = 0.0;
  for (const double x : side) largest = std::max(largest, x);
  return n - largest;
}

struct MaxMinority {
  explicit MaxMinority(std::uint32_t) {}
  template <std::size_t K>
  double of(const TwoSides<K>& sides) const {
    return std::max(minority(sides.left, sides.n_left), minority(sides.right, sides.n_right));
  }
};

struct SumMinority {
  explicit SumMinority(std::uint32_t) {}
  template <std::size_t K>
  double of(const TwoSides<K>& sides) const {
    return minority(sides.left, sides.n_left) + minority(sides.right, sides.n_right);
  }
};

// The variance of the class indices. With more than two classes it is the variance of the ranks of the classes by
// their weight on the side.
class Variance {
 public:
  explicit Variance(std::uint32_t n_classes) : sorted_(n_classes) {}
  template <std::size_t K>
  double of(const TwoSides<K>& sides) {
    return of_side(sides.left, sides.n_left) + of_side(sides.right, sides.n_right);
  }

 private:
  double of_side(std::span<const double> side, double n) {
    if (n <= 0.0) return 0.0;
    std::ranges::copy(side, sorted_.begin());
    if (side.size() > 2) std::ranges::sort(sorted_, std::greater<>());
    double mean = 0.0;
    for (std::size_t k = 0; k < sorted_.size(); ++k) mean += static_cast<double>(k) * (sorted_[k] / n);
    double sum = 0.0;
    for (std::size_t k = 0; k < sorted_.size(); ++k) {
      const double deviation = static_cast<double>(k) - mean;
      sum += sorted_[k] * deviation * deviation;
    }
    return sum;
  }
  std::vector<double> sorted_;
};

struct WeightedGini {
  explicit WeightedGini(std::uint32_t) {}
  template <std::size_t K>
  double of(const TwoSides<K>& sides) const {
    return (of_side(sides.left, sides.n_left) + of_side(sides.right, sides.n_right)) / (sides.n_left + sides.n_right);
  }

 private:
  static double of_side(std::span<const double> side, double n) {
    if (n <= 0.0) return 0.0;
    double squares = 0.0;
    for (const double x : side) squares += (x / n) * (x / n);
    return n * (1.0 - squares);
  }
};

struct InverseGain {
  explicit InverseGain(std::uint32_t) {}
  template <std::size_t K>
  double of(const TwoSides<K>& sides) const {
    const double n = sides.n_left + sides.n_right;
    double whole = 0.0;
    double left = 0.0;
    double right = 0.0;
    bool pure = false;
    for (std::size_t k = 0; k < sides.left.size(); ++k) {
      const double x = sides.left[k] + sides.right[k];
      pure = pure || x == n;
      whole -= x_log2_x(x / n);
      if (sides.n_left > 0.0) left -= x_log2_x(sides.left[k] / sides.n_left);
      if (sides.n_right > 0.0) right -= x_log2_x(sides.right[k] / sides.n_right);
    }
    if (pure) return 0.0;
    const double gain = whole - (sides.n_left / n * left + sides.n_right / n * right);
    return gain > impurity_noise ? 1.0 / gain : infinite;
  }
};

struct InverseTwoing {
  explicit InverseTwoing(std::uint32_t) {}
  template <std::size_t K>
  double of(const TwoSides<K>& sides) const {
    if (sides.n_left <= 0.0 || sides.n_right <= 0.0) return infinite;
    const double n = sides.n_left + sides.n_right;
    double apart = 0.0;
    if constexpr (K == 2) {
      apart = 2.0 * std::abs(sides.left[0] / sides.n_left - sides.right[0] / sides.n_right);
    } else {
      for (std::size_t k = 0; k < sides.left.size(); ++k)
        apart += std::abs(sides.left[k] / sides.n_left - sides.right[k] / sides.n_right);
    }
    const double value = sides.n_left / n * (sides.n_right / n) * apart * apart / 4.0;
    return value > impurity_noise ? 1.0 / value : infinite;
  }
};

// OC1 asks this before any impurity: a split into two pure sides of different classes is perfect.
template <std::size_t K>
bool is_perfect(const TwoSides<K>& sides) {
  std::size_t n_classes_left = 0;
  std::size_t n_classes_right = 0;
  for (std::size_t k = 0; k < sides.left.size(); ++k) {
    if (sides.left[k] > 0.0 && sides.right[k] > 0.0) return false;
    n_classes_left += sides.left[k] > 0.0;
    n_classes_right += sides.right[k] > 0.0;
  }
  return n_classes_left == 1 && n_classes_right == 1;
}

template <class Impurity, std::size_t K>
double impurity_of(Impurity& impurity, const TwoSides<K>& sides) {
  return is_perfect(sides) ? 0.0 : impurity.of(sides);
}

// Whether one impurity is lower than another by more than noise. Either may be infinite.
inline bool lower(double a, double b) { return b == infinite ? a < b : less(a, b); }

}  // namespace weaklearn::criteria
