// The rows of a node as points for the search of a hyperplane. Features are scaled and stored by column, without zeros.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oblique/numeric_features.hpp"

namespace weaklearn::oblique {

enum class Frame : std::uint8_t {
  shifted,  // a feature with negative values is shifted so that its least value is 0
  unit,  // every feature is scaled to the range from 0 to 1
};

struct Points {
  struct Column {
    std::vector<std::uint32_t> points;  // points whose scaled value is not 0, ascending
    std::vector<double> numbers;  // their scaled values: scale * (value of the feature - origin)
    double origin = 0.0;
    double scale = 1.0;
  };

  Points(const Features& features, std::span<const double> weights, std::span<const std::uint32_t> rows, Frame frame);

  std::size_t size() const { return classes.size(); }

  // Computes for each point the sum of coefficient times scaled value, plus the constant.
  void sums(std::span<const double> coefficients, double constant, std::vector<double>& values) const;

  // Returns the same plane in terms of the unscaled features.
  Plane unscaled_plane(std::span<const double> coefficients, double constant) const;

  std::vector<Column> columns;
  std::vector<std::uint32_t> classes;  // per point
  std::vector<double> weights;  // per point
  std::vector<double> total;  // per class
};

}  // namespace weaklearn::oblique
