// SADT's search for a hyperplane (Heath, Kasif and Salzberg 1993) by simulated annealing. Each step changes one
// coefficient at random. A change that is not worse is accepted. A worse one is accepted with a probability that falls
// with the temperature.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "criteria/logarithm.hpp"
#include "criteria/tolerance.hpp"
#include "oblique/line_search.hpp"
#include "oblique/node_points.hpp"

namespace weaklearn::oblique {

struct Cooling {
  double temperature = 10.0;
  double factor = 0.999;           // the temperature is multiplied by it after each step
  std::uint32_t patience = 10000;  // the search ends after this many steps without a new best plane
};

template <std::size_t K, class Measure>
class Annealer {
 public:
  Annealer(const Points& points, Measure measure) : points_(points), measure_(std::move(measure)) {}

  // Finds the best plane in the frame of the points. The first plane has equal coefficients and splits the points at
  // their mean.
  void anneal(std::vector<double>& coefficients, double& constant, Cooling cooling, parallel::SeededRandom& random) {
    const auto n = static_cast<std::uint32_t>(points_.columns.size());
    std::vector<double> current(n, 1.0);
    double current_constant = -middle(current);
    evaluate(current, current_constant);
    coefficients = current;
    constant = current_constant;
    double best = impurity_;
    double temperature = cooling.temperature;
    std::uint32_t n_unimproved = 0;
    for (; n_unimproved < cooling.patience && best != 0.0; temperature *= cooling.factor) {
      const std::uint32_t f = random.below(n + 1);
      const double change = random.between(-0.5, 0.5);
      const double draw = random.uniform();
      ++n_unimproved;
      const double impurity = f < n ? impurity_after(points_.columns[f], change) : impurity_after(change);
      if (!is_accepted(impurity, draw, temperature)) continue;
      (f < n ? current[f] : current_constant) += change;
      std::swap(values_, moved_values_);
      std::swap(sides_, moved_sides_);
      impurity_ = impurity;
      if (!criteria::lower(impurity_, best)) continue;
      best = impurity_;
      coefficients = current;
      constant = current_constant;
      n_unimproved = 0;
    }
  }

 private:
  // Returns the midpoint of the two adjacent sums around the mean, or a number below the mean if all sums are equal.
  // Points whose values are missing lie exactly at the mean, and rounding must not decide on which side of the plane
  // they are.
  double middle(const std::vector<double>& coefficients) {
    points_.sums(coefficients, 0.0, values_);
    double sum = 0.0;
    double weight = 0.0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      sum += points_.weights[i] * values_[i];
      weight += points_.weights[i];
    }
    const double mean = sum / weight;
    double low = -criteria::infinite;
    double high = criteria::infinite;
    for (const double value : values_) {
      if (criteria::more(value, mean))
        high = std::min(high, value);
      else
        low = std::max(low, value);
    }
    return high == criteria::infinite ? mean - 1.0 : low / 2 + high / 2;
  }

  void evaluate(const std::vector<double>& coefficients, double constant) {
    points_.sums(coefficients, constant, values_);
    sides_.reset(points_.total);
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (values_[i] < 0.0) sides_.move_left(points_.classes[i], points_.weights[i]);
    impurity_ = sides_.impurity(measure_);
  }

  // Returns whether exp(-rise / temperature) > draw. The logarithm used here has the same bits on every machine.
  bool is_accepted(double impurity, double draw, double temperature) const {
    if (!criteria::lower(impurity_, impurity)) return true;
    if (impurity == criteria::infinite) return false;
    constexpr double ln_2 = 0.6931471805599453;
    return draw == 0.0 || -criteria::log2_of(draw) * ln_2 * temperature > impurity - impurity_;
  }

  double impurity_after(const Points::Column& column, double change) {
    moved_sides_ = sides_;
    moved_values_ = values_;
    for (std::size_t i = 0; i < column.points.size(); ++i) move(column.points[i], change * column.numbers[i]);
    return moved_sides_.impurity(measure_);
  }
  double impurity_after(double change) {
    moved_sides_ = sides_;
    moved_values_ = values_;
    for (std::uint32_t i = 0; i < values_.size(); ++i) move(i, change);
    return moved_sides_.impurity(measure_);
  }
  void move(std::uint32_t point, double change) {
    const bool was_left = values_[point] < 0.0;
    moved_values_[point] += change;
    const bool is_left = moved_values_[point] < 0.0;
    if (is_left && !was_left) moved_sides_.move_left(points_.classes[point], points_.weights[point]);
    if (was_left && !is_left) moved_sides_.move_right(points_.classes[point], points_.weights[point]);
  }

  const Points& points_;
  Measure measure_;
  std::vector<double> values_;
  std::vector<double> moved_values_;
  SideWeights<K> sides_;
  SideWeights<K> moved_sides_;
  double impurity_ = 0.0;
};

}  // namespace weaklearn::oblique
