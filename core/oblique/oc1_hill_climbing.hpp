// OC1's search for a hyperplane (Murthy, Kasif and Salzberg 1994), as version 3 of the program does it. A sweep sets
// each coefficient in turn to its best value while the others stay. If a sweep changes nothing, the plane jumps along
// random directions.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "oblique/axis_split.hpp"
#include "oblique/line_search.hpp"
#include "oblique/node_points.hpp"

namespace weaklearn::oblique {

template <std::size_t K, class Measure>
class HillClimber {
 public:
  HillClimber(const Points& points, Measure measure, std::uint32_t n_jumps)
      : points_(points), measure_(std::move(measure)), n_jumps_(n_jumps) {}

  // Improves a plane in the frame of the points.
  void climb(std::vector<double>& coefficients, double& constant, parallel::SeededRandom& random) {
    std::uint32_t n_small_changes = 0;
    for (std::uint32_t sweep = 0; sweep < most_sweeps; ++sweep) {
      evaluate(coefficients, constant);
      bool changed = false;
      for (std::size_t f = 0; f < coefficients.size() && impurity_ != 0.0; ++f)
        changed = improve(f, coefficients[f], n_small_changes, random) || changed;
      if (impurity_ == 0.0) return;
      if (!changed && !jump(coefficients, constant, random)) return;
    }
  }

 private:
  static constexpr double min_change = 0.0001;   // smaller changes of a coefficient or an impurity do not count
  static constexpr std::uint32_t patience = 10;  // this many changes plus one may leave the impurity about the same
  // With very large values, rounding may make each sweep seem to improve the plane although it does not.
  static constexpr std::uint32_t most_sweeps = 500;

  void evaluate(std::span<const double> coefficients, double constant) {
    points_.sums(coefficients, constant, values_);
    impurity_ = impurity_of(values_, sides_);
  }

  double impurity_of(std::span<const double> values, SideWeights<K>& sides) {
    sides.reset(points_.total);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] < 0.0) sides.move_left(points_.classes[i], points_.weights[i]);
    return sides.impurity(measure_);
  }

  bool improve(std::size_t f, double& coefficient, std::uint32_t& n_small_changes, parallel::SeededRandom& random) {
    const Points::Column& column = points_.columns[f];
    if (column.points.empty()) return false;
    crossings_.clear();
    for (std::size_t i = 0; i < column.points.size(); ++i)
      crossings_.push_back({coefficient - values_[column.points[i]] / column.numbers[i], column.points[i]});
    const double change = best_crossing(random) - coefficient;
    if (!(std::abs(change) > min_change && std::isfinite(coefficient + change))) return false;

    moved_sides_ = sides_;
    for (std::size_t i = 0; i < column.points.size(); ++i) {
      const std::uint32_t point = column.points[i];
      const bool was_left = values_[point] < 0.0;
      const bool is_left = values_[point] + change * column.numbers[i] < 0.0;
      if (is_left && !was_left) moved_sides_.move_left(points_.classes[point], points_.weights[point]);
      if (was_left && !is_left) moved_sides_.move_right(points_.classes[point], points_.weights[point]);
    }
    const double impurity = moved_sides_.impurity(measure_);
    if (criteria::lower(impurity_, impurity)) return false;
    const bool is_improved = impurity != impurity_ && impurity_ - impurity > min_change;
    if (!is_improved && n_small_changes > patience) return false;
    n_small_changes = is_improved ? 0 : n_small_changes + 1;
    for (std::size_t i = 0; i < column.points.size(); ++i) values_[column.points[i]] += change * column.numbers[i];
    coefficient += change;
    impurity_ = impurity;
    std::swap(sides_, moved_sides_);
    return true;
  }

  bool jump(std::vector<double>& coefficients, double& constant, parallel::SeededRandom& random) {
    std::vector<double> direction(coefficients.size());
    for (std::uint32_t attempt = 0; attempt < n_jumps_; ++attempt) {
      for (double& component : direction) component = random.between(-1.0, 1.0);
      const double constant_direction = random.between(-1.0, 1.0);
      points_.sums(direction, constant_direction, slopes_);
      crossings_.clear();
      for (std::uint32_t i = 0; i < slopes_.size(); ++i)
        if (slopes_[i] != 0.0) crossings_.push_back({-values_[i] / slopes_[i], i});
      if (crossings_.empty()) continue;
      const double distance = best_crossing(random);
      if (!std::isfinite(distance)) continue;
      for (std::size_t i = 0; i < slopes_.size(); ++i) slopes_[i] = values_[i] + distance * slopes_[i];
      if (!criteria::lower(impurity_of(slopes_, moved_sides_), impurity_)) continue;
      for (std::size_t f = 0; f < coefficients.size(); ++f) coefficients[f] += distance * direction[f];
      constant += distance * constant_direction;
      return true;
    }
    return false;
  }

  // The number at which a point changes side.
  struct Crossing {
    double at;
    std::uint32_t point;
  };

  // Returns the number that splits the points best by their crossings.
  double best_crossing(parallel::SeededRandom& random) {
    positions_.clear();
    total_.assign(points_.total.size(), 0.0);
    for (std::uint32_t i = 0; i < crossings_.size(); ++i) {
      positions_.push_back({key_of(crossings_[i].at), i});
      total_[points_.classes[crossings_[i].point]] += points_.weights[crossings_[i].point];
    }
    sort_positions(positions_, scratch_);
    const auto class_of = [&](std::uint32_t i) { return points_.classes[crossings_[i].point]; };
    const auto weight_of = [&](std::uint32_t i) { return points_.weights[crossings_[i].point]; };
    const Cut cut = best_cut<K>(positions_, total_, class_of, weight_of, measure_, line_sides_, random);
    const std::size_t n = positions_.size();
    const double before = cut.n_left > 0 ? crossings_[positions_[cut.n_left - 1].index].at : 0.0;
    const double after = cut.n_left < n ? crossings_[positions_[cut.n_left].index].at : 0.0;
    return threshold_of_cut(cut.n_left, n, before, after);
  }

  const Points& points_;
  Measure measure_;
  std::uint32_t n_jumps_;
  std::vector<double> values_;  // per point: the sum of the plane
  SideWeights<K> sides_;
  double impurity_ = 0.0;
  // Memory that is reused for every change.
  SideWeights<K> moved_sides_;
  SideWeights<K> line_sides_;
  std::vector<double> slopes_;
  std::vector<Crossing> crossings_;
  std::vector<Position> positions_;
  std::vector<Position> scratch_;
  std::vector<double> total_;
};

}  // namespace weaklearn::oblique
