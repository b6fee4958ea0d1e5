// What a splitter sees of a node, and the two ways to count: rows of weight one, or weights.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "criteria/criteria.hpp"
#include "criteria/tolerance.hpp"
#include "data/dataset.hpp"
#include "data/rows.hpp"
#include "graph/graph.hpp"

namespace weaklearn::splitters {

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
  data::Tagging tagging;                       // of the lists' entries
  std::uint32_t n_local = 0;                   // classes present
  double total = 0.0;
  double min_objects = 2.0;
  bool threshold_penalty = true;
};

// A scored candidate.
struct Split {
  double gain = -epsilon;
  double split_info = 0.0;
  graph::Test test = graph::Test::leaf;
  std::uint32_t low_code = 0;   // threshold: the codes on both sides of the cut
  std::uint32_t high_code = 0;
  std::vector<std::int32_t> value_branch;  // subset
  std::uint32_t n_branches = 0;
};

template <criteria::Additive C>
struct UnitWeights {
  using Count = std::uint32_t;
  static constexpr bool whole = true;
  const C& criterion;
  const criteria::TermTable<C>& table;

  static Count weight_of(std::uint32_t) { return 1; }
  // The least and the greatest weight within bounds.
  static Count least(double bound) { return bound > 0.0 ? static_cast<Count>(std::ceil(bound)) : 0; }
  static Count greatest(double bound) { return bound > 0.0 ? static_cast<Count>(bound) : 0; }
  double term(Count x) const { return table.term[x]; }
  // What is left of x without one part w; `parts` need not be kept.
  static Count rest(Count x, Count w, std::uint32_t*, std::uint32_t) { return x - w; }
  // What the sum of terms gains when a class of count x grows by one, and loses when it shrinks to `rest`.
  double step_up(Count x, Count) const { return table.step[x]; }
  double step_down(Count, Count rest) const { return table.step[rest]; }
  double impurity(double sum, Count n) const {
    if constexpr (std::is_same_v<C, criteria::Entropy>)
      return table.term[n] - sum;
    else
      return criterion.impurity(sum, n);
  }
  // Of a whole number, as split information needs it.
  double x_log2_x(double x) const {
    if constexpr (std::is_same_v<C, criteria::Entropy>)
      return table.term[static_cast<Count>(x)];
    else
      return criteria::x_log2_x(x);
  }
};

template <criteria::Additive C>
struct RealWeights {
  using Count = double;
  static constexpr bool whole = false;
  const C& criterion;
  const double* weights;  // per row of the dataset

  Count weight_of(std::uint32_t row) const { return weights[row]; }
  static Count least(double bound) { return bound; }
  static Count greatest(double bound) { return bound; }
  double term(Count x) const { return C::term(x); }
  // After the last part nothing is left; a square root would make much of the rounding error.
  static Count rest(Count x, Count w, std::uint32_t* parts, std::uint32_t k) {
    return --parts[k] == 0 ? 0.0 : std::max(x - w, 0.0);
  }
  double step_up(Count x, Count w) const { return C::term(x + w) - C::term(x); }
  double step_down(Count x, Count rest) const { return C::term(x) - C::term(rest); }
  double impurity(double sum, Count n) const { return criterion.impurity(sum, n); }
  double x_log2_x(double x) const { return criteria::x_log2_x(x); }
};

struct CodedRow {
  std::uint32_t code;
  std::uint32_t row;
  std::uint32_t local_class;
};

// Memory that a thread uses again for every node.
template <class Count>
struct CountScratch {
  std::vector<Count> cells;
  std::vector<Count> low;
  std::vector<Count> high;
  std::vector<std::uint32_t> parts;
};

struct Scratch {
  CountScratch<std::uint32_t> unit;
  CountScratch<double> real;
  std::vector<CodedRow> coded_rows;
  std::vector<std::uint32_t> starts;
  std::vector<std::uint64_t> keys;

  template <class Count>
  CountScratch<Count>& counts() {
    if constexpr (std::is_same_v<Count, double>)
      return real;
    else
      return unit;
  }
};

}  // namespace weaklearn::splitters
