// The training rows at every node of a branching program, kept up to date while its splits become leaves. A row of
// missing values is at many nodes with a share of its weight at each, and pruning above changes the shares below.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "data/dataset.hpp"
#include "graph/draft.hpp"
#include "program/refused_prunings.hpp"
#include "tree/leaf_errors.hpp"

namespace weaklearn::program {

constexpr std::uint32_t none = UINT32_MAX;

// A node as a leaf: the class that it predicts, and its errors. Ties go to the previous label.
struct Leaf {
  std::int32_t label;
  double errors;
  double weight = 0.0;
  double estimate = 0.0;  // its pessimistic errors

  Leaf(std::span<const double> weights, std::int32_t previous, const tree::LeafErrors& leaf_errors);
};

class ProgramRows {
 public:
  // Nodes come before their children. At every split that rows reach, the value of some row is known.
  ProgramRows(graph::Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
              const tree::LeafErrors& leaf_errors, RefusedPrunings& refused, double estimate);

  // Makes a leaf of a split, and of the splits below that no known value reaches any more, unless that raises the
  // estimate of all errors. Returns whether it did. Only what changes is counted again.
  bool prune(std::uint32_t index);

 private:
  // A row at a node.
  struct RowAtNode {
    double weight;
    std::uint32_t row;
    std::uint32_t arrivals;       // the branches by which it has come
    std::uint32_t branch = none;  // the branch that it takes at a split; none if its value is missing
    std::uint32_t next = none;  // its index at the child; if its value is missing, the index in next_ of one per branch
    std::uint32_t change = 0;  // its index among the changes of its node,
    std::uint32_t trial = 0;  // if this is the present trial
  };
  // What a row at a node is to become.
  struct Change {
    std::uint32_t place;
    std::uint32_t arrivals;
    double weight;
  };
  struct State {
    std::vector<double> counts;  // per class
    std::vector<double> known_weights;  // per branch: the weight of rows of known value
    std::vector<std::uint32_t> n_known;  // and their number
    std::uint32_t n_rows = 0;
    bool is_leaf = true;
  };
  struct Arrival {
    std::uint32_t row;
    std::uint32_t next;
    double weight;
  };

  void receive(std::uint32_t index, const std::vector<Arrival>& arrivals, std::vector<std::uint32_t>& place_of);
  void send(std::uint32_t index, std::vector<std::vector<Arrival>>& arriving);
  State changed(std::uint32_t index);
  State closed(std::uint32_t index);
  void share_missing(std::uint32_t index, const State& fresh);
  void change(std::uint32_t index, std::uint32_t place, double by, bool gone);
  void settle(bool accepted);
  double estimate_of(std::uint32_t index, const State& state) const;

  graph::Draft& draft_;
  const data::Dataset& dataset_;
  const tree::LeafErrors& leaf_errors_;
  RefusedPrunings& refused_;
  double estimate_;
  std::vector<RowAtNode> places_;  // node by node
  std::vector<std::uint32_t> first_;  // per node, and the end
  std::vector<std::uint32_t> next_;
  std::vector<State> states_;  // per node
  std::vector<std::vector<std::uint32_t>> missing_;  // per split: its rows of missing value
  std::uint32_t n_trials_ = 0;
  // The present trial: a call of prune().
  std::vector<std::vector<Change>> changes_;  // per node
  std::vector<std::pair<std::uint32_t, State>> fresh_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> waiting_;
};

}  // namespace weaklearn::program
