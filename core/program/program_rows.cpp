#include "program/program_rows.hpp"

#include <algorithm>

#include "criteria/tolerance.hpp"

namespace weaklearn::program {
namespace {

using graph::Draft;

double sum(const std::vector<double>& weights) {
  double total = 0.0;
  for (const double weight : weights) total += weight;
  return total;
}

}  // namespace

Leaf::Leaf(std::span<const double> weights, std::int32_t previous, const tree::LeafErrors& leaf_errors)
    : label(static_cast<std::int32_t>(leaf_errors.classes().label_of(weights, static_cast<std::size_t>(previous)))),
      errors(criteria::weight_of_others(weights, static_cast<std::size_t>(label))) {
  for (const double x : weights) weight += x;
  if (!(weight > 0.0)) return;
  estimate = leaf_errors.classes().given() ? leaf_errors.of(weights, static_cast<std::size_t>(label))
                                           : leaf_errors.of(weight, errors);
}

ProgramRows::ProgramRows(Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
                         const tree::LeafErrors& leaf_errors, RefusedPrunings& refused, double estimate)
    : draft_(draft), dataset_(dataset), leaf_errors_(leaf_errors), refused_(refused), estimate_(estimate) {
  const std::size_t n_nodes = draft.nodes.size();
  states_.resize(n_nodes);
  missing_.resize(n_nodes);
  changes_.resize(n_nodes);
  std::vector<std::vector<Arrival>> arriving(n_nodes);
  for (std::uint32_t row = 0; row < dataset.n_rows; ++row) {
    if (!(weights[row] > 0.0)) continue;
    arriving[0].push_back({row, static_cast<std::uint32_t>(next_.size()), weights[row]});
    next_.push_back(none);
  }
  std::vector<std::uint32_t> place_of(dataset.n_rows, 0);
  for (std::uint32_t i = 0; i < n_nodes; ++i) {
    first_.push_back(static_cast<std::uint32_t>(places_.size()));
    receive(i, arriving[i], place_of);
    std::vector<Arrival>().swap(arriving[i]);
    if (states_[i].n_rows > 0 && !draft.nodes[i].children.empty()) send(i, arriving);
  }
  first_.push_back(static_cast<std::uint32_t>(places_.size()));
  for (RowAtNode& entry : places_)
    if (entry.branch != none) entry.next = next_[entry.next];
}

// Merges the shares of a row that has come by several branches.
void ProgramRows::receive(std::uint32_t index, const std::vector<Arrival>& arrivals,
                          std::vector<std::uint32_t>& place_of) {
  State& state = states_[index];
  state.counts.assign(draft_.n_classes, 0.0);
  for (const Arrival& arrival : arrivals) {
    std::uint32_t& place = place_of[arrival.row];
    if (place < first_[index] || place >= places_.size() || places_[place].row != arrival.row) {
      place = static_cast<std::uint32_t>(places_.size());
      places_.push_back({0.0, arrival.row, 0});
    }
    places_[place].weight += arrival.weight;
    ++places_[place].arrivals;
    next_[arrival.next] = place;
    state.counts[static_cast<std::size_t>(dataset_.classes[arrival.row])] += arrival.weight;
  }
  state.n_rows = static_cast<std::uint32_t>(places_.size()) - first_[index];
}

void ProgramRows::send(std::uint32_t index, std::vector<std::vector<Arrival>>& arriving) {
  State& state = states_[index];
  const Draft::Node& node = draft_.nodes[index];
  const graph::Children& branches = node.children;
  const data::Column& column = dataset_.columns[static_cast<std::size_t>(node.column)];
  state.is_leaf = false;
  state.known_weights.assign(branches.size(), 0.0);
  state.n_known.assign(branches.size(), 0);
  const auto pass_on = [&](const RowAtNode& entry, std::size_t b, double weight) {
    arriving[branches[b]].push_back({entry.row, static_cast<std::uint32_t>(next_.size()), weight});
    next_.push_back(none);
  };
  for (auto i = first_[index]; i < places_.size(); ++i) {
    RowAtNode& entry = places_[i];
    const std::uint32_t b = node.branch_of(data::code_of(column, entry.row), column.n_codes);
    if (b == branches.size()) {
      missing_[index].push_back(i);
      continue;
    }
    entry.branch = b;
    state.known_weights[b] += entry.weight;
    ++state.n_known[b];
    entry.next = static_cast<std::uint32_t>(next_.size());
    pass_on(entry, b, entry.weight);
  }
  const double known = sum(state.known_weights);
  for (const std::uint32_t i : missing_[index]) {
    RowAtNode& entry = places_[i];
    entry.next = static_cast<std::uint32_t>(next_.size());
    for (std::size_t b = 0; b < branches.size(); ++b) {
      const double weight = leaf_errors_.unit().of_share(entry.weight, state.known_weights[b] / known);
      if (state.n_known[b] > 0 && weight > 0.0)
        pass_on(entry, b, weight);
      else
        next_.push_back(none);
    }
  }
}

bool ProgramRows::prune(std::uint32_t index) {
  ++n_trials_;
  fresh_.emplace_back(index, closed(index));
  double estimate = estimate_ + estimate_of(index, fresh_.back().second);
  while (!waiting_.empty()) {
    const std::uint32_t i = waiting_.top();
    waiting_.pop();
    State state = changed(i);
    if (state.is_leaf) estimate += estimate_of(i, state);
    if (states_[i].is_leaf) estimate -= estimate_of(i, states_[i]);
    fresh_.emplace_back(i, std::move(state));
  }
  const bool accepted = criteria::at_most(estimate, estimate_);
  settle(accepted);
  if (accepted)
    estimate_ = estimate;
  else
    refused_.note_refusal(index);
  return accepted;
}

// Returns the state of a split as a leaf, and removes its rows from the nodes below.
ProgramRows::State ProgramRows::closed(std::uint32_t index) {
  const graph::Children& branches = draft_.nodes[index].children;
  for (auto i = first_[index]; i < first_[index + 1]; ++i)
    if (const RowAtNode& entry = places_[i]; entry.branch != none && entry.arrivals > 0)
      change(branches[entry.branch], entry.next, -entry.weight, true);
  State state = states_[index];
  std::ranges::fill(state.known_weights, 0.0);
  std::ranges::fill(state.n_known, 0);
  share_missing(index, state);
  state.is_leaf = true;
  return state;
}

// Returns the state of a node after its changes, and passes the changes on. A split that no known value reaches any
// more becomes a leaf.
ProgramRows::State ProgramRows::changed(std::uint32_t index) {
  State state = states_[index];
  const graph::Children& branches = draft_.nodes[index].children;
  for (const Change& made : changes_[index]) {
    const RowAtNode& entry = places_[made.place];
    const double by = made.weight - entry.weight;
    const bool gone = made.arrivals == 0;
    state.counts[static_cast<std::size_t>(dataset_.classes[entry.row])] += by;
    state.n_rows -= gone;
    if (state.is_leaf || entry.branch == none) continue;
    state.known_weights[entry.branch] += by;
    state.n_known[entry.branch] -= gone;
    change(branches[entry.branch], entry.next, by, gone);
  }
  // A node without rows has exactly no weight.
  if (state.n_rows == 0) std::ranges::fill(state.counts, 0.0);
  if (state.is_leaf) return state;
  for (std::size_t b = 0; b < branches.size(); ++b)
    if (state.n_known[b] == 0) state.known_weights[b] = 0.0;
  share_missing(index, state);
  state.is_leaf = std::ranges::all_of(state.n_known, [](std::uint32_t n) { return n == 0; });
  return state;
}

// Passes on the changes of rows of missing value. All of them change if the weights of the known ones do.
void ProgramRows::share_missing(std::uint32_t index, const State& fresh) {
  const State& old = states_[index];
  const graph::Children& branches = draft_.nodes[index].children;
  const double known_before = sum(old.known_weights);
  const double known = sum(fresh.known_weights);
  for (std::size_t b = 0; b < branches.size(); ++b) {
    if (old.n_known[b] == 0) continue;
    const double share_before = old.known_weights[b] / known_before;
    const double share = fresh.n_known[b] > 0 ? fresh.known_weights[b] / known : 0.0;
    for (const std::uint32_t i : missing_[index]) {
      const RowAtNode& entry = places_[i];
      if (entry.arrivals == 0 || next_[entry.next + b] == none) continue;
      const Change now =
          entry.trial == n_trials_ ? changes_[index][entry.change] : Change{i, entry.arrivals, entry.weight};
      const tree::WeightUnit& unit = leaf_errors_.unit();
      const double by = unit.of_share(now.weight, share) - unit.of_share(entry.weight, share_before);
      const bool gone = now.arrivals == 0 || fresh.n_known[b] == 0;
      if (by != 0.0 || gone) change(branches[b], next_[entry.next + b], by, gone);
    }
  }
}

void ProgramRows::change(std::uint32_t index, std::uint32_t place, double by, bool gone) {
  std::vector<Change>& changes = changes_[index];
  if (changes.empty()) waiting_.push(index);
  RowAtNode& entry = places_[place];
  if (entry.trial != n_trials_) {
    entry.trial = n_trials_;
    entry.change = static_cast<std::uint32_t>(changes.size());
    changes.push_back({place, entry.arrivals, entry.weight});
  }
  Change& made = changes[entry.change];
  made.weight += by;
  if (gone && --made.arrivals == 0) made.weight = 0.0;
}

// Makes the changes final, or discards them.
void ProgramRows::settle(bool accepted) {
  for (auto& [index, state] : fresh_) {
    if (accepted) {
      refused_.note_change(index);
      for (const Change& made : changes_[index]) {
        places_[made.place].weight = made.weight;
        places_[made.place].arrivals = made.arrivals;
      }
      Draft::Node& node = draft_.nodes[index];
      if (state.is_leaf) node.become_leaf();
      // An empty leaf keeps its label.
      if (state.n_rows > 0) node.label = Leaf(state.counts, node.label, leaf_errors_).label;
      states_[index] = std::move(state);
    }
    changes_[index].clear();
  }
  fresh_.clear();
}

double ProgramRows::estimate_of(std::uint32_t index, const State& state) const {
  return Leaf(state.counts, draft_.nodes[index].label, leaf_errors_).estimate;
}

}  // namespace weaklearn::program
