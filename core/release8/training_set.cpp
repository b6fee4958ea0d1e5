#include "release8/training_set.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <variant>

namespace weaklearn::release8 {
namespace {

Column nominal_column(const data::Column& column, std::uint32_t n_rows) {
  Column result;
  result.nominal = true;
  result.ignored = column.n_codes < 2;
  result.n_values = column.n_codes;
  result.codes.resize(n_rows);
  std::visit(
      [&](const auto& codes) {
        for (std::size_t row = 0; row < n_rows; ++row)
          result.codes[row] = codes[row] < column.n_codes ? codes[row] + 1U : 0U;
      },
      column.codes);
  return result;
}

Column continuous_column(const data::Column& column, std::span<const float> weights) {
  Column result;
  result.values.assign(weights.size(), missing_value);
  result.ranks.resize(weights.size());
  for (const double value : column.values) result.rank_values.push_back(static_cast<float>(value));
  std::vector<bool> occurs(column.n_codes, false);
  std::visit(
      [&](const auto& codes) {
        for (std::size_t row = 0; row < weights.size(); ++row) {
          result.ranks[row] = codes[row];
          if (codes[row] >= column.n_codes) continue;
          result.values[row] = static_cast<float>(column.values[codes[row]]);
          if (weights[row] > 0.0F) occurs[codes[row]] = true;
        }
      },
      column.codes);
  for (std::size_t code = 0; code < occurs.size(); ++code) {
    const float value = static_cast<float>(column.values[code]);
    if (occurs[code] && value != missing_value) result.distinct_values.push_back(value);
  }
  return result;
}

bool has_missing(const TrainingSet& set) {
  return std::ranges::any_of(set.columns, [&](const Column& column) {
    return !column.ignored && std::ranges::any_of(set.rows, [&](std::uint32_t row) { return column.is_missing(row); });
  });
}

}  // namespace

float Column::largest_value_up_to(float bound) const {
  return *std::prev(std::ranges::upper_bound(distinct_values, bound));
}

TrainingSet::TrainingSet(const data::Dataset& dataset, std::span<const double> given_weights)
    : n_classes(dataset.n_classes), classes(dataset.classes) {
  weights.reserve(given_weights.size());
  bool integer_weights = true;
  for (std::uint32_t row = 0; row < dataset.n_rows; ++row) {
    const float weight = static_cast<float>(given_weights[row]);
    weights.push_back(weight);
    if (weight == 0.0F) continue;
    rows.push_back(row);
    total_weight += weight;
    unit_weights = unit_weights && weight == 1.0F;
    integer_weights = integer_weights && weight == std::floor(weight);
  }
  columns.reserve(dataset.columns.size());
  for (const data::Column& column : dataset.columns)
    columns.push_back(column.nominal ? nominal_column(column, dataset.n_rows) : continuous_column(column, weights));

  constexpr double largest_exact_count = 16777216.0;  // 2^24: float32 cannot represent 2^24 + 1
  order_matters = !integer_weights || total_weight > largest_exact_count || has_missing(*this);
}

}  // namespace weaklearn::release8
