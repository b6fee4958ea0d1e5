// splits/: the best split of one column at one node, and the choice among columns.
//
// Terms:
//   cut           a candidate threshold: a place between two adjacent values of a continuous column
//   below, above  the two sides of a cut: values up to the cut, and values greater than it. In names: low and high
//   gap           the difference of two adjacent values; C4.5 allows a cut only if it is greater than smallest_gap
//   block         block_rows consecutive rows of a sorted list, which are processed together
//   impurity      of a node: its weight times its impurity; of a cut: the sum of the impurities of its two sides
//   local class   the index of a class among the classes present at the node, so that tables and loops leave out
//                 classes that are declared but absent
//   known weight  the weight of the rows whose value is not missing
//   n_tried       cuts that C4.5 counts as tried; it charges a threshold log2(n_tried) bits
//   missing branch  the branch of the rows whose value is missing, where a split learns it (missing_takes_branch).
//                 Such rows then count like the others, and the known weight is the weight of the node. Otherwise
//                 they go down every branch with a share of their weight
//
// A sorted list is scanned upwards. All weight starts above the cut; each row moves from above to below:
//
//     sorted rows:   a   a   b   b   a   c   b   c   c   c        (letters are classes)
//                  [------ block ------][------ block ----- ...
//                              ^
//                            cut after row 4
//     below:  a 2, b 2       above:  a 1, b 1, c 4
//
// Most functions take the way of counting as a template parameter `Weights`: UnitWeights if every row at the node
// weighs 1, RealWeights otherwise. Both must have
//   Count                 the type of a weight: std::uint32_t or double
//   Criterion             the criterion, see criteria/criterion.hpp
//   unit                  whether every row weighs 1, so that counts are exact and their terms are looked up
//   additive              whether the criterion is a sum of terms
//   forgives_rounding     whether a small weight may remain of a class whose rows have all moved
//   criterion, node_sides the criterion, and optionally the sides of the node with all weight above
//   weight_of(row)        the weight of a row
//   round_up(bound), round_down(bound)   the least and the greatest Count within a bound
//   term(x), impurity(sum, n), x_log2_x(x)
// The template parameter `Element` is an element of a sorted list: data::Entry (a list that the node keeps in order) or
// CodedRow (rows that were sorted by code for this search).
//
// Entry points: best_cut_of_list and best_cut_of_table (best_cut.hpp), multiway (multiway.hpp), best_subsets
// (subset.hpp), best_two_groups (two_groups.hpp), fewest_errors (fewest_errors.hpp), choose (choose_column.hpp).
//
// This file holds what a search sees of a node, its result, the two ways of counting, and its memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "criteria/class_factors.hpp"
#include "criteria/criterion.hpp"
#include "criteria/logarithm.hpp"
#include "criteria/tolerance.hpp"
#include "data/dataset.hpp"
#include "data/node_rows.hpp"
#include "data/weight_view.hpp"
#include "graph/graph.hpp"

namespace weaklearn::splits {

constexpr double epsilon = 1e-3;  // C4.5's constant: a split that cannot be used has a gain of -epsilon
using criteria::at_least;
using criteria::at_most;
using criteria::less;
using criteria::more;
using criteria::slack_at;

struct NodeView {
  std::span<const std::uint32_t> rows;
  std::span<const std::uint32_t> local_class;  // per element of `rows`: its local class
  std::span<const std::int32_t> class_of;  // per row of the dataset
  std::span<const double> class_weights;  // per declared class
  std::span<const std::uint32_t> class_rows;  // per declared class: the number of its rows
  // See criteria/class_factors.hpp: per declared class, and per local class; empty if rows weigh what they count. They
  // are never given together with unit weights.
  std::span<const double> factors;
  std::span<const double> local_factors;
  double largest_factor = 1.0;  // of the classes at the node
  data::Tagging tagging;  // of the entries of sorted lists
  std::uint32_t n_local = 0;  // number of local classes
  double total = 0.0;
  double min_objects = 2.0;
  double least_gain = 0.0;  // a threshold or two groups must gain more than this
  bool threshold_penalty = true;
  bool missing_takes_branch = false;
  bool exact = false;  // sums of the weights of rows do not depend on their order
  // The table of the column that is searched, if the rows of the node were counted elsewhere (tree/counted_rows.hpp):
  // a line per code, then one for missing values, each with a cell per declared class. One of the two is given.
  std::span<const std::uint32_t> counted;
  std::span<const double> weighed;
  std::span<const double> rows_of_value;  // per code, if the rows of this column were counted there as well
  std::span<const std::uint32_t> local_index;  // per declared class: its local class, if it has one

  // Returns the number of rows with these weights by local class, which sum to `weight`: the weight, or the effective
  // number of rows where classes have relative weights.
  double rows_in(std::span<const double> classes, double weight) const {
    return local_factors.empty() ? weight : criteria::effective_rows(classes, local_factors);
  }

  bool has_table() const { return !counted.empty() || !weighed.empty(); }
  template <class Count>
  std::span<const Count> table() const {
    if constexpr (std::is_same_v<Count, double>)
      return weighed;
    else
      return counted;
  }
};

// What Split::missing_branch says instead of a branch.
constexpr std::int32_t share_missing_rows = -1;  // rows of missing value go down every branch in shares
constexpr std::int32_t to_heaviest_branch = -2;  // no row at the node has a missing value; later ones go there

// The best split of a column, with its score.
struct Split {
  double gain = -epsilon;
  double split_info = 0.0;
  graph::SplitKind kind = graph::SplitKind::leaf;
  std::uint32_t low = 0;  // threshold: the greatest code below the cut, or a row that has it
  std::uint32_t high = 0;  // threshold: the least code above the cut, or a row that has it
  bool by_row = false;  // whether `low` and `high` are rows
  std::vector<std::int32_t> value_branch;  // subset: the branch of each value
  std::uint32_t n_branches = 0;
  std::int32_t missing_branch = share_missing_rows;
  bool known_together = false;  // threshold: all known values are below, and the missing ones above; no low and high

  // Takes the branch of the missing value, where it was grouped as the last value, out of `value_branch`.
  void take_missing_branch(std::uint32_t n_declared) {
    if (value_branch.size() <= n_declared) return;
    missing_branch = value_branch.back();
    value_branch.pop_back();
  }
};

inline double sum_of(std::span<const double> terms) {
  double sum = 0.0;
  for (const double x : terms) sum += x;
  return sum;
}

// The state of a scan of a value table after all rows of one value have moved below the cut.
template <class Count>
struct TableStep {
  std::uint32_t code;
  Count low;  // the weight below the cut
  double impurity;  // of the cut after this value
  std::uint32_t end = 0;  // the number of changes in Sides::changed up to this value
};

// The weight of each class below and above a cut, and their sums.
template <class Count>
struct Sides {
  std::vector<Count> low;
  std::vector<Count> high;
  Count known = 0;  // the known weight: both sides together
  double known_term = 0.0;  // x log2 x of the known weight
  double high_sum = 0.0;  // the sum of the terms above when a scan starts
  double impurity = 0.0;  // the impurity while all weight is above
  Count low_weight = 0;  // the weight below when a scan starts: 0, unless start_with_low() moved some
  double low_sum = 0.0;  // the sum of the terms below when a scan starts

  // All members below are used by real weights only.
  // Per class: how many rows (in a table: cells) are still above the cut. When the last one moves, the weight above is
  // set to 0. Otherwise a rounding error would remain. A table of a criterion that forgives rounding does not count.
  std::vector<std::uint32_t> rows_above;
  std::vector<double> low_term;  // per class: the term of its weight below
  std::vector<double> high_term;  // per class: the term of its weight above
  // What a table scan changes from value to value: the classes, and their weights below and above.
  std::vector<std::uint32_t> changed_class;
  std::vector<double> changed;
  std::vector<TableStep<Count>> steps;

  void start(std::size_t n_classes) {
    low.assign(n_classes, 0);
    high.assign(n_classes, 0);
    low_weight = 0;
    low_sum = 0.0;
    if constexpr (std::is_same_v<Count, double>) rows_above.assign(n_classes, 0);
  }

  // Starts with the sums of other sides of the same node.
  void start_from(const Sides& other) {
    low.assign(other.low.size(), 0);
    low_weight = 0;
    low_sum = 0.0;
    high = other.high;
    known = other.known;
    known_term = other.known_term;
    high_sum = other.high_sum;
    impurity = other.impurity;
    if constexpr (std::is_same_v<Count, double>) {
      rows_above = other.rows_above;
      low_term.assign(other.low.size(), 0.0);
      high_term = other.high_term;
    }
  }

  // Makes room for the changes of a table scan.
  void reserve(std::size_t n_changes) {
    changed_class.resize(std::max(changed_class.size(), n_changes));
    changed.resize(std::max(changed.size(), 2 * n_changes));
  }

  // Computes the sums from `high`. All weight must be above the cut.
  template <class Weights>
  void sum_up(const Weights& weights) {
    known = 0;
    high_sum = 0.0;
    for (const Count x : high) known += x;
    if constexpr (Weights::unit) {
      for (const Count x : high) high_sum += weights.term(x);
    } else if constexpr (!Weights::additive) {
      high_sum = weights.criterion.of(high, known);
    } else {
      low_term.assign(low.size(), 0.0);
      high_term = high;
      Weights::Criterion::terms(high_term.data(), high_term.size());
      high_sum = sum_of(high_term);
    }
    known_term = weights.x_log2_x(static_cast<double>(known));
    impurity = weights.impurity(high_sum, known);
  }

  // Lets a scan start with some weight below the cut. `below` and `above` add up to the weight for which the sums were
  // computed; `rows` is the number of rows (in a table: cells) above per class, and empty for counts.
  template <class Weights>
  void start_with_low(const Weights& weights, std::span<const Count> below, std::span<const Count> above,
                      std::span<const std::uint32_t> rows) {
    low.assign(below.begin(), below.end());
    high.assign(above.begin(), above.end());
    rows_above.assign(rows.begin(), rows.end());
    low_weight = 0;
    for (const Count x : low) low_weight += x;
    if constexpr (Weights::unit) {
      low_sum = high_sum = 0.0;
      for (const Count x : low) low_sum += weights.term(x);
      for (const Count x : high) high_sum += weights.term(x);
    } else if constexpr (Weights::additive) {
      low_term = low;
      high_term = high;
      Weights::Criterion::terms(low_term.data(), low_term.size());
      Weights::Criterion::terms(high_term.data(), high_term.size());
      low_sum = sum_of(low_term);
      high_sum = sum_of(high_term);
    } else {
      low_sum = weights.criterion.of(low, low_weight);
      high_sum = weights.criterion.of(high, known - low_weight);
    }
  }

  // Moves weight w of class k below the cut.
  void move(std::size_t k, double w) {
    low[k] += w;
    high[k] = --rows_above[k] == 0 ? 0.0 : std::max(high[k] - w, 0.0);
  }
};

// Every row weighs 1.
template <criteria::Additive C>
struct UnitWeights {
  using Count = std::uint32_t;
  using Criterion = C;
  static constexpr bool additive = true;
  static constexpr bool unit = true;
  static constexpr bool forgives_rounding = true;  // counts are exact
  const C& criterion;
  const criteria::TermTable<C>& table;
  // The sides of the node, by local class, with all weight above. The search of every column without missing values
  // starts from them.
  const Sides<Count>* node_sides = nullptr;

  static Count weight_of(std::uint32_t) { return 1; }
  // The least and the greatest count within a bound.
  static Count round_up(double bound) { return bound > 0.0 ? static_cast<Count>(std::ceil(bound)) : 0; }
  static Count round_down(double bound) { return bound > 0.0 ? static_cast<Count>(bound) : 0; }
  double term(Count x) const { return table.term(x); }
  // The growth of the term from x to x + 1.
  double step(Count x) const { return table.step(x); }
  double impurity(double sum, Count n) const {
    if constexpr (C::total_is_term)
      return table.term(n) - sum;
    else
      return criterion.impurity(sum, static_cast<double>(n));
  }
  // x must be an integer. Split information needs this for every criterion.
  double x_log2_x(double x) const {
    if constexpr (C::in_bits)
      return table.term(static_cast<Count>(x));
    else
      return criteria::x_log2_x(x);
  }
};

// Rows have any weights.
template <criteria::Criterion C>
struct RealWeights {
  using Count = double;
  using Criterion = C;
  static constexpr bool additive = criteria::Additive<C>;
  static constexpr bool unit = false;
  static constexpr bool forgives_rounding = [] {
    if constexpr (additive)
      return C::forgives_rounding;
    else
      return false;
  }();
  const C& criterion;
  data::WeightView weights;  // per row of the dataset
  const Sides<Count>* node_sides = nullptr;  // as in UnitWeights

  Count weight_of(std::uint32_t row) const { return weights[row]; }
  static Count round_up(double bound) { return bound; }
  static Count round_down(double bound) { return bound; }
  double term(Count x) const { return C::term(x); }
  // If the criterion is not a sum of terms, `sum` is the impurity itself.
  double impurity(double sum, Count n) const {
    if constexpr (additive)
      return criterion.impurity(sum, n);
    else
      return sum;
  }
  // The same, but if the criterion needs the term of the total, `n` is that term already.
  double impurity_of(double sum, double n) const {
    if constexpr (C::total_is_term)
      return n - sum;
    else
      return criterion.impurity(sum, n);
  }
  double x_log2_x(double x) const { return criteria::x_log2_x(x); }
};

// A row with its code and local class, for lists that are sorted by code.
struct CodedRow {
  std::uint32_t code;
  std::uint32_t row;
  std::uint32_t local_class;
};

// For rows of two classes: the weights at the ends of blocks, and estimates of the impurity of cuts in each block.
// Arrays are indexed by block.
template <class Count>
struct BlockSurvey {
  std::vector<Count> first;  // weight of the first class below the first row of the block
  std::vector<Count> second;  // weight of the second class there
  std::vector<float> at_start;  // estimated impurity of the cut before the block
  std::vector<float> second_moved;  // estimate if all rows of the second class had moved, and none of the first
  std::vector<float> first_moved;  // estimate if all rows of the first class had moved, and none of the second
  std::vector<std::uint32_t> n_apart;  // rows whose value is far enough from the next value for a cut
  std::vector<std::uint32_t> uncertain;  // rows of which rounded values do not decide that

  void reserve(std::size_t n) {
    if (first.size() >= n) return;
    for (auto* counts : {&first, &second}) counts->resize(n);
    for (auto* estimates : {&at_start, &second_moved, &first_moved}) estimates->resize(n);
    n_apart.resize(n);
  }
};

// Memory that a thread reuses for every node.
template <class Count>
struct CountScratch {
  std::vector<Count> cells;
  Sides<Count> sides;
  BlockSurvey<Count> survey;
  std::vector<Count> missing_weights;  // per class, of the rows whose value is missing
  std::vector<Count> known_weights;  // per class, of the other rows
};

// Memory of the search for two groups of the values of a nominal column.
struct TwoGroupsScratch {
  std::vector<double> weight_of;  // per value
  std::vector<double> weight_above;  // per position in `order`: the weight of this value and all later ones
  std::vector<double> above;  // the same by class: above[position * n_local + class]
  std::vector<double> low;  // per class: the weight of the values before the cut
  std::vector<std::uint32_t> present;  // values that occur, in declared order
  std::vector<std::uint32_t> order;  // the same values in the order in which they are cut
  std::vector<std::uint32_t> first_group;  // values below the best cut
};

// Memory of a split that is drawn at random.
struct RandomSplitScratch {
  std::vector<double> low;  // per class: the weight in the first branch
  std::vector<double> high;  // per class: the weight in the second branch
  std::vector<std::uint32_t> present;  // values of a nominal column that occur
  std::vector<std::uint8_t> group;  // per value that occurs: its group
};

struct Scratch {
  CountScratch<std::uint32_t> unit;
  CountScratch<double> real;
  std::vector<CodedRow> coded_rows;
  std::vector<std::uint32_t> starts;
  std::vector<std::uint64_t> keys;
  TwoGroupsScratch two_groups;
  RandomSplitScratch drawn;

  template <class Count>
  CountScratch<Count>& counts() {
    if constexpr (std::is_same_v<Count, double>)
      return real;
    else
      return unit;
  }
};

}  // namespace weaklearn::splits
