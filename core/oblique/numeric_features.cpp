#include "oblique/numeric_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>


namespace weaklearn::oblique {
namespace {

// Of a power of two, so that nothing is rounded.
double scale_for(const data::Column& column) {
  constexpr double large = 1e100;
  const double largest = std::max(std::abs(column.values.front()), std::abs(column.values.back()));
  return largest <= large ? 1.0 : std::ldexp(1.0, -std::ilogb(largest) - 1);
}

// A mean that is one of the values, but for rounding, is that value: no test may part what is equal.
double without_rounding(double mean, const data::Values& values) {
  const auto above = std::ranges::lower_bound(values, mean);
  double nearest = above == values.end() ? values.back() : *above;
  if (above != values.begin() && mean - above[-1] < nearest - mean) nearest = above[-1];
  const double noise = 1e-12 * std::max(std::abs(values.front()), std::abs(values.back()));
  return std::abs(mean - nearest) <= noise ? nearest : mean;
}

}  // namespace

Features::Features(const data::Dataset& dataset, std::span<const double> weights, std::span<const std::uint32_t> rows)
    : dataset_(&dataset) {
  for (std::uint32_t a = 0; a < dataset.columns.size(); ++a) {
    const data::Column& column = dataset.columns[a];
    std::vector<double> weight_of(std::size_t{column.n_codes} + 1, 0.0);
    std::vector<bool> occurs(weight_of.size(), false);
    for (const std::uint32_t row : rows) {
      const std::uint32_t code = data::code_of(column, row);
      weight_of[code] += weights[row];
      occurs[code] = true;
    }
    occurs.pop_back();
    weight_of.pop_back();
    const auto n_values = std::ranges::count(occurs, true);
    if (n_values < 2) continue;
    double known = 0.0;
    for (const double weight : weight_of) known += weight;
    if (column.nominal) {
      // The second of two values says all; the first of more has a feature too.
      bool skip = n_values == 2;
      for (std::uint32_t v = 0; v < column.n_codes; ++v) {
        if (!occurs[v]) continue;
        if (!skip) features_.push_back({a, static_cast<std::int32_t>(v), weight_of[v] / known, 1.0});
        skip = false;
      }
      continue;
    }
    Feature feature{a, -1, 0.0, scale_for(column)};
    double mean = 0.0;
    for (std::uint32_t v = 0; v < column.n_codes; ++v)
      if (occurs[v]) mean += weight_of[v] / known * (column.values[v] * feature.scale);
    feature.unknown = without_rounding(mean / feature.scale, column.values) * feature.scale;
    features_.push_back(feature);
  }
}

double Features::number(std::size_t f, std::uint32_t row) const {
  const Feature& feature = features_[f];
  const data::Column& column = dataset_->columns[feature.attribute];
  const std::uint32_t code = data::code_of(column, row);
  if (code == column.n_codes) return feature.unknown;
  if (feature.value >= 0) return code == static_cast<std::uint32_t>(feature.value) ? 1.0 : 0.0;
  return column.values[code] * feature.scale;
}

LinearTest Features::test_of(const Plane& plane) const {
  LinearTest test;
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const Feature& feature = features_[f];
    const double coefficient = plane.coefficients[f];
    if (coefficient == 0.0) continue;
    const auto attribute = static_cast<std::int32_t>(feature.attribute);
    if (test.terms.empty() || test.terms.back().column != attribute) {
      test.terms.push_back({});
      test.terms.back().column = attribute;
    }
    graph::DraftTerm& term = test.terms.back();
    term.missing += coefficient * feature.unknown;
    if (feature.value < 0) {
      term.numbers = {coefficient * feature.scale};
      continue;
    }
    term.form = graph::TermForm::values;
    term.numbers.resize(dataset_->columns[feature.attribute].n_codes, 0.0);
    term.numbers[static_cast<std::size_t>(feature.value)] = coefficient;
  }
  // Left is where the sum is below the negated constant, in a graph where it is at most the threshold.
  test.threshold = std::nextafter(-plane.constant, -std::numeric_limits<double>::infinity());
  return test;
}

}  // namespace weaklearn::oblique
