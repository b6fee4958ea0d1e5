#include "tree/prune_pessimistic.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "criteria/tolerance.hpp"
#include "data/node_rows.hpp"
#include "parallel/thread_pool.hpp"
#include "tree/pessimistic_errors.hpp"
#include "tree/propagate_rows.hpp"

namespace weaklearn::tree {
namespace {

using data::Range;
using graph::Draft;
using criteria::at_least;
using criteria::at_most;

constexpr double tolerance = 0.1;  // by how much an estimate may rise
constexpr std::uint32_t rows_worth_sharing = 4096;  // below this, waking threads costs more

// Items divided by a test: a range per branch, then the unknown ones.
struct Division {
  std::vector<std::uint32_t> starts;  // n_branches + 2 of them
  std::vector<double> known;          // weight of known items, per branch
  double total_known = 0.0;

  bool some_unknown() const { return starts.back() > starts[starts.size() - 2]; }
  bool visited(std::size_t branch) const { return starts[branch + 1] > starts[branch]; }
};

// A subtree with the items that come down to it.
struct Task {
  std::uint32_t node;
  std::shared_ptr<Items> items;  // the store its range lies in
  Range range;

  std::span<Item> span() const { return {items->data() + range.begin, range.size()}; }
};

// A node whose branches are being pruned.
struct Visit {
  Task task;
  bool raised;  // with more items than the tree was grown with
  Division division;
  std::uint32_t next_branch = 0;
  double estimate_below = 0.0;
};

// What threads that prune different subtrees share: each looks at its own nodes only.
struct Shared {
  Shared(Draft& tree, const data::Dataset& data, double confidence, parallel::Pool& pool)
      : draft(tree), descent(tree, data, pool), extra_errors(confidence), done(tree.nodes.size(), 0) {
    for (const Draft::Node& node : tree.nodes) exact.push_back(node.branches.empty());
  }

  Draft& draft;
  Descent descent;
  const ExtraErrors extra_errors;
  std::vector<std::uint8_t> exact;  // per node: a leaf, or judged to be exact
  std::vector<std::uint8_t> done;   // per node: pruned already, with the items it was grown with
};

class Pruner {
 public:
  explicit Pruner(Shared& shared)
      : shared_(shared), draft_(shared.draft), slot_of_(shared.draft.nodes.size(), none) {}

  void prune(Task task) {
    enter(std::move(task), false);
    while (!stack_.empty()) {
      Visit& visit = stack_.back();
      if (visit.next_branch < draft_.nodes[visit.task.node].branches.size())
        enter_branch(visit.next_branch++);
      else
        judge();
    }
  }

  // Divides a tree into subtrees of no more than `most` items each, and remembers how.
  std::vector<Task> subtrees(Task whole, std::uint32_t most) {
    std::vector<Task> found;
    std::vector<Task> waiting;
    waiting.push_back(std::move(whole));
    while (!waiting.empty()) {
      const Task task = std::move(waiting.back());
      waiting.pop_back();
      const Draft::Node& node = draft_.nodes[task.node];
      if (task.range.size() <= most || node.branches.empty()) {
        found.push_back(task);
        continue;
      }
      Division division = divide(node, task.span());
      for (std::uint32_t b = 0; b < node.branches.size(); ++b)
        if (division.visited(b)) waiting.push_back(part_of(task, division, b));
      divided_.emplace(task.node, std::pair(task.items, std::move(division)));
    }
    return found;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::uint32_t in_flight = Descent::in_flight;

  struct Flight {
    const Item* item;
    std::uint32_t at;
  };

  // The estimate of a leaf with these class weights.
  double estimate(std::span<const double> weights, std::size_t label) const {
    const double e = criteria::weight_of_others(weights, label);
    return e + shared_.extra_errors(weights[label] + e, e);
  }
  double estimate(std::span<const double> weights) const {
    return estimate(weights, static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin()));
  }

  Division divide(const Draft::Node& node, std::span<Item> items) {
    Division division;
    const auto n_branches = static_cast<std::uint32_t>(node.branches.size());
    shared_.descent.divide(node, items, scratch_, division.starts);
    division.starts.resize(n_branches + 2, division.starts.back());
    division.known.assign(n_branches, 0.0);
    for (std::uint32_t b = 0; b < n_branches; ++b) {
      for (std::uint32_t i = division.starts[b]; i < division.starts[b + 1]; ++i)
        division.known[b] += items[i].weight;
      division.total_known += division.known[b];
    }
    return division;
  }

  // The items of one branch, with their part of the unknown ones, in a store of their own.
  static std::shared_ptr<Items> with_unknown(std::span<const Item> items, const Division& division, std::uint32_t b) {
    auto own = std::make_shared<Items>(items.begin() + division.starts[b], items.begin() + division.starts[b + 1]);
    const std::size_t n_branches = division.known.size();
    const double share = division.known[b] / division.total_known;
    for (std::uint32_t i = division.starts[n_branches]; i < division.starts[n_branches + 1]; ++i)
      own->push_back({items[i].row, items[i].class_number, items[i].weight * share});
    return own;
  }

  // The subtree of a branch, with the items that take it.
  Task part_of(const Task& task, const Division& division, std::uint32_t b) const {
    const std::uint32_t child = draft_.nodes[task.node].branches[b];
    if (!division.some_unknown())
      return {child, task.items, {task.range.begin + division.starts[b], task.range.begin + division.starts[b + 1]}};
    auto own = with_unknown(task.span(), division, b);
    const auto n = static_cast<std::uint32_t>(own->size());
    return {child, std::move(own), {0, n}};
  }

  void enter(Task task, bool raised) {
    const std::uint32_t number = task.node;
    Draft::Node& node = draft_.nodes[number];
    if (shared_.done[number] != 0 && !raised) {
      leave(node.errors);
      return;
    }
    if (raised) recount(number, task.span());
    if (!node.branches.empty()) {
      // Items that are divided already are in order by now, and summed up in it their weights might round otherwise.
      const auto known = raised ? divided_.end() : divided_.find(number);
      Division division = known != divided_.end() && known->second.first == task.items
                              ? std::move(known->second.second)
                              : divide(node, task.span());
      stack_.push_back({std::move(task), raised, std::move(division)});
      return;
    }
    node.errors = estimate(draft_.weights_of(number), static_cast<std::size_t>(node.label));
    leave(node.errors);
  }

  // Describes a node by the items that reach it now; until a branch is raised those it was grown with do.
  void recount(std::uint32_t number, std::span<const Item> items) {
    Draft::Node& node = draft_.nodes[number];
    const auto weights = draft_.weights_of(number);
    std::ranges::fill(weights, 0.0);
    node.weight = 0.0;
    for (const Item& item : items) {
      weights[item.class_number] += item.weight;
      node.weight += item.weight;
    }
    node.label = static_cast<std::int32_t>(criteria::largest(weights, static_cast<std::size_t>(node.label)));
  }

  void enter_branch(std::uint32_t b) {
    const Visit& visit = stack_.back();
    if (!visit.division.visited(b)) return;
    enter(part_of(visit.task, visit.division, b), visit.raised);
  }

  // A node is done; its parent, if any, adds up its estimate.
  void leave(double errors) {
    if (!stack_.empty()) stack_.back().estimate_below += errors;
  }

  void judge() {
    Visit visit = std::move(stack_.back());
    stack_.pop_back();
    Draft::Node& node = draft_.nodes[visit.task.node];
    const auto weights = draft_.weights_of(visit.task.node);
    const double as_tree = visit.estimate_below;
    const double as_leaf = estimate(weights, static_cast<std::size_t>(node.label));
    std::uint32_t largest = 0;
    for (std::uint32_t b = 1; b < node.branches.size(); ++b)
      if (at_least(visit.division.known[b], visit.division.known[largest])) largest = b;
    note_exactness(visit.task.node);
    // Beyond this the branch is out of the question, however much worse it would be.
    const bool leaf_beats_tree = at_most(as_leaf, as_tree + tolerance);
    const double limit = leaf_beats_tree ? as_leaf - tolerance : as_tree + tolerance;
    const double as_branch = estimate_of_branch(visit, largest, limit + 1e-6 * (1.0 + std::abs(limit)));

    if (leaf_beats_tree && at_most(as_leaf, as_branch + tolerance)) {
      node.become_leaf();
      shared_.descent.note_change(visit.task.node);
      node.errors = as_leaf;
      shared_.exact[visit.task.node] = 1;
      leave(node.errors);
    } else if (at_most(as_branch, as_tree + tolerance)) {
      // The branch takes the node's place and is pruned again with all the node's items.
      const std::uint32_t branch = node.branches[largest];
      Draft::Node raised = draft_.nodes[branch];
      node = std::move(raised);
      shared_.descent.note_change(visit.task.node);
      enter(std::move(visit.task), true);
    } else {
      node.errors = as_tree;
      leave(node.errors);
    }
  }

  // Whether no test at or below a node meets an unknown value, so that items pass it independently.
  void note_exactness(std::uint32_t number) {
    const Draft::Node& node = draft_.nodes[number];
    bool exact = !shared_.descent.may_be_unknown(node);
    for (const std::uint32_t branch : node.branches) exact = exact && shared_.exact[branch] != 0;
    shared_.exact[number] = exact;
  }

  // What the branch would be estimated at if all of the node's items came down it, or some number beyond
  // the limit if that is what it comes to.
  double estimate_of_branch(const Visit& visit, std::uint32_t branch, double limit) {
    const std::uint32_t child = draft_.nodes[visit.task.node].branches[branch];
    if (shared_.exact[visit.task.node] == 0) {
      Items all(visit.task.span().begin(), visit.task.span().end());
      return estimate_with(child, std::move(all));
    }
    return estimate_with_others(visit, branch, child, limit);
  }

  // Only the items of the other branches have to be sent down: the rest is there already. No item makes a
  // leaf's estimate smaller, so once the sum is beyond the limit it stays there.
  double estimate_with_others(const Visit& visit, std::uint32_t branch, std::uint32_t child, double limit) {
    const auto items = visit.task.span();
    const std::uint32_t own_begin = visit.division.starts[branch];
    const std::uint32_t own_size = visit.division.starts[branch + 1] - own_begin;
    const auto n_others = static_cast<std::uint32_t>(items.size()) - own_size;
    double total = draft_.nodes[child].errors;
    changed_.clear();
    counts_.clear();
    for (std::uint32_t sent = 0, portion = 32; sent < n_others && total <= limit; portion *= 2) {
      const std::uint32_t until = sent + std::min(portion, n_others - sent);
      for (; sent < until; sent += std::min(in_flight, until - sent)) {
        // The rows of the other branches lie before and behind the branch's own.
        for (std::uint32_t i = 0; i < std::min(in_flight, until - sent); ++i)
          flight_[i] = {&items[sent + i < own_begin ? sent + i : sent + i + own_size], child};
        send({flight_, std::min(in_flight, until - sent)});
      }
      total = draft_.nodes[child].errors;
      for (std::size_t s = 0; s < changed_.size(); ++s) {
        const std::span<const double> counts(counts_.data() + s * draft_.n_classes, draft_.n_classes);
        total += estimate(counts) - draft_.nodes[changed_[s]].errors;
      }
    }
    for (const std::uint32_t leaf : changed_) slot_of_[leaf] = none;
    return total;
  }

  // Takes some items down side by side, so that they wait for memory together and not one by one.
  void send(std::span<Flight> flight) {
    const Descent& descent = shared_.descent;
    std::uint32_t moving[in_flight];
    std::uint32_t n_moving = 0;
    const auto note_where_it_is = [&](std::uint32_t i) {
      descent.prefetch(flight[i].at, flight[i].item->row);
      moving[n_moving] = i;
      n_moving += !descent.is_leaf(flight[i].at);
    };
    for (std::uint32_t i = 0; i < flight.size(); ++i) note_where_it_is(i);
    while (n_moving > 0)
      for (std::uint32_t i = 0, n = std::exchange(n_moving, 0); i < n; ++i) {
        Flight& one = flight[moving[i]];
        one.at = descent.next_node(one.at, one.item->row);
        note_where_it_is(moving[i]);
      }
    for (const Flight& one : flight) count_at(one.at, *one.item);
  }

  // Counts an item at a leaf, beside those that are there.
  void count_at(std::uint32_t leaf, const Item& item) {
    if (slot_of_[leaf] == none) {
      slot_of_[leaf] = static_cast<std::uint32_t>(changed_.size());
      changed_.push_back(leaf);
      // An empty leaf holds a copy of its parent's weights, not its own.
      if (draft_.nodes[leaf].weight > 0.0)
        counts_.insert(counts_.end(), draft_.weights_of(leaf).begin(), draft_.weights_of(leaf).end());
      else
        counts_.resize(counts_.size() + draft_.n_classes, 0.0);
    }
    counts_[std::size_t{slot_of_[leaf]} * draft_.n_classes + item.class_number] += item.weight;
  }

  // Sends items down a subtree, changing nothing, and adds up the estimates of its leaves.
  double estimate_with(std::uint32_t child, Items items) {
    double total = 0.0;
    std::vector<std::pair<std::uint32_t, Items>> waiting;
    waiting.emplace_back(child, std::move(items));
    std::vector<double> counts(draft_.n_classes);
    while (!waiting.empty()) {
      auto [number, here] = std::move(waiting.back());
      waiting.pop_back();
      const Draft::Node& node = draft_.nodes[number];
      if (node.branches.empty()) {
        std::ranges::fill(counts, 0.0);
        for (const Item& item : here) counts[item.class_number] += item.weight;
        total += estimate(counts);
        continue;
      }
      const Division division = divide(node, here);
      for (std::uint32_t b = static_cast<std::uint32_t>(node.branches.size()); b-- > 0;)
        if (division.visited(b)) waiting.emplace_back(node.branches[b], std::move(*with_unknown(here, division, b)));
    }
    return total;
  }

  Shared& shared_;
  Draft& draft_;
  Flight flight_[in_flight];
  std::vector<Visit> stack_;
  std::unordered_map<std::uint32_t, std::pair<std::shared_ptr<Items>, Division>> divided_;  // per node, by `subtrees`
  Items scratch_;
  std::vector<std::uint32_t> slot_of_;  // per node: its place in changed_, or none
  std::vector<std::uint32_t> changed_;
  std::vector<double> counts_;
};

}  // namespace

void prune_pessimistic(graph::Draft& draft, const data::Dataset& dataset, std::span<const double> weights,
                       double confidence, std::uint32_t n_threads) {
  auto items = std::make_shared<Items>();
  items->reserve(dataset.n_rows);
  for (std::uint32_t row = 0; row < dataset.n_rows; ++row)
    if (weights[row] > 0.0) items->push_back({row, static_cast<std::uint32_t>(dataset.classes[row]), weights[row]});
  const auto n = static_cast<std::uint32_t>(items->size());
  const Task whole{0, std::move(items), {0, n}};
  parallel::Pool pool(n >= rows_worth_sharing ? n_threads : 1);
  Shared shared(draft, dataset, confidence, pool);
  Pruner first(shared);
  if (pool.n_threads() > 1) {
    // Subtrees first, each by one thread; then what is above them.
    std::vector<Task> tasks = first.subtrees(whole, n / (4 * pool.n_threads()));
    std::ranges::stable_sort(tasks, std::greater{}, [](const Task& task) { return task.range.size(); });
    std::vector<std::unique_ptr<Pruner>> pruners(pool.n_threads());
    pool.for_each(static_cast<std::uint32_t>(tasks.size()), [&](std::uint32_t t, std::uint32_t thread) {
      if (pruners[thread] == nullptr) pruners[thread] = std::make_unique<Pruner>(shared);
      pruners[thread]->prune(std::move(tasks[t]));
    });
    for (const Task& task : tasks) shared.done[task.node] = 1;
  }
  first.prune(whole);
}

}  // namespace weaklearn::tree
