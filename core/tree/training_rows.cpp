#include "tree/training_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace weaklearn::tree {
namespace {

// Returns the exponent of the lowest bit of a positive number.
int lowest_bit(double number) {
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);  // in [0.5, 1)
  const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, std::numeric_limits<double>::digits));
  return exponent - std::numeric_limits<double>::digits + std::countr_zero(digits);
}

// Returns whether sums of the weights are exact: all are multiples of a power of two, and fewer than 2^53 of it.
bool are_exact(data::WeightView weights, double total) {
  int lowest = std::numeric_limits<int>::max();
  for (std::size_t row = 0; row < weights.size(); ++row)
    if (weights[row] > 0.0) lowest = std::min(lowest, lowest_bit(weights[row]));
  return std::isfinite(total) && std::ilogb(total) - lowest < std::numeric_limits<double>::digits - 1;
}

}  // namespace

TrainingRows::TrainingRows(const data::Dataset& data, data::WeightView given, criteria::ClassFactors factors)
    : dataset(data), weights(given), classes(std::move(factors)), unit(!classes.given()) {
  has_missing = std::ranges::any_of(dataset.columns, [](const data::Column& column) { return column.n_missing > 0; });
  unit_weight = WeightUnit(dataset, weights);
  if (weights.empty() && (has_missing || !unit)) {
    own_weights_.assign(dataset.n_rows, 1.0);
    weights = own_weights_;
  }
  round_weights();
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const double weight = weights[row];
    if (!(weight > 0.0)) continue;
    ++n_present;
    total += weight;
    unit = unit && weight == 1.0;
  }
  if (weights.empty()) {
    n_present = dataset.n_rows;
    total = dataset.n_rows;
  }
  sums_are_exact = unit || unit_weight.given() || (total > 0.0 && are_exact(weights, total));
  if (n_present == dataset.n_rows) return;
  for (const data::Column& column : dataset.columns) {
    std::vector<bool> occurs;
    if (!column.nominal) {
      occurs.resize(std::size_t{column.n_codes} + 1);
      std::visit(
          [&](const auto& codes) {
            for (std::uint32_t row = 0; row < dataset.n_rows; ++row)
              if (weights[row] > 0.0) occurs[codes[row]] = true;
          },
          column.codes);
    }
    occurs_.push_back(std::move(occurs));
  }
}

void TrainingRows::round_weights() {
  const bool is_sorted =
      std::ranges::any_of(dataset.columns, [](const data::Column& column) { return !column.order.empty(); });
  if (weights.numbers() == nullptr && !has_missing && !is_sorted) {
    if (weights.has_counts()) return;  // whole numbers are multiples of the unit
    if (unit_weight.given()) {
      weights = weights.rounded_to(unit_weight.value());
      return;
    }
  }
  std::size_t n_rounded = 0;  // how many of the first weights are rounded already
  if (weights.numbers() != nullptr)
    while (n_rounded < weights.size() && unit_weight.of_row(weights[n_rounded]) == weights[n_rounded]) ++n_rounded;
  if (n_rounded == weights.size()) return;
  std::vector<double> rounded;  // not in own_weights_, where `weights` may be
  rounded.reserve(weights.size());
  for (std::size_t row = 0; row < weights.size(); ++row) rounded.push_back(unit_weight.of_row(weights[row]));
  own_weights_ = std::move(rounded);
  weights = own_weights_;
}

TrainingRows::TrainingRows(const data::Dataset& data, std::span<const double> tables, WeightUnit given_unit,
                           bool all_weigh_one, criteria::ClassFactors factors)
    : dataset(data), classes(std::move(factors)), unit(all_weigh_one && !classes.given()), unit_weight(given_unit) {
  const auto is_present = [](double weight) { return weight > 0.0; };
  for (const data::Column& column : dataset.columns) {
    std::vector<bool> occurs;
    total = 0.0;
    for (std::uint32_t code = 0; code <= column.n_codes; ++code) {
      const auto line = tables.first(dataset.n_classes);
      tables = tables.subspan(dataset.n_classes);
      occurs.push_back(std::ranges::any_of(line, is_present));
      for (const double weight : line) total += weight;
    }
    lacks_values_.push_back(occurs.back());
    occurs_.push_back(std::move(occurs));
  }
}

std::vector<std::uint32_t> TrainingRows::present() const {
  std::vector<std::uint32_t> rows;
  if (weights.empty()) {
    rows.resize(n_present);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
  }
  rows.reserve(n_present);
  for (std::uint32_t row = 0; row < weights.size(); ++row)
    if (weights[row] > 0.0) rows.push_back(row);
  return rows;
}

bool TrainingRows::lacks_values(std::size_t c) const {
  if (!lacks_values_.empty()) return lacks_values_[c];
  const data::Column& column = dataset.columns[c];
  if (column.n_missing == 0) return false;
  return std::visit(
      [&](const auto& codes) {
        for (std::uint32_t row = 0; row < weights.size(); ++row)
          if (codes[row] == column.n_codes && weights[row] > 0.0) return true;
        return false;
      },
      column.codes);
}

std::uint32_t TrainingRows::cut_between(std::size_t c, std::uint32_t low_code, std::uint32_t high_code) const {
  const data::Column& column = dataset.columns[c];
  double midpoint = column.values[low_code] / 2 + column.values[high_code] / 2;
  if (column.single_precision) midpoint = static_cast<float>(midpoint);
  const auto after = std::upper_bound(column.values.begin() + low_code, column.values.begin() + high_code, midpoint);
  // The result is at least the low code: rounding must not move the cut past either of its neighbours.
  auto code = std::max(low_code, static_cast<std::uint32_t>(after - column.values.begin()) - 1);
  if (!occurs_.empty())
    while (!occurs_[c][code]) --code;
  return code;
}

}  // namespace weaklearn::tree
