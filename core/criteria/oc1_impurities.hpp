// The six impurities of OC1 (Murthy, Kasif and Salzberg 1994): of a division in two, from the class weights of
// both sides. All are minimised; what is better the larger it is, twoing and the information gained, is
// inverted, and infinite where a division tells nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "criteria/logarithm.hpp"
#include "criteria/tolerance.hpp"

namespace weaklearn::criteria {

constexpr double infinite = std::numeric_limits<double>::infinity();

// K is 2, or std::dynamic_extent.
template <std::size_t K>
struct Division {
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
  double of(const Division<K>& d) const {
    return std::max(minority(d.left, d.n_left), minority(d.right, d.n_right));
  }
};

struct SumMinority {
  explicit SumMinority(std::uint32_t) {}
  template <std::size_t K>
  double of(const Division<K>& d) const {
    return minority(d.left, d.n_left) + minority(d.right, d.n_right);
  }
};

// Of the numbers of the classes; with more than two, of their ranks by weight on the side.
class Variance {
 public:
  explicit Variance(std::uint32_t n_classes) : sorted_(n_classes) {}
  template <std::size_t K>
  double of(const Division<K>& d) {
    return of_side(d.left, d.n_left) + of_side(d.right, d.n_right);
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
  double of(const Division<K>& d) const {
    return (of_side(d.left, d.n_left) + of_side(d.right, d.n_right)) / (d.n_left + d.n_right);
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
  double of(const Division<K>& d) const {
    const double n = d.n_left + d.n_right;
    double whole = 0.0;
    double left = 0.0;
    double right = 0.0;
    bool pure = false;
    for (std::size_t k = 0; k < d.left.size(); ++k) {
      const double x = d.left[k] + d.right[k];
      pure = pure || x == n;
      whole -= x_log2_x(x / n);
      if (d.n_left > 0.0) left -= x_log2_x(d.left[k] / d.n_left);
      if (d.n_right > 0.0) right -= x_log2_x(d.right[k] / d.n_right);
    }
    if (pure) return 0.0;
    const double gain = whole - (d.n_left / n * left + d.n_right / n * right);
    return gain > index_noise ? 1.0 / gain : infinite;
  }
};

struct InverseTwoing {
  explicit InverseTwoing(std::uint32_t) {}
  template <std::size_t K>
  double of(const Division<K>& d) const {
    if (d.n_left <= 0.0 || d.n_right <= 0.0) return infinite;
    const double n = d.n_left + d.n_right;
    double apart = 0.0;
    if constexpr (K == 2) {
      apart = 2.0 * std::abs(d.left[0] / d.n_left - d.right[0] / d.n_right);
    } else {
      for (std::size_t k = 0; k < d.left.size(); ++k) apart += std::abs(d.left[k] / d.n_left - d.right[k] / d.n_right);
    }
    const double value = d.n_left / n * (d.n_right / n) * apart * apart / 4.0;
    return value > index_noise ? 1.0 / value : infinite;
  }
};

// Calls `use` with the impurity of this name; tells whether there is one.
template <class Use>
bool with_division_impurity(std::string_view name, std::uint32_t n_classes, const Use& use) {
  if (name == "twoing") return use(InverseTwoing(n_classes)), true;
  if (name == "gain") return use(InverseGain(n_classes)), true;
  if (name == "gini") return use(WeightedGini(n_classes)), true;
  if (name == "max_minority") return use(MaxMinority(n_classes)), true;
  if (name == "sum_minority") return use(SumMinority(n_classes)), true;
  if (name == "variance") return use(Variance(n_classes)), true;
  return false;
}

// What OC1 asks before any measure: a division into two pure sides of different classes is as good as can be.
template <std::size_t K>
bool is_perfect(const Division<K>& d) {
  std::size_t n_classes_left = 0;
  std::size_t n_classes_right = 0;
  for (std::size_t k = 0; k < d.left.size(); ++k) {
    if (d.left[k] > 0.0 && d.right[k] > 0.0) return false;
    n_classes_left += d.left[k] > 0.0;
    n_classes_right += d.right[k] > 0.0;
  }
  return n_classes_left == 1 && n_classes_right == 1;
}

template <class Measure, std::size_t K>
double impurity_of(Measure& measure, const Division<K>& d) {
  return is_perfect(d) ? 0.0 : measure.of(d);
}

// Whether an impurity is lower than another, noise aside; it may be infinite.
inline bool lower(double a, double b) { return b == infinite ? a < b : less(a, b); }

}  // namespace weaklearn::criteria
