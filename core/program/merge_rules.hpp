// Which children of a level become one node: by a grid of shares, by a budget of the index, or so that a
// level is no wider than told. All see only class weights, scaled so that those of the whole level sum to 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "criteria/criterion.hpp"
#include "criteria/tolerance.hpp"
#include "program/merge_rows.hpp"

namespace weaklearn::program {

using criteria::impurity_noise;

using ClassWeights = std::vector<double>;

// The weighted impurity of nodes, 1 for a whole level whose classes are equally heavy in every node.
template <criteria::Criterion C>
class Index {
 public:
  explicit Index(const C& criterion, std::uint32_t n_classes) : criterion_(criterion) {
    // C4.5's entropy is in bits.
    if constexpr (C::in_bits)
      scale_ = n_classes > 1 ? 1.0 / criteria::log2_of_count(n_classes) : 0.0;
  }

  double of(std::span<const double> weights) const {
    double n = 0.0;
    double largest = 0.0;
    for (const double x : weights) {
      n += x;
      largest = std::max(largest, x);
    }
    return largest == n ? 0.0 : scale_ * criteria::impurity_of(criterion_, weights, n);
  }

  // By how much uniting two nodes raises it.
  double rise(std::span<const double> a, std::span<const double> b, double of_both) const {
    ClassWeights& sum = scratch_;
    sum.assign(a.begin(), a.end());
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += b[k];
    return of(sum) - of_both;
  }

 private:
  const C& criterion_;
  double scale_ = 1.0;
  mutable ClassWeights scratch_;
};

// Cells of the share of the second of two classes, symmetric about 1/2 (Mansour and McAllester; Elomaa and
// Kaariainen). With G the impurity, e = Delta/4 and r = 1 + Delta/(4 I'), the first cell holds what has
// G < e, cell i what has e r^(i-1) <= G < e r^i, and the last one ends at the middle; the same above it.
// United within cells, the index rises by at most Delta/4 + (r - 1) I' = Delta/2.
class Grid {
 public:
  Grid(double delta, double after) : edge_(delta / 4) {
    const double step = delta / (4 * after);
    const double ratio = 1.0 + step;
    // The logarithm of 1 + step, right to the last digits where the step is tiny.
    log_ratio_ = ratio == 1.0 ? step * 1.4426950408889634 : criteria::log2_of(ratio) * (step / (ratio - 1.0));
    if (!(after > 0.0) || !std::isfinite(step)) log_ratio_ = std::numeric_limits<double>::infinity();
    inner_ = std::max(1.0, std::ceil(-criteria::log2_of(edge_) / log_ratio_ - criteria::slack));
  }

  double width() const { return 2.0 * (inner_ + 1.0); }  // cells, empty ones included

  // Whether above the middle, and which one there.
  std::pair<bool, double> cell(double share, double impurity) const {
    const double place = impurity > 0.0 ? criteria::log2_of(impurity / edge_) / log_ratio_ : -1.0;
    return {criteria::more(share, 0.5),
            place < -criteria::slack ? 0.0 : std::min(std::floor(place + criteria::slack) + 1.0, inner_)};
  }

 private:
  double edge_;
  double log_ratio_;
  double inner_;
};

// Children of the same key in one group; groups by their first members, as all groups are.
template <class Key>
Groups groups_by(std::span<const Key> keys) {
  std::map<Key, std::size_t> place_of;
  Groups groups;
  for (std::uint32_t c = 0; c < keys.size(); ++c) {
    const auto [place, is_new] = place_of.try_emplace(keys[c], groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(c);
  }
  return groups;
}

template <criteria::Criterion C>
Groups by_grid(const Index<C>& index, const std::vector<ClassWeights>& children, const Grid& grid) {
  std::vector<std::pair<bool, double>> cells;
  for (const ClassWeights& child : children) {
    const double n = child[0] + child[1];
    cells.push_back(grid.cell(child[1] / n, index.of(child) / n));
  }
  return groups_by<std::pair<bool, double>>(cells);
}

// Unites pairs of groups, the one that raises the index least first; of equals the first, in the order of
// the groups' first members. Each group knows a lower bound of what uniting it with a later one costs, and
// looks again only when it comes to that: a pair that is gone can only make it dearer.
template <criteria::Criterion C>
class Agglomeration {
 public:
  Agglomeration(const Index<C>& index, std::vector<ClassWeights> children)
      : index_(index), weights_(std::move(children)) {
    for (std::uint32_t c = 0; c < weights_.size(); ++c) {
      groups_.push_back({c});
      of_.push_back(index_.of(weights_[c]));
      next_.push_back(c + 1);
    }
    least_.resize(weights_.size());
    fresh_.resize(weights_.size());
    partner_of_.resize(weights_.size());
    n_groups_ = weights_.size();
    for (std::uint32_t i = 0; i < weights_.size(); ++i) look_again(i);
  }

  std::size_t n_groups() const { return n_groups_; }

  // What the next step costs.
  double next_rise() {
    double least = dear;
    while (true) {
      std::uint32_t best = 0;
      least = dear;
      for (std::uint32_t i = 0; i < end(); i = next_[i])
        if (least_[i] < least) {
          least = least_[i];
          best = i;
        }
      if (least == dear || fresh_[best]) break;
      look_again(best);
    }
    for (first_ = 0;; first_ = next_[first_]) {
      if (least_[first_] <= least + impurity_noise && !fresh_[first_]) look_again(first_);
      if (least_[first_] <= least + impurity_noise) break;
    }
    for (second_ = next_[first_];; second_ = next_[second_])
      if (const double rise = rise_of(first_, second_); rise <= least + impurity_noise) return rise;
  }

  // Takes the step that `next_rise` found.
  void unite() {
    auto& group = groups_[first_];
    group.insert(group.end(), groups_[second_].begin(), groups_[second_].end());
    std::ranges::sort(group);
    for (std::size_t k = 0; k < weights_[first_].size(); ++k) weights_[first_][k] += weights_[second_][k];
    of_[first_] = index_.of(weights_[first_]);
    std::uint32_t before = first_;
    while (next_[before] != second_) before = next_[before];
    next_[before] = next_[second_];
    --n_groups_;
    for (std::uint32_t i = 0; i != first_; i = next_[i]) {
      if (const double rise = rise_of(i, first_); rise < least_[i]) {
        least_[i] = rise;
        partner_of_[i] = first_;
        fresh_[i] = true;
      } else if (partner_of_[i] == first_ || partner_of_[i] == second_) {
        fresh_[i] = false;
      }
    }
    for (std::uint32_t i = next_[first_]; i < second_ && i < end(); i = next_[i])
      if (partner_of_[i] == second_) fresh_[i] = false;
    look_again(first_);
  }

  Groups groups() const {
    Groups left;
    for (std::uint32_t i = 0; i < end(); i = next_[i]) left.push_back(groups_[i]);
    return left;
  }

 private:
  static constexpr double dear = std::numeric_limits<double>::infinity();

  std::uint32_t end() const { return static_cast<std::uint32_t>(weights_.size()); }
  double rise_of(std::uint32_t i, std::uint32_t j) const {
    return index_.rise(weights_[i], weights_[j], of_[i] + of_[j]);
  }
  void look_again(std::uint32_t i) {
    least_[i] = dear;
    fresh_[i] = true;
    for (std::uint32_t j = next_[i]; j < end(); j = next_[j])
      if (const double rise = rise_of(i, j); rise < least_[i]) {
        least_[i] = rise;
        partner_of_[i] = j;
      }
  }

  const Index<C>& index_;
  std::vector<ClassWeights> weights_;  // per group, at the place of its first member
  Groups groups_;
  std::vector<double> of_;             // the index of each
  std::vector<std::uint32_t> next_;    // the group after it
  std::vector<double> least_;          // what uniting it with a later one costs at least
  std::vector<std::uint32_t> partner_of_;
  std::vector<bool> fresh_;            // whether it costs exactly that, with its partner
  std::size_t n_groups_ = 0;
  std::uint32_t first_ = 0;            // the next step
  std::uint32_t second_ = 0;
};

// As long as the budget lasts; the first pair that it does not cover is the end.
template <criteria::Criterion C>
Groups by_budget(const Index<C>& index, const std::vector<ClassWeights>& children, double budget) {
  Agglomeration<C> agglomeration(index, children);
  double spent = 0.0;
  while (agglomeration.n_groups() > 1) {
    spent += agglomeration.next_rise();
    if (spent > budget + impurity_noise) break;
    agglomeration.unite();
  }
  return agglomeration.groups();
}

// Children in groups, each of which may change to the group where the index is lowest.
template <criteria::Criterion C>
class Assignment {
 public:
  Assignment(const Index<C>& index, std::vector<ClassWeights> children, const Groups& groups)
      : index_(index), children_(std::move(children)), group_of_(children_.size()), weights_(groups.size()) {
    for (std::uint32_t g = 0; g < groups.size(); ++g)
      for (const std::uint32_t c : groups[g]) group_of_[c] = g;
    for (std::uint32_t g = 0; g < groups.size(); ++g) weights_[g] = sum_of(g);
  }

  const ClassWeights& child(std::uint32_t c) const { return children_[c]; }
  const std::vector<std::uint32_t>& group_of() const { return group_of_; }
  std::uint32_t n_groups() const { return static_cast<std::uint32_t>(weights_.size()); }

  // What a group weighs without two of the children. Summed anew, not subtracted: what is not there is exactly
  // nothing.
  ClassWeights sum_of(std::uint32_t g, std::uint32_t without = UINT32_MAX,
                      std::uint32_t or_without = UINT32_MAX) const {
    ClassWeights sum(children_[0].size(), 0.0);
    for (std::uint32_t c = 0; c < children_.size(); ++c)
      if (group_of_[c] == g && c != without && c != or_without)
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += children_[c][k];
    return sum;
  }

  // Gives a child other weights and a group.
  void put(std::uint32_t c, ClassWeights weights, std::uint32_t group) {
    const std::uint32_t home = group_of_[c];
    children_[c] = std::move(weights);
    group_of_[c] = group;
    weights_[home] = sum_of(home);
    weights_[group] = sum_of(group);
  }

  // Puts a child where the index is lowest; false if it is there.
  bool reassign(std::uint32_t c) {
    const std::uint32_t home = group_of_[c];
    const ClassWeights rest = sum_of(home, c);
    const double of_child = index_.of(children_[c]);
    double least = index_.rise(rest, children_[c], index_.of(rest) + of_child) - impurity_noise;
    std::uint32_t best = home;
    for (std::uint32_t g = 0; g < weights_.size(); ++g) {
      if (g == home) continue;
      if (const double rise = index_.rise(weights_[g], children_[c], index_.of(weights_[g]) + of_child); rise < least) {
        least = rise - impurity_noise;
        best = g;
      }
    }
    if (best == home) return false;
    group_of_[c] = best;
    weights_[home] = rest;
    weights_[best] = sum_of(best);
    return true;
  }

 private:
  const Index<C>& index_;
  std::vector<ClassWeights> children_;
  std::vector<std::uint32_t> group_of_;
  std::vector<ClassWeights> weights_;  // of each group
};

// At most so many groups: the pairs that cost least are united until there are, then children change groups.
template <criteria::Criterion C>
Groups by_width(const Index<C>& index, const std::vector<ClassWeights>& children, std::uint64_t max_width) {
  Agglomeration<C> agglomeration(index, children);
  while (agglomeration.n_groups() > max_width) {
    agglomeration.next_rise();
    agglomeration.unite();
  }
  Groups groups = agglomeration.groups();
  if (groups.size() == children.size()) return groups;
  constexpr int most_sweeps = 100;
  Assignment<C> assignment(index, children, groups);
  bool changed = true;
  for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
    changed = false;
    for (std::uint32_t c = 0; c < children.size(); ++c) changed |= assignment.reassign(c);
  }
  return groups_by<std::uint32_t>(assignment.group_of());
}

}  // namespace weaklearn::program
