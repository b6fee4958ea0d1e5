#include "release8/training_set.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <variant>

namespace weaklearn::release8 {
namespace {

Attribute nominal_attribute(const data::Column& column, std::uint32_t n_rows) {
  Attribute attribute;
  attribute.nominal = true;
  attribute.ignored = column.n_codes < 2;
  attribute.n_values = column.n_codes;
  attribute.numbers.resize(n_rows);
  std::visit(
      [&](const auto& codes) {
        for (std::size_t row = 0; row < n_rows; ++row)
          attribute.numbers[row] = codes[row] < column.n_codes ? codes[row] + 1U : 0U;
      },
      column.codes);
  return attribute;
}

Attribute continuous_attribute(const data::Column& column, std::span<const float> weights) {
  Attribute attribute;
  attribute.values.assign(weights.size(), unknown_value);
  std::vector<bool> occurs(column.n_codes, false);
  std::visit(
      [&](const auto& codes) {
        for (std::size_t row = 0; row < weights.size(); ++row) {
          if (codes[row] >= column.n_codes) continue;
          attribute.values[row] = static_cast<float>(column.values[codes[row]]);
          if (weights[row] > 0.0F) occurs[codes[row]] = true;
        }
      },
      column.codes);
  for (std::size_t code = 0; code < occurs.size(); ++code) {
    const float value = static_cast<float>(column.values[code]);
    if (occurs[code] && value != unknown_value) attribute.distinct_values.push_back(value);
  }
  return attribute;
}

bool has_unknown(const TrainingSet& set) {
  return std::ranges::any_of(set.attributes, [&](const Attribute& attribute) {
    return !attribute.ignored && std::ranges::any_of(set.rows, [&](std::uint32_t row) {
      return attribute.is_unknown(row);
    });
  });
}

}  // namespace

float Attribute::largest_value_up_to(float bound) const {
  return *std::prev(std::ranges::upper_bound(distinct_values, bound));
}

TrainingSet::TrainingSet(const data::Dataset& dataset, std::span<const double> given_weights)
    : n_classes(dataset.n_classes), classes(dataset.classes) {
  weights.reserve(given_weights.size());
  bool whole_weights = true;
  for (std::uint32_t row = 0; row < dataset.n_rows; ++row) {
    const float weight = static_cast<float>(given_weights[row]);
    weights.push_back(weight);
    if (weight == 0.0F) continue;
    rows.push_back(row);
    total_weight += weight;
    unit_weights = unit_weights && weight == 1.0F;
    whole_weights = whole_weights && weight == std::floor(weight);
  }
  attributes.reserve(dataset.columns.size());
  for (const data::Column& column : dataset.columns)
    attributes.push_back(column.nominal ? nominal_attribute(column, dataset.n_rows)
                                        : continuous_attribute(column, weights));

  constexpr double largest_exact_count = 16777216.0;  // 2^24: float32 holds no 2^24 + 1
  order_matters = !whole_weights || total_weight > largest_exact_count || has_unknown(*this);
}

}  // namespace weaklearn::release8
