#include "oblique/node_points.hpp"

#include <algorithm>
#include <cmath>

namespace weaklearn::oblique {

Points::Points(const Features& features, std::span<const double> row_weights, std::span<const std::uint32_t> rows,
               Frame frame)
    : columns(features.size()), total(features.dataset().n_classes, 0.0) {
  for (const std::uint32_t row : rows) {
    classes.push_back(static_cast<std::uint32_t>(features.dataset().classes[row]));
    weights.push_back(row_weights[row]);
    total[classes.back()] += weights.back();
  }
  std::vector<double> numbers(rows.size());
  for (std::size_t f = 0; f < columns.size(); ++f) {
    Column& column = columns[f];
    for (std::size_t i = 0; i < rows.size(); ++i) numbers[i] = features.number(f, rows[i]);
    const auto [least, greatest] = std::ranges::minmax(numbers);
    if (least < 0.0 || frame == Frame::unit) column.origin = least;
    if (frame == Frame::unit && std::isfinite(1.0 / (greatest - least))) column.scale = 1.0 / (greatest - least);
    for (std::uint32_t i = 0; i < numbers.size(); ++i) {
      const double number = column.scale * (numbers[i] - column.origin);
      if (number == 0.0) continue;
      column.points.push_back(i);
      column.numbers.push_back(number);
    }
  }
}

void Points::sums(std::span<const double> coefficients, double constant, std::vector<double>& values) const {
  values.assign(size(), constant);
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (coefficients[f] == 0.0) continue;
    const Column& column = columns[f];
    for (std::size_t i = 0; i < column.points.size(); ++i)
      values[column.points[i]] += coefficients[f] * column.numbers[i];
  }
}

Plane Points::unscaled_plane(std::span<const double> coefficients, double constant) const {
  Plane plane{{}, constant};
  for (std::size_t f = 0; f < columns.size(); ++f) {
    const double coefficient = coefficients[f] * columns[f].scale;
    plane.coefficients.push_back(coefficient);
    plane.constant -= coefficient * columns[f].origin;
  }
  return plane;
}

}  // namespace weaklearn::oblique
