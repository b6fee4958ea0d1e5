// The weights of the rows of a fit, in the form in which they take least memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weaklearn::data {

// Rounds a number >= 0 to the nearest whole number, ties to even, as std::nearbyint does. Numbers from 2^52 on are
// whole, and adding 2^52 to a smaller one leaves no room for digits after the point. This needs no call.
inline double round_to_whole(double number) {
  constexpr double no_fraction = 4503599627370496.0;
  return number < no_fraction ? (number + no_fraction) - no_fraction : number;
}

// Views of weights that are kept elsewhere. They are numbers, or products of numbers and a factor, or counts of rows in
// one byte each. A product is computed when it is read: boosting keeps the weights of rows as a distribution, and a
// copy of them that counts rows would take as much memory again.
class WeightView {
 public:
  WeightView() = default;  // without weights every row weighs 1
  WeightView(const double* numbers, std::size_t size) : numbers_(numbers), size_(size) {}
  WeightView(std::span<const double> numbers) : WeightView(numbers.data(), numbers.size()) {}
  WeightView(const std::vector<double>& numbers) : WeightView(numbers.data(), numbers.size()) {}
  WeightView(std::span<const std::uint8_t> counts) : counts_(counts.data()), size_(counts.size()) {}
  static WeightView product(std::span<const double> numbers, double factor) {
    if (factor == 1.0) return numbers;
    WeightView view;
    view.unscaled_ = numbers.data();
    view.factor_ = factor;
    view.size_ = numbers.size();
    return view;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // The weights themselves if they are numbers in memory, else null.
  const double* numbers() const { return numbers_; }
  // Whether they are counts of rows in one byte each.
  bool has_counts() const { return counts_ != nullptr; }

  double operator[](std::size_t row) const {
    if (numbers_ != nullptr) return numbers_[row];
    if (counts_ != nullptr) return counts_[row];
    const double product = unscaled_[row] * factor_;
    if (unit_ == 0.0 || !(product > 0.0)) return product;
    return std::max(round_to_whole(product), 1.0) * unit_;
  }

  // Returns the same products, rounded to multiples of a power of two; positive ones are not rounded to 0. The weights
  // must be products.
  WeightView rounded_to(double unit) const {
    WeightView view = *this;
    view.factor_ = factor_ / unit;  // so that the product is in units
    view.unit_ = unit;
    return view;
  }

 private:
  const double* numbers_ = nullptr;
  const double* unscaled_ = nullptr;  // if weights are products
  const std::uint8_t* counts_ = nullptr;
  std::size_t size_ = 0;
  double factor_ = 1.0;
  double unit_ = 0.0;  // 0 if products are not rounded
};

}  // namespace weaklearn::data
