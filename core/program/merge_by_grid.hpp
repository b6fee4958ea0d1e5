// The rule "grid": children in the same cell of a grid of class shares are merged (Mansour and McAllester; Elomaa and
// Kaariainen). It is for two classes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "criteria/logarithm.hpp"
#include "program/merge_rule.hpp"

namespace weaklearn::program {

// Cells of the share of the second class, symmetric about 1/2. Let G be the impurity, Delta the gain of the level, I'
// its weighted impurity after the splits, e = Delta/4 and r = 1 + Delta/(4 I'). The first cell holds shares with G < e,
// cell i those with e r^(i-1) <= G < e r^i, and the last cell ends at 1/2. Above 1/2 the cells are the same. Merging
// within cells raises the weighted impurity by at most Delta/4 + (r - 1) I' = Delta/2.
class Grid {
 public:
  Grid(double delta, double after) : edge_(delta / 4) {
    const double step = delta / (4 * after);
    const double ratio = 1.0 + step;
    // log2(1 + step), right to the last digits even if the step is tiny.
    log_ratio_ = ratio == 1.0 ? step * 1.4426950408889634 : criteria::log2_of(ratio) * (step / (ratio - 1.0));
    if (!(after > 0.0) || !std::isfinite(step)) log_ratio_ = std::numeric_limits<double>::infinity();
    inner_ = std::max(1.0, std::ceil(-criteria::log2_of(edge_) / log_ratio_ - criteria::slack));
  }

  // Returns the number of cells, empty ones included.
  double width() const { return 2.0 * (inner_ + 1.0); }

  // Returns whether the cell is above 1/2, and its index on that side.
  std::pair<bool, double> cell(double share, double impurity) const {
    const double position = impurity > 0.0 ? criteria::log2_of(impurity / edge_) / log_ratio_ : -1.0;
    return {criteria::more(share, 0.5),
            position < -criteria::slack ? 0.0 : std::min(std::floor(position + criteria::slack) + 1.0, inner_)};
  }

 private:
  double edge_;
  double log_ratio_;
  double inner_;
};

template <class C>
class MergeByGrid : public MergeRule<C> {
 public:
  MergeByGrid(const WeightedImpurity<C>& impurity, const MergeOptions& options, std::uint32_t n_classes)
      : MergeRule<C>(impurity, options, n_classes) {
    if (n_classes > 2) throw std::invalid_argument("a grid is for two classes");
  }

  Grouping group(const MixedChildren& children) override {
    const Grid grid(children.before - children.after, children.after);
    std::vector<std::pair<bool, double>> cells;
    for (const ClassWeights& child : children.weights) {
      const double n = child[0] + child[1];
      cells.push_back(grid.cell(child[1] / n, this->impurity_.of(child) / n));
    }
    return {groups_by<std::pair<bool, double>>(cells), grid.width()};
  }
};

}  // namespace weaklearn::program
