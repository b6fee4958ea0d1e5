#include "oblique/numeric_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weaklearn::oblique {
namespace {

// Returns a power of two, so that scaling does not round.
double scale_for(const data::Column& column) {
  constexpr double large = 1e100;
  const double largest = std::max(std::abs(column.values.front()), std::abs(column.values.back()));
  return largest <= large ? 1.0 : std::ldexp(1.0, -std::ilogb(largest) - 1);
}

// If the mean equals one of the values up to rounding, returns that value. Otherwise a split could separate equal rows.
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
  for (std::uint32_t c = 0; c < dataset.columns.size(); ++c) {
    const data::Column& column = dataset.columns[c];
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
      // Of two values, only the second has a feature, because it determines the first. Of more values, each has one.
      bool skip = n_values == 2;
      for (std::uint32_t v = 0; v < column.n_codes; ++v) {
        if (!occurs[v]) continue;
        if (!skip) features_.push_back({c, static_cast<std::int32_t>(v), weight_of[v] / known, 1.0});
        skip = false;
      }
      continue;
    }
    Feature feature{c, -1, 0.0, scale_for(column)};
    double mean = 0.0;
    for (std::uint32_t v = 0; v < column.n_codes; ++v)
      if (occurs[v]) mean += weight_of[v] / known * (column.values[v] * feature.scale);
    feature.missing = without_rounding(mean / feature.scale, column.values) * feature.scale;
    features_.push_back(feature);
  }
}

double Features::number(std::size_t f, std::uint32_t row) const {
  const Feature& feature = features_[f];
  const data::Column& column = dataset_->columns[feature.column];
  const std::uint32_t code = data::code_of(column, row);
  if (code == column.n_codes) return feature.missing;
  if (feature.value >= 0) return code == static_cast<std::uint32_t>(feature.value) ? 1.0 : 0.0;
  return column.values[code] * feature.scale;
}

LinearSplit Features::split_of(const Plane& plane) const {
  LinearSplit split;
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const Feature& feature = features_[f];
    const double coefficient = plane.coefficients[f];
    if (coefficient == 0.0) continue;
    const auto column = static_cast<std::int32_t>(feature.column);
    if (split.terms.empty() || split.terms.back().column != column) {
      split.terms.push_back({});
      split.terms.back().column = column;
    }
    graph::DraftTerm& term = split.terms.back();
    term.missing += coefficient * feature.missing;
    if (feature.value < 0) {
      term.numbers = {coefficient * feature.scale};
      continue;
    }
    term.form = graph::TermForm::values;
    term.numbers.resize(dataset_->columns[feature.column].n_codes, 0.0);
    term.numbers[static_cast<std::size_t>(feature.value)] = coefficient;
  }
  // A plane sends a row left if its sum is below the negated constant, a graph if the sum is at most the threshold.
  split.threshold = std::nextafter(-plane.constant, -std::numeric_limits<double>::infinity());
  return split;
}

}  // namespace weaklearn::oblique
