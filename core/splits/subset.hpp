// Splits of a nominal column into sets of values (option -s of C4.5). The search starts from one group per value and
// merges pure groups of the same class. It then merges the best pair of groups as long as the gain ratio rises.
#pragma once

#include <optional>

#include "splits/value_table.hpp"

namespace weaklearn::splits {

template <criteria::Additive C>
class SubsetSearch {
 public:
  // `cells` is a value table. Only its first `n_values` lines are used.
  SubsetSearch(const C& criterion, bool use_ratio, const NodeView& node, std::span<const double> cells,
               std::uint32_t n_values)
      : criterion_(criterion), use_ratio_(use_ratio), node_(node), n_local_(node.n_local), n_values_(n_values) {
    std::vector<double> known(n_local_, 0.0);
    double sum = 0.0;
    for (std::uint32_t v = 0; v < n_values; ++v) {
      Group group;
      group.classes.assign(cells.begin() + std::ptrdiff_t(v * n_local_),
                           cells.begin() + std::ptrdiff_t((v + 1) * n_local_));
      for (std::size_t k = 0; k < n_local_; ++k) known[k] += group.classes[k];
      group.values.push_back(v);
      measure(group);
      known_ += group.weight;
      groups_.push_back(std::move(group));
    }
    for (const double x : known) sum += C::term(x);
    node_impurity_ = criterion.impurity(sum, known_);
  }

  Split best() {
    Split split;
    if (less(known_, epsilon)) return split;
    Score now = score(1.0);  // the multiway split of all values
    set_rare_values_aside();
    if (merge_pure_groups()) now = score(1.0);
    now = merge_pairs(now);
    if (at_most(now.value, 0.0)) return split;
    split.gain = score(node_.min_objects).gain;
    split.split_info = now.info;
    split.kind = graph::SplitKind::subset;
    split.n_branches = static_cast<std::uint32_t>(groups_.size()) + !rare_.empty();
    split.value_branch.assign(n_values_, -1);
    for (std::size_t b = 0; b < groups_.size(); ++b)
      for (const std::uint32_t v : groups_[b].values) split.value_branch[v] = static_cast<std::int32_t>(b);
    for (const std::uint32_t v : rare_) split.value_branch[v] = static_cast<std::int32_t>(groups_.size());
    return split;
  }

 private:
  struct Group {
    std::vector<double> classes;
    std::vector<std::uint32_t> values;
    double weight = 0.0;
    double rows = 0.0;  // the weight, or the effective number of rows where classes have relative weights
    double impurity = 0.0;
    double info = 0.0;  // weight log2 weight
  };
  struct Score {
    double gain = -epsilon;
    double info = 0.0;
    double value = -epsilon;
  };
  struct Pair {
    std::size_t x;
    std::size_t y;
    Score score;
  };
  struct Merged {
    double impurity;
    double info;
    double rows;
  };

  void measure(Group& group) const {
    double sum = 0.0;
    group.weight = 0.0;
    for (const double x : group.classes) {
      group.weight += x;
      sum += C::term(x);
    }
    group.rows = node_.rows_in(group.classes, group.weight);
    group.impurity = criterion_.impurity(sum, group.weight);
    group.info = criteria::x_log2_x(group.weight);
  }

  // Returns the score of a split from the sums over its groups.
  Score score_of(double impurity, double infos, double weight, std::uint32_t n_large) const {
    Score result;
    const double missing = node_.total - known_;
    result.info = (criteria::x_log2_x(weight + missing) - criteria::x_log2_x(missing) - infos) / node_.total;
    if (n_large < 2) return result;
    result.gain = (node_impurity_ - impurity) / node_.total;
    if (use_ratio_)
      result.value = at_least(result.gain, 0.0) && more(result.info, epsilon) ? result.gain / result.info : -epsilon;
    else
      result.value = more(result.gain, -epsilon) && more(result.info, 0.0) ? result.gain : -epsilon;
    return result;
  }

  Score score(double min_objects) const {
    double impurity = 0.0;
    double infos = 0.0;
    double weight = 0.0;
    std::uint32_t n_large = 0;
    for (const Group& group : groups_) {
      impurity += group.impurity;
      infos += group.info;
      weight += group.weight;
      n_large += at_least(group.rows, min_objects);
    }
    return score_of(impurity, infos, weight, n_large);
  }

  void set_rare_values_aside() {
    std::vector<Group> kept;
    for (Group& group : groups_) {
      if (more(group.rows, 0.5))
        kept.push_back(std::move(group));
      else
        rare_.push_back(group.values.front());
    }
    groups_ = std::move(kept);
  }

  bool is_pure(const Group& group, std::size_t k) const { return at_least(group.classes[k], group.weight - 0.1); }

  bool merge_pure_groups() {
    bool any = false;
    for (std::size_t x = 0; x + 1 < groups_.size(); ++x) {
      std::size_t k = 0;
      while (k < n_local_ && less(groups_[x].classes[k], 0.1)) ++k;
      if (k == n_local_ || !is_pure(groups_[x], k)) continue;
      for (std::size_t y = x + 1; y < groups_.size();) {
        if (!is_pure(groups_[y], k)) {
          ++y;
          continue;
        }
        merge(x, y);
        any = true;
      }
    }
    return any;
  }

  // Merges group y into x. The last group takes the place of y.
  void merge(std::size_t x, std::size_t y) {
    for (std::size_t k = 0; k < n_local_; ++k) groups_[x].classes[k] += groups_[y].classes[k];
    groups_[x].values.insert(groups_[x].values.end(), groups_[y].values.begin(), groups_[y].values.end());
    measure(groups_[x]);
    if (y + 1 < groups_.size()) groups_[y] = std::move(groups_.back());
    groups_.pop_back();
  }

  Merged merged(const Group& a, const Group& b) const {
    double sum = 0.0;
    std::vector<double> classes(n_local_);
    for (std::size_t k = 0; k < n_local_; ++k) {
      classes[k] = a.classes[k] + b.classes[k];
      sum += C::term(classes[k]);
    }
    const double weight = a.weight + b.weight;
    return {criterion_.impurity(sum, weight), criteria::x_log2_x(weight), node_.rows_in(classes, weight)};
  }

  // The impurity of every merged pair is kept from round to round, because only pairs with the new group change.
  std::size_t pair_index(std::size_t x, std::size_t y) const { return x < y ? x * stride_ + y : y * stride_ + x; }
  void remember_pairs_of(std::size_t x) {
    for (std::size_t y = 0; y < groups_.size(); ++y)
      if (y != x) pairs_[pair_index(x, y)] = merged(groups_[x], groups_[y]);
  }
  void merge_remembered(std::size_t x, std::size_t y) {
    const std::size_t last = groups_.size() - 1;
    merge(x, y);
    if (y != last)
      for (std::size_t z = 0; z < groups_.size(); ++z)
        if (z != y) pairs_[pair_index(z, y)] = pairs_[pair_index(z, last)];
    remember_pairs_of(x);
  }

  Score merge_pairs(Score now) {
    const double min_gain = now.gain / 2;
    if (groups_.size() <= 2) return now;
    stride_ = groups_.size();
    pairs_.resize(stride_ * stride_);
    for (std::size_t x = 0; x < groups_.size(); ++x) remember_pairs_of(x);
    while (groups_.size() > 2) {
      std::uint32_t n_large = 0;  // groups of at least min_objects rows
      for (const Group& group : groups_) n_large += at_least(group.rows, node_.min_objects);
      const bool forced = !use_ratio_ || n_large < 2;
      const std::optional<Pair> pair = best_pair(min_gain, forced, n_large);
      if (!pair) break;
      if (!forced && less(pair->score.value, now.value + 1e-5)) break;
      merge_remembered(pair->x, pair->y);
      now = pair->score;
    }
    return now;
  }

  std::optional<Pair> best_pair(double min_gain, bool forced, std::uint32_t n_large) const {
    std::size_t excluded = groups_.size();
    if (n_large < 3) {
      excluded = 0;
      for (std::size_t b = 1; b < groups_.size(); ++b)
        if (more(groups_[b].weight, groups_[excluded].weight)) excluded = b;
    }
    double impurity = 0.0;
    double infos = 0.0;
    double weight = 0.0;
    std::uint32_t n_of_one = 0;  // groups of at least 1 row, which is the minimum during the search
    for (const Group& group : groups_) {
      impurity += group.impurity;
      infos += group.info;
      weight += group.weight;
      n_of_one += at_least(group.rows, 1.0);
    }
    std::optional<Pair> best;
    Score best_score;
    best_score.value = 0.0;
    for (std::size_t x = 0; x + 1 < groups_.size(); ++x) {
      if (x == excluded) continue;
      for (std::size_t y = x + 1; y < groups_.size(); ++y) {
        if (y == excluded) continue;
        const Group& a = groups_[x];
        const Group& b = groups_[y];
        const Merged& both = pairs_[pair_index(x, y)];
        const std::uint32_t large = n_of_one - at_least(a.rows, 1.0) - at_least(b.rows, 1.0) + at_least(both.rows, 1.0);
        const Score trial = score_of(impurity - a.impurity - b.impurity + both.impurity,
                                     infos - a.info - b.info + both.info, weight, large);
        const bool enough = at_least(trial.gain, min_gain) && less(best_score.gain, min_gain);
        if (enough || at_least(trial.value, best_score.value) || (!best && forced)) {
          best = Pair{x, y, trial};
          best_score = trial;
        }
      }
    }
    return best;
  }

  const C& criterion_;
  const bool use_ratio_;
  const NodeView& node_;
  const std::size_t n_local_;
  const std::uint32_t n_values_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> rare_;
  std::vector<Merged> pairs_;
  std::size_t stride_ = 0;
  double known_ = 0.0;
  double node_impurity_ = 0.0;
};

template <class Weights, criteria::Additive C>
Split best_subsets(const Weights& weights, const C& criterion, bool use_ratio, const NodeView& node,
                   const data::Column& column, Scratch& scratch) {
  const auto cells = fill_table(weights, node, column, scratch);
  const std::vector<double> as_double(cells.begin(), cells.end());
  Split split = SubsetSearch<C>(criterion, use_ratio, node, as_double, n_values_at(node, column, cells)).best();
  split.take_missing_branch(column.n_codes);
  return split;
}

}  // namespace weaklearn::splits
