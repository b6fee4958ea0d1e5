// What a splitter sees of a node, and the two ways to count: rows of weight one, or weights.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "criteria/criterion.hpp"
#include "criteria/logarithm.hpp"
#include "criteria/tolerance.hpp"
#include "data/dataset.hpp"
#include "data/node_rows.hpp"
#include "graph/graph.hpp"

namespace weaklearn::splits {

constexpr double epsilon = 1e-3;  // C4.5's: "not usable" is a gain of -epsilon
using criteria::at_least;
using criteria::at_most;
using criteria::less;
using criteria::more;
using criteria::slack_at;

struct NodeView {
  std::span<const std::uint32_t> rows;
  std::span<const std::uint32_t> local_class;  // per element of `rows`: its class's number among those present
  std::span<const std::int32_t> class_of;      // per row of the dataset
  std::span<const double> class_weights;       // per declared class
  std::span<const std::uint32_t> class_rows;   // and how many rows that is
  data::Tagging tagging;                       // of the lists' entries
  std::uint32_t n_local = 0;                   // classes present
  double total = 0.0;
  double min_objects = 2.0;
  double least_gain = 0.0;                     // what a threshold or a grouping must gain more than
  bool threshold_penalty = true;
};

// A scored candidate.
struct Split {
  double gain = -epsilon;
  double split_info = 0.0;
  graph::SplitKind test = graph::SplitKind::leaf;
  std::uint32_t low = 0;  // threshold: the codes on both sides of the cut, or rows that have them
  std::uint32_t high = 0;
  bool by_row = false;
  std::vector<std::int32_t> value_branch;  // subset
  std::uint32_t n_branches = 0;
};

inline double sum_of(std::span<const double> terms) {
  double sum = 0.0;
  for (const double x : terms) sum += x;
  return sum;
}

// What a walk over a table of values has come to after one of them.
template <class Count>
struct TableStep {
  std::uint32_t code;
  Count low;                // the weight below the cut
  double parts;             // the impurity of both sides, times their weights
  std::uint32_t end = 0;    // of the changes noted so far
};

// The weight of each class below and above a cut, and what it sums up to.
template <class Count>
struct Sides {
  std::vector<Count> low;
  std::vector<Count> high;
  Count known = 0;          // all of it
  double known_term = 0.0;  // x log2 x of that
  double high_sum = 0.0;    // of terms, while all is above
  double whole = 0.0;       // the impurity of all of it, times its weight
  // Of real weights only: in how many parts the weight above is still to be moved, so that after the last
  // one nothing is left, not a rounding error (tables that forgive it do not count parts); the terms; and what
  // changes from value to value.
  std::vector<std::uint32_t> left;
  std::vector<double> low_term;
  std::vector<double> high_term;
  std::vector<std::uint32_t> which;
  std::vector<double> changed;
  std::vector<TableStep<Count>> steps;

  void start(std::size_t n_classes) {
    low.assign(n_classes, 0);
    high.assign(n_classes, 0);
    if constexpr (std::is_same_v<Count, double>) left.assign(n_classes, 0);
  }

  // As another one of the same node started.
  void start_as(const Sides& other) {
    low.assign(other.low.size(), 0);
    high = other.high;
    known = other.known;
    known_term = other.known_term;
    high_sum = other.high_sum;
    whole = other.whole;
    if constexpr (std::is_same_v<Count, double>) {
      left = other.left;
      low_term.assign(other.low.size(), 0.0);
      high_term = other.high_term;
    }
  }

  // For so many changes from value to value.
  void make_room(std::size_t n_changes) {
    which.resize(std::max(which.size(), n_changes));
    changed.resize(std::max(changed.size(), 2 * n_changes));
  }

  // To be called when all weight is above.
  template <class Weights>
  void sum_up(const Weights& weights) {
    known = 0;
    high_sum = 0.0;
    for (const Count x : high) known += x;
    if constexpr (Weights::whole) {
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
    whole = weights.impurity(high_sum, known);
  }

  void move(std::size_t k, double w) {
    low[k] += w;
    high[k] = --left[k] == 0 ? 0.0 : std::max(high[k] - w, 0.0);
  }
};

template <criteria::Additive C>
struct UnitWeights {
  using Count = std::uint32_t;
  using Criterion = C;
  static constexpr bool additive = true;
  static constexpr bool whole = true;
  static constexpr bool forgives_rounding = true;  // there is none
  const C& criterion;
  const criteria::TermTable<C>& table;
  const Sides<Count>* of_node = nullptr;  // its classes present, summed up, all above: where every column starts

  static Count weight_of(std::uint32_t) { return 1; }
  // The least and the greatest weight within bounds.
  static Count least(double bound) { return bound > 0.0 ? static_cast<Count>(std::ceil(bound)) : 0; }
  static Count greatest(double bound) { return bound > 0.0 ? static_cast<Count>(bound) : 0; }
  double term(Count x) const { return table.term[x]; }
  // By how much the term grows from x to x + 1.
  double step(Count x) const { return table.step[x]; }
  double impurity(double sum, Count n) const {
    if constexpr (C::total_is_term)
      return table.term[n] - sum;
    else
      return criterion.impurity(sum, static_cast<double>(n));
  }
  // Of a whole number, as split information needs it.
  double x_log2_x(double x) const {
    if constexpr (C::in_bits)
      return table.term[static_cast<Count>(x)];
    else
      return criteria::x_log2_x(x);
  }
};

template <criteria::Criterion C>
struct RealWeights {
  using Count = double;
  using Criterion = C;
  static constexpr bool additive = criteria::Additive<C>;
  static constexpr bool whole = false;
  static constexpr bool forgives_rounding = [] {
    if constexpr (additive)
      return C::forgives_rounding;
    else
      return false;
  }();
  const C& criterion;
  const double* weights;                  // per row of the dataset
  const Sides<Count>* of_node = nullptr;

  Count weight_of(std::uint32_t row) const { return weights[row]; }
  static Count least(double bound) { return bound; }
  static Count greatest(double bound) { return bound; }
  double term(Count x) const { return C::term(x); }
  // Of a criterion that is no sum of terms, the impurity itself stands for the sum.
  double impurity(double sum, Count n) const {
    if constexpr (additive)
      return criterion.impurity(sum, n);
    else
      return sum;
  }
  // The same where the term of the total has been taken already, if that is what the criterion needs of it.
  double impurity_of(double sum, double n) const {
    if constexpr (C::total_is_term)
      return n - sum;
    else
      return criterion.impurity(sum, n);
  }
  double x_log2_x(double x) const { return criteria::x_log2_x(x); }
};

struct CodedRow {
  std::uint32_t code;
  std::uint32_t row;
  std::uint32_t local_class;
};

// What is known of blocks of rows of two classes.
template <class Count>
struct Survey {
  std::vector<Count> first;   // weight of each class below a block's first row
  std::vector<Count> second;
  std::vector<float> at_end;  // about the impurity there
  std::vector<float> corner;  // and where one class has moved and the other has not
  std::vector<float> other_corner;
  std::vector<std::uint32_t> n_apart;  // rows of the block that differ enough from the next
  std::vector<std::uint32_t> unsure;   // rows of which that remains to be seen

  void make_room(std::size_t n) {
    if (first.size() >= n) return;
    for (auto* counts : {&first, &second}) counts->resize(n);
    for (auto* parts : {&at_end, &corner, &other_corner}) parts->resize(n);
    n_apart.resize(n);
  }
};

// Memory that a thread uses again for every node.
template <class Count>
struct CountScratch {
  std::vector<Count> cells;
  Sides<Count> sides;
  Survey<Count> survey;
};

// What grouping the values of a nominal attribute works with.
struct GroupingScratch {
  std::vector<double> weight_of;           // per value
  std::vector<double> weight_above;        // per place in the order: of it and those behind,
  std::vector<double> above;               // and by class
  std::vector<double> low;                 // per class: those before
  std::vector<std::uint32_t> present;      // values that occur, as declared
  std::vector<std::uint32_t> order;        // and as they are tried
  std::vector<std::uint32_t> first_group;  // of the best cut
};

struct Scratch {
  CountScratch<std::uint32_t> unit;
  CountScratch<double> real;
  std::vector<CodedRow> coded_rows;
  std::vector<std::uint32_t> starts;
  std::vector<std::uint64_t> keys;
  GroupingScratch grouping;

  template <class Count>
  CountScratch<Count>& counts() {
    if constexpr (std::is_same_v<Count, double>)
      return real;
    else
      return unit;
  }
};

}  // namespace weaklearn::splits
