#include "program/prune_program.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "program/program_rows.hpp"
#include "tree/pessimistic_errors.hpp"

namespace weaklearn::program {
namespace {

using graph::Draft;

struct Item {
  std::uint32_t row;
  double weight;
};

class ProgramPruner {
 public:
  ProgramPruner(Draft& draft, const data::Dataset& dataset, std::span<const double> weights, double confidence)
      : draft_(draft),
        dataset_(dataset),
        weights_(weights),
        pessimistic_(confidence),
        refused_(draft),
        slot_of_(dataset.n_rows, 0) {
    whole_ = std::ranges::all_of(dataset.columns, [](const data::Column& column) { return column.n_unknown == 0; });
  }

  void prune() {
    pour();
    while (whole_ ? cut_back_whole_rows() : cut_back()) pour();
    unite();
    pour();
    for (std::uint32_t i = 0; i < draft_.nodes.size(); ++i)
      draft_.nodes[i].errors = feared(draft_.nodes[i].weight, draft_.nodes[i].errors);
    graph::share_errors(draft_);
  }

 private:
  double feared(double n, double e) const { return n > 0.0 ? pessimistic_.total(n, e) : 0.0; }
  double feared(const Leaf& leaf) const { return feared(leaf.weight, leaf.errors); }

  // Sends the training rows through the program and notes the weights and the estimate of its errors. Makes
  // leaves of tests at which no known value arrives.
  void pour() {
    const std::size_t n_nodes = draft_.nodes.size();
    std::vector<std::vector<Item>> arriving(n_nodes);
    std::vector<bool> reached(n_nodes, false);
    reached[0] = true;
    for (std::uint32_t row = 0; row < dataset_.n_rows; ++row)
      if (weights_[row] > 0.0) arriving[0].push_back({row, weights_[row]});
    double estimate = 0.0;
    std::vector<double> counts(draft_.n_classes);
    for (std::uint32_t i = 0; i < n_nodes; ++i) {
      if (!reached[i]) continue;
      const std::vector<Item> items = pooled(std::move(arriving[i]));
      arriving[i].clear();
      std::ranges::fill(counts, 0.0);
      for (const Item& item : items) counts[static_cast<std::size_t>(dataset_.classes[item.row])] += item.weight;
      const Leaf leaf(counts, draft_.nodes[i].label);
      const std::vector<double> flow = divide(i, items, arriving);
      note(i, leaf, counts, flow);
      if (flow.empty())
        estimate += feared(leaf);
      else
        for (const std::uint32_t branch : draft_.nodes[i].children) reached[branch] = true;
    }
    reached_ = std::move(reached);
    estimate_ = estimate;
  }

  // The shares of a row that have come by several branches, added up.
  std::vector<Item> pooled(std::vector<Item> items) {
    std::size_t n = 0;
    for (const Item& item : items) {
      const std::uint32_t slot = slot_of_[item.row];
      if (slot < n && items[slot].row == item.row) {
        items[slot].weight += item.weight;
      } else {
        slot_of_[item.row] = static_cast<std::uint32_t>(n);
        items[n++] = item;
      }
    }
    items.resize(n);
    return items;
  }

  // Hands the items of a test on and returns the weight that takes each branch; nothing, if none is known.
  std::vector<double> divide(std::uint32_t number, const std::vector<Item>& items,
                             std::vector<std::vector<Item>>& arriving) const {
    const Draft::Node& node = draft_.nodes[number];
    if (node.children.empty()) return {};
    const data::Column& column = dataset_.columns[static_cast<std::size_t>(node.column)];
    std::vector<double> flow(node.children.size(), 0.0);
    std::vector<bool> visited(node.children.size(), false);
    std::vector<Item> unknown;
    bool some = false;
    for (const Item& item : items) {
      const std::uint32_t b = node.branch_of(data::code_of(column, item.row), column.n_codes);
      if (b == node.children.size()) {
        unknown.push_back(item);
        continue;
      }
      flow[b] += item.weight;
      visited[b] = some = true;
      arriving[node.children[b]].push_back(item);
    }
    if (!some) return {};
    double known = 0.0;
    for (const double weight : flow) known += weight;
    for (std::size_t b = 0; b < flow.size(); ++b) {
      const double share = flow[b] / known;
      if (!visited[b]) continue;
      for (const Item& item : unknown) {
        const double weight = item.weight * share;
        if (!(weight > 0.0)) continue;
        flow[b] += weight;
        arriving[node.children[b]].push_back({item.row, weight});
      }
    }
    return flow;
  }

  void note(std::uint32_t number, const Leaf& leaf, const std::vector<double>& counts,
            const std::vector<double>& flow) {
    Draft::Node& node = draft_.nodes[number];
    node.weight = leaf.weight;
    node.errors = leaf.errors;
    if (leaf.weight > 0.0) {  // an empty leaf keeps its class and its weights
      node.label = leaf.label;
      std::ranges::copy(counts, draft_.weights_of(number).begin());
    }
    if (flow.empty())
      node.become_leaf();
    else
      node.branch_weights = flow;
  }

  bool may_be_cut(std::uint32_t i) {
    return reached_[i] && !draft_.nodes[i].children.empty() && draft_.nodes[i].weight > 0.0 && !refused_.stands(i);
  }

  // One pass from the last test to the first; whether anything has changed.
  bool cut_back() {
    bool changed = false;
    ProgramRows flow(draft_, dataset_, weights_, pessimistic_, refused_, estimate_);
    for (std::uint32_t i = static_cast<std::uint32_t>(draft_.nodes.size()); i-- > 0;)
      if (may_be_cut(i) && flow.cut(i)) changed = true;
    return changed;
  }

  // The same where no value is unknown: each row ends in one leaf, and only the leaves of a test's own rows
  // change when it is cut.
  bool cut_back_whole_rows() {
    const std::vector<std::vector<std::uint32_t>> rows_at = rows_of_tests();
    std::vector<std::uint32_t> n_rows(draft_.nodes.size(), 0);
    for (const std::uint32_t leaf : leaf_of_)
      if (leaf != none) ++n_rows[leaf];
    std::vector<double> counts(draft_.distribution.size(), 0.0);
    for (std::uint32_t row = 0; row < dataset_.n_rows; ++row)
      if (leaf_of_[row] != none) counts[place(leaf_of_[row], row)] += weights_[row];
    std::vector<double> left = counts;
    std::vector<std::uint32_t> n_left = n_rows;
    std::vector<std::uint32_t> touched;
    bool changed = false;
    for (std::uint32_t i = static_cast<std::uint32_t>(draft_.nodes.size()); i-- > 0;) {
      if (!may_be_cut(i)) continue;
      touched.clear();
      for (const std::uint32_t row : rows_at[i]) {
        const std::uint32_t leaf = leaf_of_[row];
        if (n_left[leaf] == n_rows[leaf]) touched.push_back(leaf);
        --n_left[leaf];
        left[place(leaf, row)] -= weights_[row];
      }
      double estimate = estimate_ + feared(Leaf(draft_.weights_of(i), draft_.nodes[i].label));
      for (const std::uint32_t leaf : touched) {
        if (n_left[leaf] == 0) std::ranges::fill(of(left, leaf), 0.0);
        estimate -= feared(leaf_from(counts, leaf));
        estimate += feared(leaf_from(left, leaf));
      }
      const bool accepted = criteria::at_most(estimate, estimate_);
      for (const std::uint32_t leaf : touched) {
        if (accepted) {
          draft_.nodes[leaf].label = leaf_from(left, leaf).label;
          refused_.note_change(leaf);
        }
        std::ranges::copy(of(accepted ? left : counts, leaf), of(accepted ? counts : left, leaf).begin());
        (accepted ? n_rows : n_left)[leaf] = (accepted ? n_left : n_rows)[leaf];
      }
      if (!accepted) {
        refused_.note_refusal(i);
        continue;
      }
      changed = true;
      refused_.note_change(i);
      estimate_ = estimate;
      draft_.nodes[i].become_leaf();
      draft_.nodes[i].label = Leaf(draft_.weights_of(i), draft_.nodes[i].label).label;
      for (const std::uint32_t row : rows_at[i]) leaf_of_[row] = i;
      n_rows[i] = n_left[i] = static_cast<std::uint32_t>(rows_at[i].size());
      std::ranges::copy(draft_.weights_of(i), of(counts, i).begin());
      std::ranges::copy(draft_.weights_of(i), of(left, i).begin());
    }
    return changed;
  }

  // The rows at each test; notes where each row ends.
  std::vector<std::vector<std::uint32_t>> rows_of_tests() {
    std::vector<std::vector<std::uint32_t>> rows_at(draft_.nodes.size());
    leaf_of_.assign(dataset_.n_rows, none);
    for (std::uint32_t row = 0; row < dataset_.n_rows; ++row) {
      if (!(weights_[row] > 0.0)) continue;
      std::uint32_t i = 0;
      while (!draft_.nodes[i].children.empty()) {
        const Draft::Node& node = draft_.nodes[i];
        rows_at[i].push_back(row);
        const data::Column& column = dataset_.columns[static_cast<std::size_t>(node.column)];
        i = node.children[node.branch_of(data::code_of(column, row), column.n_codes)];
      }
      leaf_of_[row] = i;
    }
    return rows_at;
  }
  std::size_t place(std::uint32_t node, std::uint32_t row) const {
    return std::size_t{node} * draft_.n_classes + static_cast<std::size_t>(dataset_.classes[row]);
  }
  std::span<double> of(std::vector<double>& counts, std::uint32_t node) const {
    return {counts.data() + std::size_t{node} * draft_.n_classes, draft_.n_classes};
  }
  Leaf leaf_from(std::vector<double>& counts, std::uint32_t node) const {
    return {of(counts, node), draft_.nodes[node].label};
  }

  // Per node that is reached a number, the same for nodes that answer every row of known values with the
  // same class. Those of leaves come first: the number of their class.
  std::vector<std::uint32_t> behaviours() const {
    std::map<std::vector<std::uint64_t>, std::uint32_t> known;
    std::vector<std::uint32_t> behaviour(draft_.nodes.size(), none);
    for (std::size_t i = draft_.nodes.size(); i-- > 0;) {
      if (!reached_[i]) continue;
      const Draft::Node& node = draft_.nodes[i];
      if (node.children.empty()) {
        behaviour[i] = static_cast<std::uint32_t>(node.label);
        continue;
      }
      std::vector<std::uint64_t> key{static_cast<std::uint64_t>(node.split), static_cast<std::uint64_t>(node.column),
                                     std::bit_cast<std::uint64_t>(node.threshold)};
      for (const std::int32_t branch : node.value_branch) key.push_back(static_cast<std::uint64_t>(branch));
      bool alike = true;
      for (const std::uint32_t branch : node.children) {
        key.push_back(behaviour[branch]);
        alike = alike && behaviour[branch] == behaviour[node.children[0]];
      }
      behaviour[i] =
          alike ? behaviour[node.children[0]]
                : known.try_emplace(std::move(key), draft_.n_classes + static_cast<std::uint32_t>(known.size()))
                      .first->second;
    }
    return behaviour;
  }

  // Tests that behave alike become the first of them that is of use, with its leaves; a test whose branches
  // all behave alike gives way to them.
  void unite() {
    const std::vector<std::uint32_t> behaviour = behaviours();
    const auto is_leaf = [&](std::uint32_t i) { return behaviour[i] < draft_.n_classes; };
    std::map<std::uint32_t, std::uint32_t> first;
    for (std::uint32_t i = 0; i < draft_.nodes.size(); ++i) {
      if (!reached_[i] || is_leaf(i)) continue;
      const auto differs = [&](std::uint32_t branch) { return behaviour[branch] != behaviour[i]; };
      if (std::ranges::any_of(draft_.nodes[i].children, differs)) first.try_emplace(behaviour[i], i);
    }
    const auto stand_in = [&](std::uint32_t i) { return is_leaf(i) ? i : first.at(behaviour[i]); };

    // Children before their parents, the last child first: turned round, that is parents first.
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> seen(draft_.nodes.size(), 0);
    std::vector<std::pair<std::uint32_t, bool>> stack{{stand_in(0), false}};
    while (!stack.empty()) {
      const auto [i, done] = stack.back();
      stack.pop_back();
      if (done) order.push_back(i);
      if (done || seen[i]) continue;
      seen[i] = 1;
      stack.push_back({i, true});
      if (!is_leaf(i))
        for (const std::uint32_t branch : draft_.nodes[i].children) stack.push_back({stand_in(branch), false});
    }
    std::ranges::reverse(order);
    std::vector<std::uint32_t> number_of(draft_.nodes.size(), none);
    for (std::uint32_t n = 0; n < order.size(); ++n) number_of[order[n]] = n;
    Draft united(draft_.n_classes);
    for (const std::uint32_t i : order) {
      const std::uint32_t n = united.add();
      united.nodes[n] = draft_.nodes[i];
      std::ranges::copy(draft_.weights_of(i), united.weights_of(n).begin());
      if (is_leaf(i)) united.nodes[n].become_leaf();
      for (std::uint32_t& branch : united.nodes[n].children) branch = number_of[stand_in(branch)];
    }
    draft_ = std::move(united);
  }

  Draft& draft_;
  const data::Dataset& dataset_;
  std::span<const double> weights_;
  const tree::PessimisticErrors pessimistic_;
  RefusedNodes refused_;
  bool whole_;                           // no value is unknown
  std::vector<bool> reached_;            // per node, when the rows were poured in last
  double estimate_ = 0.0;                // and the errors feared then
  std::vector<std::uint32_t> slot_of_;   // per row: where it may be among the items in hand
  std::vector<std::uint32_t> leaf_of_;   // per row of whole tables: where it ends
};

}  // namespace

void prune_program(graph::Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
                   double confidence) {
  ProgramPruner(draft, dataset, weights, confidence).prune();
}

}  // namespace weaklearn::program
