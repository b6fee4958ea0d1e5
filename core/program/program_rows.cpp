#include "program/program_rows.hpp"

#include <algorithm>

#include "criteria/tolerance.hpp"

namespace weaklearn::program {
namespace {

using graph::Draft;

// The present label wins ties.
std::int32_t largest(std::span<const double> weights, std::int32_t label) {
  return static_cast<std::int32_t>(criteria::largest(weights, static_cast<std::size_t>(label)));
}

double sum(const std::vector<double>& weights) {
  double total = 0.0;
  for (const double weight : weights) total += weight;
  return total;
}

}  // namespace

Leaf::Leaf(std::span<const double> weights, std::int32_t previous)
    : label(largest(weights, previous)), errors(criteria::weight_of_others(weights, static_cast<std::size_t>(label))) {
  for (const double x : weights) weight += x;
}

ProgramRows::ProgramRows(Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
                         const tree::PessimisticErrors& pessimistic, RefusedNodes& refused, double estimate)
    : draft_(draft), dataset_(dataset), pessimistic_(pessimistic), refused_(refused), estimate_(estimate) {
  const std::size_t n_nodes = draft.nodes.size();
  states_.resize(n_nodes);
  unknown_.resize(n_nodes);
  changes_.resize(n_nodes);
  std::vector<std::vector<Arrival>> arriving(n_nodes);
  for (std::uint32_t row = 0; row < dataset.n_rows; ++row) {
    if (!(weights[row] > 0.0)) continue;
    arriving[0].push_back({row, static_cast<std::uint32_t>(next_.size()), weights[row]});
    next_.push_back(none);
  }
  std::vector<std::uint32_t> place_of(dataset.n_rows, 0);
  for (std::uint32_t i = 0; i < n_nodes; ++i) {
    first_.push_back(static_cast<std::uint32_t>(items_.size()));
    receive(i, arriving[i], place_of);
    std::vector<Arrival>().swap(arriving[i]);
    if (states_[i].n_items > 0 && !draft.nodes[i].children.empty()) send(i, arriving);
  }
  first_.push_back(static_cast<std::uint32_t>(items_.size()));
  for (Item& item : items_)
    if (item.branch != none) item.next = next_[item.next];
}

// The shares of a row that have come by several branches become one item.
void ProgramRows::receive(std::uint32_t number, const std::vector<Arrival>& arrivals,
                          std::vector<std::uint32_t>& place_of) {
  State& state = states_[number];
  state.counts.assign(draft_.n_classes, 0.0);
  for (const Arrival& arrival : arrivals) {
    std::uint32_t& place = place_of[arrival.row];
    if (place < first_[number] || place >= items_.size() || items_[place].row != arrival.row) {
      place = static_cast<std::uint32_t>(items_.size());
      items_.push_back({0.0, arrival.row, 0});
    }
    items_[place].weight += arrival.weight;
    ++items_[place].arrivals;
    next_[arrival.next] = place;
    state.counts[static_cast<std::size_t>(dataset_.classes[arrival.row])] += arrival.weight;
  }
  state.n_items = static_cast<std::uint32_t>(items_.size()) - first_[number];
}

void ProgramRows::send(std::uint32_t number, std::vector<std::vector<Arrival>>& arriving) {
  State& state = states_[number];
  const Draft::Node& node = draft_.nodes[number];
  const std::vector<std::uint32_t>& branches = node.children;
  const data::Column& column = dataset_.columns[static_cast<std::size_t>(node.column)];
  state.is_leaf = false;
  state.flow.assign(branches.size(), 0.0);
  state.n_known.assign(branches.size(), 0);
  const auto hand_on = [&](const Item& item, std::size_t b, double weight) {
    arriving[branches[b]].push_back({item.row, static_cast<std::uint32_t>(next_.size()), weight});
    next_.push_back(none);
  };
  for (auto i = first_[number]; i < items_.size(); ++i) {
    Item& item = items_[i];
    const std::uint32_t b = node.branch_of(data::code_of(column, item.row), column.n_codes);
    if (b == branches.size()) {
      unknown_[number].push_back(i);
      continue;
    }
    item.branch = b;
    state.flow[b] += item.weight;
    ++state.n_known[b];
    item.next = static_cast<std::uint32_t>(next_.size());
    hand_on(item, b, item.weight);
  }
  const double known = sum(state.flow);
  for (const std::uint32_t i : unknown_[number]) {
    Item& item = items_[i];
    item.next = static_cast<std::uint32_t>(next_.size());
    for (std::size_t b = 0; b < branches.size(); ++b) {
      const double weight = item.weight * (state.flow[b] / known);
      if (state.n_known[b] > 0 && weight > 0.0)
        hand_on(item, b, weight);
      else
        next_.push_back(none);
    }
  }
}

bool ProgramRows::cut(std::uint32_t test) {
  ++n_cuts_;
  fresh_.emplace_back(test, closed(test));
  double estimate = estimate_ + feared(test, fresh_.back().second);
  while (!waiting_.empty()) {
    const std::uint32_t i = waiting_.top();
    waiting_.pop();
    State state = changed(i);
    if (state.is_leaf) estimate += feared(i, state);
    if (states_[i].is_leaf) estimate -= feared(i, states_[i]);
    fresh_.emplace_back(i, std::move(state));
  }
  const bool accepted = criteria::at_most(estimate, estimate_);
  settle(accepted);
  if (accepted)
    estimate_ = estimate;
  else
    refused_.note_refusal(test);
  return accepted;
}

// The test as a leaf; takes back what its items have become.
ProgramRows::State ProgramRows::closed(std::uint32_t number) {
  const std::vector<std::uint32_t>& branches = draft_.nodes[number].children;
  for (auto i = first_[number]; i < first_[number + 1]; ++i)
    if (const Item& item = items_[i]; item.branch != none && item.arrivals > 0)
      change(branches[item.branch], item.next, -item.weight, true);
  State state = states_[number];
  std::ranges::fill(state.flow, 0.0);
  std::ranges::fill(state.n_known, 0);
  share_out(number, state);
  state.is_leaf = true;
  return state;
}

// The node with its changes made and handed on. A test that no known value reaches any more becomes a leaf.
ProgramRows::State ProgramRows::changed(std::uint32_t number) {
  State state = states_[number];
  const std::vector<std::uint32_t>& branches = draft_.nodes[number].children;
  for (const Change& made : changes_[number]) {
    const Item& item = items_[made.item];
    const double by = made.weight - item.weight;
    const bool gone = made.arrivals == 0;
    state.counts[static_cast<std::size_t>(dataset_.classes[item.row])] += by;
    state.n_items -= gone;
    if (state.is_leaf || item.branch == none) continue;
    state.flow[item.branch] += by;
    state.n_known[item.branch] -= gone;
    change(branches[item.branch], item.next, by, gone);
  }
  // What is gone is exactly nothing.
  if (state.n_items == 0) std::ranges::fill(state.counts, 0.0);
  if (state.is_leaf) return state;
  for (std::size_t b = 0; b < branches.size(); ++b)
    if (state.n_known[b] == 0) state.flow[b] = 0.0;
  share_out(number, state);
  state.is_leaf = std::ranges::all_of(state.n_known, [](std::uint32_t n) { return n == 0; });
  return state;
}

// Hands on what changes of the items of unknown value: all of them, where the known ones change.
void ProgramRows::share_out(std::uint32_t number, const State& fresh) {
  const State& old = states_[number];
  const std::vector<std::uint32_t>& branches = draft_.nodes[number].children;
  const double known_before = sum(old.flow);
  const double known = sum(fresh.flow);
  for (std::size_t b = 0; b < branches.size(); ++b) {
    if (old.n_known[b] == 0) continue;
    const double share_before = old.flow[b] / known_before;
    const double share = fresh.n_known[b] > 0 ? fresh.flow[b] / known : 0.0;
    for (const std::uint32_t i : unknown_[number]) {
      const Item& item = items_[i];
      if (item.arrivals == 0 || next_[item.next + b] == none) continue;
      const Change now = item.cut == n_cuts_ ? changes_[number][item.change] : Change{i, item.arrivals, item.weight};
      const double by = now.weight * share - item.weight * share_before;
      const bool gone = now.arrivals == 0 || fresh.n_known[b] == 0;
      if (by != 0.0 || gone) change(branches[b], next_[item.next + b], by, gone);
    }
  }
}

void ProgramRows::change(std::uint32_t number, std::uint32_t place, double by, bool gone) {
  std::vector<Change>& changes = changes_[number];
  if (changes.empty()) waiting_.push(number);
  Item& item = items_[place];
  if (item.cut != n_cuts_) {
    item.cut = n_cuts_;
    item.change = static_cast<std::uint32_t>(changes.size());
    changes.push_back({place, item.arrivals, item.weight});
  }
  Change& made = changes[item.change];
  made.weight += by;
  if (gone && --made.arrivals == 0) made.weight = 0.0;
}

// Makes the changes for good, or forgets them.
void ProgramRows::settle(bool accepted) {
  for (auto& [number, state] : fresh_) {
    if (accepted) {
      refused_.note_change(number);
      for (const Change& made : changes_[number]) {
        items_[made.item].weight = made.weight;
        items_[made.item].arrivals = made.arrivals;
      }
      Draft::Node& node = draft_.nodes[number];
      if (state.is_leaf) node.become_leaf();
      if (state.n_items > 0) node.label = largest(state.counts, node.label);  // an empty leaf keeps its class
      states_[number] = std::move(state);
    }
    changes_[number].clear();
  }
  fresh_.clear();
}

double ProgramRows::feared(std::uint32_t number, const State& state) const {
  const Leaf leaf(state.counts, draft_.nodes[number].label);
  return leaf.weight > 0.0 ? pessimistic_.total(leaf.weight, leaf.errors) : 0.0;
}

}  // namespace weaklearn::program
