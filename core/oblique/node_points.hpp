// The rows of a node as points for a hyperplane: per feature those that are not 0, and their numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oblique/numeric_features.hpp"

namespace weaklearn::oblique {

enum class Frame : std::uint8_t {
  shifted,  // features with negative numbers are moved so that the least is 0
  unit,     // every feature lies between 0 and 1
};

struct Points {
  struct Column {
    std::vector<std::uint32_t> points;  // ascending
    std::vector<double> numbers;        // of these points, in the frame
    double origin = 0.0;                // a number is scale * (that of the feature - origin)
    double scale = 1.0;
  };

  Points(const Features& features, std::span<const double> weights, std::span<const std::uint32_t> rows, Frame frame);

  std::size_t size() const { return classes.size(); }

  // What the coefficients add up to at each point, the constant included.
  void sums(std::span<const double> coefficients, double constant, std::vector<double>& values) const;

  // The same plane by the features as they are.
  Plane outside(std::span<const double> coefficients, double constant) const;

  std::vector<Column> columns;
  std::vector<std::uint32_t> classes;  // per point
  std::vector<double> weights;         // per point
  std::vector<double> total;           // per class
};

}  // namespace weaklearn::oblique
