// OC1's search for a hyperplane (Murthy, Kasif and Salzberg 1994), as version 3 of the program does it: one
// coefficient after the other is set to its best value while the others stay; where a whole round changes
// nothing, the plane jumps along random directions.
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

  // Improves a plane, given and returned in the frame of the points.
  void climb(std::vector<double>& coefficients, double& constant, parallel::SeededRandom& random) {
    std::uint32_t standstill = 0;
    for (std::uint32_t sweep = 0; sweep < most_sweeps; ++sweep) {
      look_at(coefficients, constant);
      bool changed = false;
      for (std::size_t f = 0; f < coefficients.size() && impurity_ != 0.0; ++f)
        changed = improve(f, coefficients[f], standstill, random) || changed;
      if (impurity_ == 0.0) return;
      if (!changed && !jump(coefficients, constant, random)) return;
    }
  }

 private:
  static constexpr double noticeable = 0.0001;    // of a coefficient or an impurity: what counts as a change
  static constexpr std::uint32_t patience = 10;  // changes without notice that are followed, but for one
  // Numbers so large that their sums round may seem better each time, and no better when they are added up anew.
  static constexpr std::uint32_t most_sweeps = 500;

  void look_at(std::span<const double> coefficients, double constant) {
    points_.sums(coefficients, constant, values_);
    impurity_ = impurity_of(values_, balance_);
  }

  double impurity_of(std::span<const double> values, Balance<K>& balance) {
    balance.reset(points_.total);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] < 0.0) balance.move_left(points_.classes[i], points_.weights[i]);
    return balance.impurity(measure_);
  }

  bool improve(std::size_t f, double& coefficient, std::uint32_t& standstill, parallel::SeededRandom& random) {
    const Points::Column& column = points_.columns[f];
    if (column.points.empty()) return false;
    turns_.clear();
    for (std::size_t i = 0; i < column.points.size(); ++i)
      turns_.push_back({coefficient - values_[column.points[i]] / column.numbers[i], column.points[i]});
    const double change = best_turn(random) - coefficient;
    if (!(std::abs(change) > noticeable && std::isfinite(coefficient + change))) return false;

    moved_ = balance_;
    for (std::size_t i = 0; i < column.points.size(); ++i) {
      const std::uint32_t point = column.points[i];
      const bool was_left = values_[point] < 0.0;
      const bool is_left = values_[point] + change * column.numbers[i] < 0.0;
      if (is_left && !was_left) moved_.move_left(points_.classes[point], points_.weights[point]);
      if (was_left && !is_left) moved_.move_right(points_.classes[point], points_.weights[point]);
    }
    const double impurity = moved_.impurity(measure_);
    if (criteria::lower(impurity_, impurity)) return false;
    const bool noticed = impurity != impurity_ && impurity_ - impurity > noticeable;
    if (!noticed && standstill > patience) return false;
    standstill = noticed ? 0 : standstill + 1;
    for (std::size_t i = 0; i < column.points.size(); ++i)
      values_[column.points[i]] += change * column.numbers[i];
    coefficient += change;
    impurity_ = impurity;
    std::swap(balance_, moved_);
    return true;
  }

  bool jump(std::vector<double>& coefficients, double& constant, parallel::SeededRandom& random) {
    std::vector<double> direction(coefficients.size());
    for (std::uint32_t attempt = 0; attempt < n_jumps_; ++attempt) {
      for (double& part : direction) part = random.between(-1.0, 1.0);
      const double part_of_constant = random.between(-1.0, 1.0);
      points_.sums(direction, part_of_constant, slopes_);
      turns_.clear();
      for (std::uint32_t i = 0; i < slopes_.size(); ++i)
        if (slopes_[i] != 0.0) turns_.push_back({-values_[i] / slopes_[i], i});
      if (turns_.empty()) continue;
      const double way = best_turn(random);
      if (!std::isfinite(way)) continue;
      for (std::size_t i = 0; i < slopes_.size(); ++i) slopes_[i] = values_[i] + way * slopes_[i];
      if (!criteria::lower(impurity_of(slopes_, moved_), impurity_)) continue;
      for (std::size_t f = 0; f < coefficients.size(); ++f) coefficients[f] += way * direction[f];
      constant += way * part_of_constant;
      return true;
    }
    return false;
  }

  // Where a point changes side as a number grows.
  struct Turn {
    double at;
    std::uint32_t point;
  };

  // The number that divides the points best by their turns.
  double best_turn(parallel::SeededRandom& random) {
    places_.clear();
    total_.assign(points_.total.size(), 0.0);
    for (std::uint32_t i = 0; i < turns_.size(); ++i) {
      places_.push_back({key_of(turns_[i].at), i});
      total_[points_.classes[turns_[i].point]] += points_.weights[turns_[i].point];
    }
    sort_places(places_, scratch_);
    const auto class_of = [&](std::uint32_t i) { return points_.classes[turns_[i].point]; };
    const auto weight_of = [&](std::uint32_t i) { return points_.weights[turns_[i].point]; };
    const Cut cut = best_cut<K>(places_, total_, class_of, weight_of, measure_, line_, random);
    const std::size_t n = places_.size();
    const double before = cut.n_left > 0 ? turns_[places_[cut.n_left - 1].item].at : 0.0;
    const double after = cut.n_left < n ? turns_[places_[cut.n_left].item].at : 0.0;
    return cut_at(cut.n_left, n, before, after);
  }

  const Points& points_;
  Measure measure_;
  std::uint32_t n_jumps_;
  std::vector<double> values_;  // of the plane at the points
  Balance<K> balance_;          // of the two sides
  double impurity_ = 0.0;
  // Memory used again for every change.
  Balance<K> moved_;
  Balance<K> line_;
  std::vector<double> slopes_;
  std::vector<Turn> turns_;
  std::vector<Place> places_;
  std::vector<Place> scratch_;
  std::vector<double> total_;
};

}  // namespace weaklearn::oblique
