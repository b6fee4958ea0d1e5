// The unit of weights in a dataset with bins.
//
// A fit with bins rounds the weights of rows, and of shares of rows of missing value, to multiples of a power of two.
// All of them together are less than 2^53 units. So sums and differences of weights are exact in double precision, and
// no order of rows, threads or parts of the data changes a bit. The unit itself is found without sums that could round:
//
//   1. The largest weight and the number of rows give a first unit, of which n times the largest weight is below 2^63.
//   2. The weights are added up as whole multiples of the first unit, in 64 bits.
//   3. That sum is between 2^50 and 2^51 of the unit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "data/weight_view.hpp"

namespace weaklearn::tree {

class WeightUnit {
 public:
  // Without a unit nothing is rounded.
  WeightUnit() = default;
  // A dataset without bins has no unit. Without weights every row weighs 1.
  WeightUnit(const data::Dataset& dataset, data::WeightView weights);

  // The steps of the comment above, for weights that are in several parts. `n` counts the rows of weight > 0.
  static double first_unit(double largest, std::uint64_t n);
  static std::int64_t sum_in(double first_unit, data::WeightView weights);
  static WeightUnit from_sum(double first_unit, std::int64_t sum);

  bool given() const { return unit_ > 0.0; }
  double value() const { return unit_; }
  // Returns a number that the sum of all weights is not below, also after rounding.
  double least_total() const { return 0x1p49 * unit_; }

  // Rounds the weight of a row. A positive weight is never rounded to 0.
  double of_row(double weight) const { return given() && weight > 0.0 ? at_least_one(weight / unit_) : weight; }
  // Returns the weight of a share of a row. If both are positive, so is the result.
  double of_share(double weight, double share) const {
    if (!given()) return weight * share;
    return weight > 0.0 && share > 0.0 ? at_least_one(weight / unit_ * share) : 0.0;
  }
  // Rounds a number that is added to others of its kind, such as the errors of leaves.
  double nearest(double number) const { return given() ? data::round_to_whole(number / unit_) * unit_ : number; }

 private:
  explicit WeightUnit(double unit) : unit_(unit) {}

  double at_least_one(double units) const { return std::max(data::round_to_whole(units), 1.0) * unit_; }

  double unit_ = 0.0;  // a power of two, or 0
};

}  // namespace weaklearn::tree
