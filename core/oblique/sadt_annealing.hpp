// SADT's search for a hyperplane (Heath, Kasif and Salzberg 1993): a random change of one coefficient at a time,
// followed whenever it is no worse, and with a random that falls with the temperature where it is.
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
  double factor = 0.999;        // of the temperature from step to step
  std::uint32_t patience = 10000;  // steps without a new best plane that end the search
};

template <std::size_t K, class Measure>
class Annealer {
 public:
  Annealer(const Points& points, Measure measure) : points_(points), measure_(std::move(measure)) {}

  // The best plane met, in the frame of the points. The first one has equal coefficients, and parts the points at their
  // mean.
  void anneal(std::vector<double>& coefficients, double& constant, Cooling cooling, parallel::SeededRandom& random) {
    const auto n = static_cast<std::uint32_t>(points_.columns.size());
    std::vector<double> present(n, 1.0);
    double present_constant = -middle(present);
    look_at(present, present_constant);
    coefficients = present;
    constant = present_constant;
    double best = impurity_;
    double temperature = cooling.temperature;
    for (std::uint32_t waited = 0; waited < cooling.patience && best != 0.0; temperature *= cooling.factor) {
      const std::uint32_t f = random.below(n + 1);
      const double change = random.between(-0.5, 0.5);
      const double luck = random.uniform();
      ++waited;
      const double impurity = f < n ? impurity_after(points_.columns[f], change) : impurity_after(change);
      if (!is_followed(impurity, luck, temperature)) continue;
      (f < n ? present[f] : present_constant) += change;
      std::swap(values_, moved_values_);
      std::swap(balance_, moved_);
      impurity_ = impurity;
      if (!criteria::lower(impurity_, best)) continue;
      best = impurity_;
      coefficients = present;
      constant = present_constant;
      waited = 0;
    }
  }

 private:
  // Halfway between the two neighbouring sums that have the mean between them, or below them where all are equal.
  // Points whose values were missing lie right at the mean, and rounding must not say on which side of a plane they
  // are.
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

  void look_at(const std::vector<double>& coefficients, double constant) {
    points_.sums(coefficients, constant, values_);
    balance_.reset(points_.total);
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (values_[i] < 0.0) balance_.move_left(points_.classes[i], points_.weights[i]);
    impurity_ = balance_.impurity(measure_);
  }

  // exp(-rise / temperature) > luck, by a logarithm that is the same on every machine.
  bool is_followed(double impurity, double luck, double temperature) const {
    if (!criteria::lower(impurity_, impurity)) return true;
    if (impurity == criteria::infinite) return false;
    constexpr double ln_2 = 0.6931471805599453;
    return luck == 0.0 || -criteria::log2_of(luck) * ln_2 * temperature > impurity - impurity_;
  }

  double impurity_after(const Points::Column& column, double change) {
    moved_ = balance_;
    moved_values_ = values_;
    for (std::size_t i = 0; i < column.points.size(); ++i)
      move(column.points[i], change * column.numbers[i]);
    return moved_.impurity(measure_);
  }
  double impurity_after(double change) {
    moved_ = balance_;
    moved_values_ = values_;
    for (std::uint32_t i = 0; i < values_.size(); ++i) move(i, change);
    return moved_.impurity(measure_);
  }
  void move(std::uint32_t point, double change) {
    const bool was_left = values_[point] < 0.0;
    moved_values_[point] += change;
    const bool is_left = moved_values_[point] < 0.0;
    if (is_left && !was_left) moved_.move_left(points_.classes[point], points_.weights[point]);
    if (was_left && !is_left) moved_.move_right(points_.classes[point], points_.weights[point]);
  }

  const Points& points_;
  Measure measure_;
  std::vector<double> values_;
  std::vector<double> moved_values_;
  Balance<K> balance_;
  Balance<K> moved_;
  double impurity_ = 0.0;
};

}  // namespace weaklearn::oblique
