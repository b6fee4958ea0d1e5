#include "tree/weight_unit.hpp"

#include <bit>
#include <cstddef>
#include <limits>
#include <vector>

namespace weaklearn::tree {
namespace {

// Returns a power of two. Weights are multiples of the smallest positive number, so no unit is smaller.
double power_of_two(int exponent) {
  return std::max(std::ldexp(1.0, exponent), std::numeric_limits<double>::denorm_min());
}

}  // namespace

WeightUnit::WeightUnit(const data::Dataset& dataset, data::WeightView weights) {
  if (!dataset.has_bins) return;
  double largest = 0.0;
  std::uint64_t n = 0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const double weight = weights[row];
    largest = std::max(largest, weight);
    n += weight > 0.0;
  }
  if (weights.empty()) {  // every row weighs 1
    largest = 1.0;
    n = dataset.n_rows;
  }
  if (n == 0) return;
  const double first = first_unit(largest, n);
  const std::vector<double> one{1.0};
  *this = from_sum(first, weights.empty() ? static_cast<std::int64_t>(n) * sum_in(first, one) : sum_in(first, weights));
}

double WeightUnit::first_unit(double largest, std::uint64_t n) {
  return power_of_two(std::ilogb(largest) + 1 + static_cast<int>(std::bit_width(n)) - 63);
}

std::int64_t WeightUnit::sum_in(double first_unit, data::WeightView weights) {
  std::int64_t sum = 0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const double weight = weights[row];
    if (weight > 0.0) sum += static_cast<std::int64_t>(data::round_to_whole(weight / first_unit));
  }
  return sum;
}

// Rounding changes the total by less than one part in 2^18, also with 2^32 rows that are rounded up to one unit. So it
// remains far below 2^53 units.
WeightUnit WeightUnit::from_sum(double first_unit, std::int64_t sum) {
  const int digits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(sum)));
  return WeightUnit(power_of_two(std::ilogb(first_unit) + digits - 51));
}

}  // namespace weaklearn::tree
