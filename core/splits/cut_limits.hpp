// How much a cut must leave on each side, and how many cuts a column would have without bins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "splits/node_view.hpp"
#include "splits/sorted_scan.hpp"

namespace weaklearn::splits {

// The effective number of rows on each side of a cut, for relative weights of classes. It may
// fall while rows are added: a heavy row among light ones lowers it.
class EffectiveSides {
 public:
  EffectiveSides(const Sides<double>& sides, std::span<const double> factors) : factors_(factors) {
    for (std::size_t k = 0; k < factors.size(); ++k) {
      low_ += sides.low[k];
      high_ += sides.high[k];
      low_squares_ += sides.low[k] * factors[k];
      high_squares_ += sides.high[k] * factors[k];
    }
  }

  // Returns the effective number of rows on both sides together.
  double all() const { return rows(low_ + high_, low_squares_ + high_squares_); }

  // Moves weight w of class k below the cut.
  void move(std::size_t k, double w) {
    low_ += w;
    high_ -= w;
    low_squares_ += w * factors_[k];
    high_squares_ -= w * factors_[k];
  }

  bool have(double least) const {
    return at_least(rows(low_, low_squares_), least) && at_least(rows(high_, high_squares_), least);
  }

 private:
  static double rows(double weight, double squares) { return squares > 0.0 ? weight * weight / squares : 0.0; }

  std::span<const double> factors_;
  double low_ = 0.0;
  double high_ = 0.0;
  double low_squares_ = 0.0;
  double high_squares_ = 0.0;
};

// Returns C4.5's `minsplit`, the least weight on each side of a cut, from the known weight.
inline double least_side(const NodeView& node, double known) {
  const double tenth = 0.10 * known / static_cast<double>(node.class_weights.size());
  if (at_most(tenth, node.min_objects)) return node.min_objects;
  return std::min(tenth, 25.0);
}

// Returns about how many cuts a column would have at a node without bins, if numbers share bins, and otherwise 0.
// `rows` is the effective number of rows at the node, of which a cut leaves at least `least` on each side.
inline std::uint64_t cuts_without_bins(const data::SharedBins& shared, double rows, double least) {
  const double between = std::max(rows - 2 * least + 1, 0.0);  // if every row had a number of its own
  return static_cast<std::uint64_t>(std::min(shared.share * between, static_cast<double>(shared.n_numbers)));
}

}  // namespace weaklearn::splits
