// Tests on sets of values (C4.5's -s): start from one block per value, unite pure blocks of a class, then
// unite the best pair as long as the gain ratio rises.
#pragma once

#include <optional>

#include "splits/value_table.hpp"

namespace weaklearn::splits {

// Every pair of values is looked at in every round: beyond this the search would not end.
constexpr std::uint32_t most_subset_values = 1000;

template <criteria::Additive C>
class SubsetSearch {
 public:
  // `cells[value * n_local + class]`, a row per declared value.
  SubsetSearch(const C& criterion, bool use_ratio, const NodeView& node, std::span<const double> cells,
               std::uint32_t n_values)
      : criterion_(criterion), use_ratio_(use_ratio), node_(node), n_local_(node.n_local), n_values_(n_values) {
    std::vector<double> known(n_local_, 0.0);
    double sum = 0.0;
    for (std::uint32_t v = 0; v < n_values; ++v) {
      Block block;
      block.classes.assign(cells.begin() + std::ptrdiff_t(v * n_local_),
                           cells.begin() + std::ptrdiff_t((v + 1) * n_local_));
      for (std::size_t k = 0; k < n_local_; ++k) known[k] += block.classes[k];
      block.values.push_back(v);
      measure(block);
      known_ += block.weight;
      blocks_.push_back(std::move(block));
    }
    for (const double x : known) sum += C::term(x);
    whole_ = criterion.impurity(sum, known_);
  }

  Split best() {
    Split split;
    if (less(known_, epsilon)) return split;
    Score now = score(1.0);  // the plain multiway split, of all values
    set_rare_values_aside();
    if (unite_pure_blocks()) now = score(1.0);
    now = unite_pairs(now);
    if (at_most(now.value, 0.0)) return split;
    split.gain = score(node_.min_objects).gain;
    split.split_info = now.info;
    split.test = graph::SplitKind::subset;
    split.n_branches = static_cast<std::uint32_t>(blocks_.size()) + !rare_.empty();
    split.value_branch.assign(n_values_, -1);
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (const std::uint32_t v : blocks_[b].values) split.value_branch[v] = static_cast<std::int32_t>(b);
    for (const std::uint32_t v : rare_) split.value_branch[v] = static_cast<std::int32_t>(blocks_.size());
    return split;
  }

 private:
  struct Block {
    std::vector<double> classes;
    std::vector<std::uint32_t> values;
    double weight = 0.0;
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
  struct United {
    double impurity;
    double info;
  };

  void measure(Block& block) const {
    double sum = 0.0;
    block.weight = 0.0;
    for (const double x : block.classes) {
      block.weight += x;
      sum += C::term(x);
    }
    block.impurity = criterion_.impurity(sum, block.weight);
    block.info = criteria::x_log2_x(block.weight);
  }

  // The score of a split from the sums over its blocks.
  Score score_of(double parts, double infos, double weight, std::uint32_t n_large) const {
    Score result;
    const double unknown = node_.total - known_;
    result.info = (criteria::x_log2_x(weight + unknown) - criteria::x_log2_x(unknown) - infos) / node_.total;
    if (n_large < 2) return result;
    result.gain = (whole_ - parts) / node_.total;
    if (use_ratio_)
      result.value =
          at_least(result.gain, 0.0) && more(result.info, epsilon) ? result.gain / result.info : -epsilon;
    else
      result.value = more(result.gain, -epsilon) && more(result.info, 0.0) ? result.gain : -epsilon;
    return result;
  }

  Score score(double min_objects) const {
    double parts = 0.0;
    double infos = 0.0;
    double weight = 0.0;
    std::uint32_t n_large = 0;
    for (const Block& block : blocks_) {
      parts += block.impurity;
      infos += block.info;
      weight += block.weight;
      n_large += at_least(block.weight, min_objects);
    }
    return score_of(parts, infos, weight, n_large);
  }

  void set_rare_values_aside() {
    std::vector<Block> kept;
    for (Block& block : blocks_) {
      if (more(block.weight, 0.5))
        kept.push_back(std::move(block));
      else
        rare_.push_back(block.values.front());
    }
    blocks_ = std::move(kept);
  }

  bool is_pure(const Block& block, std::size_t k) const { return at_least(block.classes[k], block.weight - 0.1); }

  bool unite_pure_blocks() {
    bool united = false;
    for (std::size_t x = 0; x + 1 < blocks_.size(); ++x) {
      std::size_t k = 0;
      while (k < n_local_ && less(blocks_[x].classes[k], 0.1)) ++k;
      if (k == n_local_ || !is_pure(blocks_[x], k)) continue;
      for (std::size_t y = x + 1; y < blocks_.size();) {
        if (!is_pure(blocks_[y], k)) {
          ++y;
          continue;
        }
        unite(x, y);
        united = true;
      }
    }
    return united;
  }

  // Block y joins x, and the last block moves into the hole.
  void unite(std::size_t x, std::size_t y) {
    for (std::size_t k = 0; k < n_local_; ++k) blocks_[x].classes[k] += blocks_[y].classes[k];
    blocks_[x].values.insert(blocks_[x].values.end(), blocks_[y].values.begin(), blocks_[y].values.end());
    measure(blocks_[x]);
    if (y + 1 < blocks_.size()) blocks_[y] = std::move(blocks_.back());
    blocks_.pop_back();
  }

  United united(const Block& a, const Block& b) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < n_local_; ++k) sum += C::term(a.classes[k] + b.classes[k]);
    return {criterion_.impurity(sum, a.weight + b.weight), criteria::x_log2_x(a.weight + b.weight)};
  }

  // What pairs would become; kept from round to round, for only pairs with the new block change.
  std::size_t pair_index(std::size_t x, std::size_t y) const { return x < y ? x * stride_ + y : y * stride_ + x; }
  void remember_pairs_of(std::size_t x) {
    for (std::size_t y = 0; y < blocks_.size(); ++y)
      if (y != x) pairs_[pair_index(x, y)] = united(blocks_[x], blocks_[y]);
  }
  void unite_remembered(std::size_t x, std::size_t y) {
    const std::size_t last = blocks_.size() - 1;
    unite(x, y);
    if (y != last)
      for (std::size_t z = 0; z < blocks_.size(); ++z)
        if (z != y) pairs_[pair_index(z, y)] = pairs_[pair_index(z, last)];
    remember_pairs_of(x);
  }

  Score unite_pairs(Score now) {
    const double min_gain = now.gain / 2;
    if (blocks_.size() <= 2) return now;
    stride_ = blocks_.size();
    pairs_.resize(stride_ * stride_);
    for (std::size_t x = 0; x < blocks_.size(); ++x) remember_pairs_of(x);
    while (blocks_.size() > 2) {
      std::uint32_t n_large = 0;  // blocks of at least the true minimum
      for (const Block& block : blocks_) n_large += at_least(block.weight, node_.min_objects);
      const bool forced = !use_ratio_ || n_large < 2;
      const std::optional<Pair> pair = best_pair(min_gain, forced, n_large);
      if (!pair) break;
      if (!forced && less(pair->score.value, now.value + 1e-5)) break;
      unite_remembered(pair->x, pair->y);
      now = pair->score;
    }
    return now;
  }

  std::optional<Pair> best_pair(double min_gain, bool forced, std::uint32_t n_large) const {
    std::size_t barred = blocks_.size();
    if (n_large < 3) {
      barred = 0;
      for (std::size_t b = 1; b < blocks_.size(); ++b)
        if (more(blocks_[b].weight, blocks_[barred].weight)) barred = b;
    }
    double parts = 0.0;
    double infos = 0.0;
    double weight = 0.0;
    std::uint32_t n_one = 0;  // during the search a block counts from weight 1
    for (const Block& block : blocks_) {
      parts += block.impurity;
      infos += block.info;
      weight += block.weight;
      n_one += at_least(block.weight, 1.0);
    }
    std::optional<Pair> best;
    Score held;
    held.value = 0.0;
    for (std::size_t x = 0; x + 1 < blocks_.size(); ++x) {
      if (x == barred) continue;
      for (std::size_t y = x + 1; y < blocks_.size(); ++y) {
        if (y == barred) continue;
        const Block& a = blocks_[x];
        const Block& b = blocks_[y];
        const United& both = pairs_[pair_index(x, y)];
        const std::uint32_t large =
            n_one - at_least(a.weight, 1.0) - at_least(b.weight, 1.0) + at_least(a.weight + b.weight, 1.0);
        const Score trial = score_of(parts - a.impurity - b.impurity + both.impurity,
                                     infos - a.info - b.info + both.info, weight, large);
        const bool enough = at_least(trial.gain, min_gain) && less(held.gain, min_gain);
        if (enough || at_least(trial.value, held.value) || (!best && forced)) {
          best = Pair{x, y, trial};
          held = trial;
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
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> rare_;
  std::vector<United> pairs_;
  std::size_t stride_ = 0;
  double known_ = 0.0;
  double whole_ = 0.0;
};

template <class Weights, criteria::Additive C>
Split best_subsets(const Weights& weights, const C& criterion, bool use_ratio, const NodeView& node,
                   const data::Column& column, Scratch& scratch) {
  const auto cells = fill_table(weights, node, column, scratch);
  const std::vector<double> as_double(cells.begin(), cells.end() - static_cast<std::ptrdiff_t>(node.n_local));
  return SubsetSearch<C>(criterion, use_ratio, node, as_double, column.n_codes).best();
}

}  // namespace weaklearn::splits
