// The training rows at every node of a branching program, kept right while its tests become leaves. Where
// values are unknown a row is at many nodes with a share at each, and what is cut above moves shares below.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "data/dataset.hpp"
#include "graph/draft.hpp"
#include "program/refused_nodes.hpp"
#include "tree/pessimistic_errors.hpp"

namespace weaklearn::program {

constexpr std::uint32_t none = UINT32_MAX;

// What a node is as a leaf: the class of most weight, where the label given wins ties, and its errors.
struct Leaf {
  std::int32_t label;
  double errors;
  double weight = 0.0;

  Leaf(std::span<const double> weights, std::int32_t previous);
};

class ProgramRows {
 public:
  // Nodes come before their branches, and at every test that rows reach some value is known.
  ProgramRows(graph::Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
              const tree::PessimisticErrors& pessimistic, RefusedNodes& refused, double estimate);

  // Makes a leaf of the test, and of those below that no known value reaches any more, unless that raises the
  // estimate of all errors; whether it has. Only what changes is counted again.
  bool cut(std::uint32_t test);

 private:
  // A row at a node. It has come by several branches, perhaps.
  struct Item {
    double weight;
    std::uint32_t row;
    std::uint32_t arrivals;
    std::uint32_t branch = none;  // that it takes at a test
    std::uint32_t next = none;    // the item it becomes there; if unknown, where in next_ there is one per branch
    std::uint32_t change = 0;     // place among the changes of its node,
    std::uint32_t cut = 0;        // if this is the number of the cut in hand
  };
  // What an item is to become.
  struct Change {
    std::uint32_t item;
    std::uint32_t arrivals;
    double weight;
  };
  struct State {
    std::vector<double> counts;         // per class
    std::vector<double> flow;           // per branch: the weight of known values
    std::vector<std::uint32_t> n_known; // and the number of their items
    std::uint32_t n_items = 0;
    bool is_leaf = true;
  };
  struct Arrival {
    std::uint32_t row;
    std::uint32_t next;
    double weight;
  };

  void receive(std::uint32_t number, const std::vector<Arrival>& arrivals, std::vector<std::uint32_t>& place_of);
  void send(std::uint32_t number, std::vector<std::vector<Arrival>>& arriving);
  State changed(std::uint32_t number);
  State closed(std::uint32_t number);
  void share_out(std::uint32_t number, const State& fresh);
  void change(std::uint32_t number, std::uint32_t place, double by, bool gone);
  void settle(bool accepted);
  double feared(std::uint32_t number, const State& state) const;

  graph::Draft& draft_;
  const data::Dataset& dataset_;
  const tree::PessimisticErrors& pessimistic_;
  RefusedNodes& refused_;
  double estimate_;
  std::vector<Item> items_;                          // node by node
  std::vector<std::uint32_t> first_;                 // per node, and the end
  std::vector<std::uint32_t> next_;
  std::vector<State> states_;                        // per node
  std::vector<std::vector<std::uint32_t>> unknown_;  // per test: its items of unknown value
  std::uint32_t n_cuts_ = 0;
  // Of the cut in hand.
  std::vector<std::vector<Change>> changes_;         // per node
  std::vector<std::pair<std::uint32_t, State>> fresh_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> waiting_;
};

}  // namespace weaklearn::program
