// A split of a column that is drawn at random instead of searched, as in extremely randomized trees (Geurts, Ernst and
// Wehenkel 2006).
//
// Continuous columns: a number is drawn between the least and the greatest value at the node, each with the same
// chance. The cut lies between the values on its two sides. Nominal columns: each value at the node goes to one of two
// groups by the toss of a coin; if one group is empty, one value, drawn at random, changes sides.
//
// Missing values at the node, if they take a branch: they are one more value of a nominal column. In a continuous
// column a first coin decides between the split of missing from known values and a cut; a second one decides which side
// of the cut they go to. Of a column like a key, all values that few rows of the node have are one value.
//
// A split is acceptable if both sides have min_objects rows and the gain is more than least_gain. No threshold penalty
// is charged, because only one cut is tried.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "parallel/seeded_random.hpp"
#include "splits/adjacent_values.hpp"
#include "splits/frequent_values.hpp"
#include "splits/value_table.hpp"

namespace weaklearn::splits {

template <class Weights>
class RandomSplit {
 public:
  RandomSplit(const Weights& weights, const NodeView& node, const data::Column& column, bool like_key,
              std::uint64_t seed, Scratch& scratch)
      : weights_(weights),
        node_(node),
        column_(column),
        like_key_(like_key),
        random_(seed),
        scratch_(scratch),
        drawn_(scratch.drawn) {
    drawn_.low.assign(node.n_local, 0.0);
    drawn_.high.assign(node.n_local, 0.0);
  }

  Split draw() { return column_.nominal ? draw_groups() : draw_cut(); }

 private:
  struct CodesAtNode {
    std::uint32_t least = UINT32_MAX;
    std::uint32_t greatest = 0;
    bool some_missing = false;
  };

  // Calls use(code, local class, weight) for each row, or for each cell of the table if rows were counted elsewhere.
  template <class Use>
  void for_each_row(const Use& use) {
    if (node_.has_table()) {
      const auto cells = fill_table(weights_, node_, column_, scratch_);
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i] != 0)
          use(static_cast<std::uint32_t>(i / node_.n_local), i % node_.n_local, static_cast<double>(cells[i]));
      return;
    }
    std::visit(
        [&](const auto& codes) {
          for (std::size_t i = 0; i < node_.rows.size(); ++i)
            use(std::uint32_t{codes[node_.rows[i]]}, std::size_t{node_.local_class[i]},
                static_cast<double>(weights_.weight_of(node_.rows[i])));
        },
        column_.codes);
  }

  CodesAtNode codes_at_node() {
    CodesAtNode at_node;
    for_each_row([&](std::uint32_t code, std::size_t, double) {
      if (code == column_.n_codes) {
        at_node.some_missing = true;
      } else {
        at_node.least = std::min(at_node.least, code);
        at_node.greatest = std::max(at_node.greatest, code);
      }
    });
    return at_node;
  }

  // Returns the greatest code at or below a number drawn between the values of two codes.
  std::uint32_t draw_code(std::uint32_t least, std::uint32_t greatest) {
    const double low = column_.values[least];
    const double range = column_.values[greatest] - low;
    // Values far apart, or infinite, leave no number between them to draw.
    if (!std::isfinite(range)) return least + random_.below(greatest - least);
    const double number = low + range * random_.uniform();
    const auto first = column_.values.begin() + least;
    const auto above = std::upper_bound(first, column_.values.begin() + greatest, number);
    return least + static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(above - first, 1)) - 1;
  }

  Split draw_cut() {
    const CodesAtNode at_node = codes_at_node();
    if (at_node.least > at_node.greatest) return {};
    const bool missing_is_value = node_.missing_takes_branch && at_node.some_missing;
    const bool apart = missing_is_value && random_.coin();
    const bool missing_below = missing_is_value && !apart && random_.coin();
    if (!apart && at_node.least == at_node.greatest) return {};
    const std::uint32_t cut = apart ? at_node.greatest : draw_code(at_node.least, at_node.greatest);

    std::uint32_t below = at_node.least;
    std::uint32_t above = at_node.greatest;
    for_each_row([&](std::uint32_t code, std::size_t local_class, double weight) {
      const bool is_missing = code == column_.n_codes;
      if (is_missing && !missing_is_value) return;
      const bool goes_below = is_missing ? missing_below : code <= cut;
      (goes_below ? drawn_.low : drawn_.high)[local_class] += weight;
      if (is_missing) return;
      if (goes_below)
        below = std::max(below, code);
      else
        above = std::min(above, code);
    });
    if (!apart && !AdjacentValues(column_, node_.tagging).are_codes_apart(below, above)) return {};
    Split split = score();
    if (split.n_branches == 0) return split;
    split.kind = graph::SplitKind::threshold;
    split.known_together = apart;
    split.low = below;
    split.high = above;
    if (missing_is_value) split.missing_branch = missing_below ? 0 : 1;
    return split;
  }

  Split draw_groups() {
    if (like_key_) {
      const FrequentValues<Weights> values(weights_, node_, column_, true, scratch_);
      Split split = draw_groups_of(values.lines(), values.n_lines());
      if (split.kind != graph::SplitKind::leaf) values.expand(split);
      return split;
    }
    const auto cells = fill_table(weights_, node_, column_, scratch_);
    Split split = draw_groups_of(cells, n_values_at(node_, column_, cells));
    split.take_missing_branch(column_.n_codes);
    return split;
  }

  // `cells` is a value table.
  template <class Count>
  Split draw_groups_of(std::span<const Count> cells, std::uint32_t n_values) {
    const auto classes_of = [&](std::uint32_t value) {
      return cells.subspan(std::size_t{value} * node_.n_local, node_.n_local);
    };
    std::vector<std::uint32_t>& present = drawn_.present;
    std::vector<std::uint8_t>& group = drawn_.group;
    present.clear();
    group.clear();
    for (std::uint32_t v = 0; v < n_values; ++v) {
      if (std::ranges::none_of(classes_of(v), [](auto x) { return x > 0; })) continue;
      present.push_back(v);
      group.push_back(random_.coin());
    }
    if (present.size() < 2) return {};
    if (std::ranges::count(group, group[0]) == static_cast<std::ptrdiff_t>(group.size()))
      group[random_.below(static_cast<std::uint32_t>(group.size()))] ^= 1;
    for (std::size_t i = 0; i < present.size(); ++i) {
      const auto classes = classes_of(present[i]);
      std::vector<double>& side = group[i] == group[0] ? drawn_.low : drawn_.high;
      for (std::size_t k = 0; k < classes.size(); ++k) side[k] += static_cast<double>(classes[k]);
    }
    Split split = score();
    if (split.n_branches == 0) return split;
    split.kind = graph::SplitKind::subset;
    split.value_branch.assign(n_values, -1);
    for (std::size_t i = 0; i < present.size(); ++i) split.value_branch[present[i]] = group[i] != group[0];
    return split;
  }

  // Scores the two sides; a split without branches if they are not acceptable.
  Split score() {
    Split split;
    const double low = sum_of(drawn_.low);
    const double high = sum_of(drawn_.high);
    if (less(node_.rows_in(drawn_.low, low), node_.min_objects) ||
        less(node_.rows_in(drawn_.high, high), node_.min_objects))
      return split;
    const double after = criteria::impurity_of(weights_.criterion, drawn_.low, low) +
                         criteria::impurity_of(weights_.criterion, drawn_.high, high);
    for (std::size_t k = 0; k < drawn_.low.size(); ++k) drawn_.low[k] += drawn_.high[k];
    const double known = low + high;
    const double gain = (criteria::impurity_of(weights_.criterion, drawn_.low, known) - after) / node_.total;
    if (at_most(gain, node_.least_gain)) return split;
    split.gain = gain;
    split.split_info = (criteria::x_log2_x(node_.total) - criteria::x_log2_x(std::max(0.0, node_.total - known)) -
                        criteria::x_log2_x(low) - criteria::x_log2_x(high)) /
                       node_.total;
    split.n_branches = 2;
    return split;
  }

  const Weights& weights_;
  const NodeView& node_;
  const data::Column& column_;
  const bool like_key_;
  parallel::SeededRandom random_;
  Scratch& scratch_;
  RandomSplitScratch& drawn_;
};

}  // namespace weaklearn::splits
