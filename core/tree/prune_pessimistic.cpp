#include "tree/prune_pessimistic.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/node_rows.hpp"
#include "parallel/thread_pool.hpp"
#include "tree/further_rows.hpp"
#include "tree/leaf_errors.hpp"
#include "tree/propagate_rows.hpp"
#include "tree/pruning_decision.hpp"

namespace weaklearn::tree {
namespace {

using data::Range;
using graph::Draft;

constexpr std::uint32_t rows_worth_sharing = 4096;  // below this, waking threads costs more than it saves
constexpr std::uint32_t rows_that_stay_in_cache = 1U << 15;

// The rows of a node, partitioned by its split: a range per branch, then the rows of missing value.
struct Partition {
  std::vector<std::uint32_t> starts;  // n_branches + 2 of them
  std::vector<double> known;          // per branch: the weight of the rows of known value
  double total_known = 0.0;

  bool some_missing() const { return starts.back() > starts[starts.size() - 2]; }
  bool visited(std::size_t branch) const { return starts[branch + 1] > starts[branch]; }
};

// A subtree with the rows that reach it. A row is a WholeRow or a RowShare.
template <class Row>
struct Subtree {
  std::uint32_t root;
  std::shared_ptr<std::vector<Row>> store;  // where its rows lie
  Range range;

  std::span<Row> rows() const { return {store->data() + range.begin, range.size()}; }
};

// A node whose children are being pruned.
template <class Row>
struct Visit {
  Subtree<Row> subtree;
  bool raised;  // it has more rows than it was grown with
  Partition partition;
  std::uint32_t next_branch = 0;
  double estimate_below = 0.0;
};

// What the threads share. Each prunes subtrees of its own and touches no other nodes.
struct Shared {
  Shared(Draft& tree, const data::Dataset& data, data::WeightView weights, LeafErrors errors_of_leaves)
      : draft(tree),
        propagation(tree, data),
        leaf_errors(std::move(errors_of_leaves)),
        all_rows(data, weights, leaf_errors.unit()),
        columns(propagation.split_columns()),
        done(tree.nodes.size(), 0) {
    for (const Draft::Node& node : tree.nodes) exact.push_back(node.children.empty());
    may_copy = std::ranges::none_of(tree.nodes,
                                    [](const Draft::Node& node) { return node.split == graph::SplitKind::oblique; });
  }

  // Returns how many rows a subtree may have to be pruned with a copy of them, if all rows are n; 0 for no copies. The
  // rows of a subtree that is pruned are in no order, and then each look-up in a large dataset is a cache miss.
  std::uint32_t most_copied(std::uint32_t n) const {
    return may_copy && n > 2 * rows_that_stay_in_cache ? std::max(rows_that_stay_in_cache, n / 8) : 0;
  }

  Draft& draft;
  RowPropagation propagation;
  const LeafErrors leaf_errors;
  const KnownRows all_rows;
  const std::vector<bool> columns;  // those that splits read
  bool may_copy;  // an oblique split reads the dataset itself
  std::vector<std::uint8_t> exact;  // per node: no split at it or below it may meet a missing value
  std::vector<std::uint8_t> done;  // per node: already pruned with the rows it was grown with
};

template <class Row>
class Pruner {
 public:
  using Rows = std::vector<Row>;
  using Subtree = tree::Subtree<Row>;
  using Visit = tree::Visit<Row>;

  explicit Pruner(Shared& shared)
      : shared_(shared),
        draft_(shared.draft),
        known_(&shared.all_rows),
        most_copied_(shared.most_copied(known_->n_rows())),
        further_rows_(shared.draft, shared.propagation, shared.leaf_errors, shared.all_rows, shared.columns) {}

  void prune(Subtree subtree, bool raised = false) {
    enter(std::move(subtree), raised);
    while (!stack_.empty()) {
      Visit& visit = stack_.back();
      if (visit.next_branch < draft_.nodes[visit.subtree.root].children.size())
        enter_branch(visit.next_branch++);
      else
        judge();
    }
  }

  // Returns the subtrees of at most `most_rows` rows each, and remembers the partitions above them.
  std::vector<Subtree> small_subtrees(Subtree whole, std::uint32_t most_rows) {
    std::vector<Subtree> result;
    std::vector<Subtree> waiting;
    waiting.push_back(std::move(whole));
    while (!waiting.empty()) {
      const Subtree subtree = std::move(waiting.back());
      waiting.pop_back();
      const Draft::Node& node = draft_.nodes[subtree.root];
      if (subtree.range.size() <= most_rows || node.children.empty()) {
        result.push_back(subtree);
        continue;
      }
      Partition partition = partition_rows(node, subtree.rows());
      for (std::uint32_t b = 0; b < node.children.size(); ++b)
        if (partition.visited(b)) waiting.push_back(child_of(subtree, partition, b));
      partitions_.emplace(subtree.root, std::pair(subtree.store, std::move(partition)));
    }
    return result;
  }

 private:
  static constexpr bool has_shares = std::is_same_v<Row, RowShare>;

  Partition partition_rows(const Draft::Node& node, std::span<Row> rows) {
    Partition partition;
    const auto n_branches = static_cast<std::uint32_t>(node.children.size());
    shared_.propagation.partition(node, rows, known_->codes, scratch_, partition.starts);
    partition.starts.resize(n_branches + 2, partition.starts.back());
    partition.known.assign(n_branches, 0.0);
    for (std::uint32_t b = 0; b < n_branches; ++b) {
      for (std::uint32_t i = partition.starts[b]; i < partition.starts[b + 1]; ++i)
        partition.known[b] += known_->weight(rows[i]);
      partition.total_known += partition.known[b];
    }
    return partition;
  }

  // Copies the rows of one branch, and those of missing value with their share of the weight.
  std::shared_ptr<Rows> with_missing_rows(std::span<const Row> rows, const Partition& partition, std::uint32_t b) const
    requires has_shares
  {
    auto own = std::make_shared<Rows>(rows.begin() + partition.starts[b], rows.begin() + partition.starts[b + 1]);
    const std::size_t n_branches = partition.known.size();
    const double share = partition.known[b] / partition.total_known;
    for (std::uint32_t i = partition.starts[n_branches]; i < partition.starts[n_branches + 1]; ++i)
      own->push_back({rows[i].row, rows[i].class_index, shared_.leaf_errors.unit().of_share(rows[i].weight, share)});
    return own;
  }

  // Returns the subtree of a branch, with the rows that take it.
  Subtree child_of(const Subtree& parent, const Partition& partition, std::uint32_t b) const {
    const std::uint32_t child = draft_.nodes[parent.root].children[b];
    if constexpr (has_shares)
      if (partition.some_missing()) {
        auto own = with_missing_rows(parent.rows(), partition, b);
        const auto n = static_cast<std::uint32_t>(own->size());
        return {child, std::move(own), {0, n}};
      }
    return {
        child, parent.store, {parent.range.begin + partition.starts[b], parent.range.begin + partition.starts[b + 1]}};
  }

  void enter(Subtree subtree, bool raised) {
    const std::uint32_t index = subtree.root;
    Draft::Node& node = draft_.nodes[index];
    if (shared_.done[index] != 0 && !raised) {
      leave(node.errors);
      return;
    }
    if (!node.children.empty() && subtree.range.size() <= most_copied_ && (raised || !partitions_.contains(index))) {
      prune_copy(std::move(subtree), raised);
      return;
    }
    if (raised) recount(index, subtree.rows());
    if (!node.children.empty()) {
      // Rows that were partitioned before are in another order now, in which the sums of weights might round
      // differently. So the partition that was remembered is used.
      const auto known = raised ? partitions_.end() : partitions_.find(index);
      Partition partition = known != partitions_.end() && known->second.first == subtree.store
                                ? std::move(known->second.second)
                                : partition_rows(node, subtree.rows());
      stack_.push_back({std::move(subtree), raised, std::move(partition)});
      return;
    }
    node.errors = shared_.leaf_errors.of(draft_.weights_of(index), static_cast<std::size_t>(node.label));
    leave(node.errors);
  }

  // Prunes a small subtree with a copy of its rows.
  void prune_copy(Subtree subtree, bool raised) {
    if (for_copies_ == nullptr) {
      for_copies_ = std::make_unique<Pruner>(shared_);
      for_copies_->copied_ = std::make_unique<KnownRows>(shared_.all_rows);
      for_copies_->known_ = for_copies_->copied_.get();
    }
    KnownRows& copied = *for_copies_->copied_;
    copied.copy(*known_, subtree.rows(), shared_.columns);
    for_copies_->most_copied_ = shared_.most_copied(copied.n_rows());
    for_copies_->prune(subtree, raised);
    copied.restore(subtree.rows());
    leave(draft_.nodes[subtree.root].errors);
  }

  // Describes a node by the rows that reach it after a child was raised.
  void recount(std::uint32_t index, std::span<const Row> rows) {
    Draft::Node& node = draft_.nodes[index];
    const auto weights = draft_.weights_of(index);
    std::ranges::fill(weights, 0.0);
    node.weight = 0.0;
    for (const Row& row : rows) {
      const double weight = known_->weight(row);
      weights[known_->class_of(row)] += weight;
      node.weight += weight;
    }
    const criteria::ClassFactors& classes = shared_.leaf_errors.classes();
    node.label = static_cast<std::int32_t>(classes.label_of(weights, static_cast<std::size_t>(node.label)));
  }

  void enter_branch(std::uint32_t b) {
    const Visit& visit = stack_.back();
    if (!visit.partition.visited(b)) return;
    enter(child_of(visit.subtree, visit.partition, b), visit.raised);
  }

  // A node is done. Its estimate is added to that of its parent, if there is one.
  void leave(double errors) {
    if (!stack_.empty()) stack_.back().estimate_below += errors;
  }

  void judge() {
    Visit visit = std::move(stack_.back());
    stack_.pop_back();
    Draft::Node& node = draft_.nodes[visit.subtree.root];
    const auto weights = draft_.weights_of(visit.subtree.root);
    const double as_tree = visit.estimate_below;
    const double as_leaf = shared_.leaf_errors.of(weights, static_cast<std::size_t>(node.label));
    const std::uint32_t heaviest =
        branch_to_raise(node.children.size(), [&](std::uint32_t b) { return visit.partition.known[b]; });
    note_exactness(visit.subtree.root);
    // A child whose estimate is beyond this limit is not raised, however far beyond it is.
    const double limit = leaf_beats_tree(as_leaf, as_tree) ? as_leaf - pruning_tolerance : as_tree + pruning_tolerance;
    const double as_child = estimate_of_child(visit, heaviest, limit + 1e-6 * (1.0 + std::abs(limit)));
    const Pruning pruning = decide_pruning(as_leaf, as_child, as_tree);

    if (pruning == Pruning::leaf) {
      node.become_leaf();
      shared_.propagation.note_change(visit.subtree.root);
      node.errors = as_leaf;
      shared_.exact[visit.subtree.root] = 1;
      leave(node.errors);
    } else if (pruning == Pruning::child) {
      // The child replaces the node and is pruned again with all rows of the node.
      const std::uint32_t child = node.children[heaviest];
      Draft::Node raised = draft_.nodes[child];
      node = std::move(raised);
      shared_.propagation.note_change(visit.subtree.root);
      enter(std::move(visit.subtree), true);
    } else {
      node.errors = as_tree;
      leave(node.errors);
    }
  }

  // Notes whether no split at a node or below it meets a missing value, so that each row takes one path.
  void note_exactness(std::uint32_t index) {
    const Draft::Node& node = draft_.nodes[index];
    bool exact = !shared_.propagation.may_be_missing(node);
    for (const std::uint32_t branch : node.children) exact = exact && shared_.exact[branch] != 0;
    shared_.exact[index] = exact;
  }

  // Returns the estimate of a child if all rows of the node reached it. Where that is beyond the limit, the result is
  // some number beyond the limit.
  double estimate_of_child(const Visit& visit, std::uint32_t branch, double limit) {
    const std::uint32_t child = draft_.nodes[visit.subtree.root].children[branch];
    if constexpr (has_shares)
      if (shared_.exact[visit.subtree.root] == 0) {
        Rows all(visit.subtree.rows().begin(), visit.subtree.rows().end());
        return estimate_with(child, std::move(all));
      }
    // The child's own rows are counted already.
    const Range own{visit.partition.starts[branch], visit.partition.starts[branch + 1]};
    return further_rows_.estimate(child, visit.subtree.rows(), own, *known_, most_copied_ > 0, limit);
  }

  // Propagates rows through a subtree and returns the sum of the estimates of its leaves. Nothing is changed.
  double estimate_with(std::uint32_t child, Rows rows)
    requires has_shares
  {
    double total = 0.0;
    std::vector<std::pair<std::uint32_t, Rows>> waiting;
    waiting.emplace_back(child, std::move(rows));
    std::vector<double> counts(draft_.n_classes);
    while (!waiting.empty()) {
      auto [index, here] = std::move(waiting.back());
      waiting.pop_back();
      const Draft::Node& node = draft_.nodes[index];
      if (node.children.empty()) {
        std::ranges::fill(counts, 0.0);
        for (const Row& row : here) counts[row.class_index] += row.weight;
        total += shared_.leaf_errors.of(counts);
        continue;
      }
      const Partition partition = partition_rows(node, std::span(here));
      for (std::uint32_t b = static_cast<std::uint32_t>(node.children.size()); b-- > 0;)
        if (partition.visited(b))
          waiting.emplace_back(node.children[b], std::move(*with_missing_rows(here, partition, b)));
    }
    return total;
  }

  Shared& shared_;
  Draft& draft_;
  const KnownRows* known_;
  std::uint32_t most_copied_;
  std::unique_ptr<KnownRows> copied_;  // what `known_` is, if this prunes copies
  std::unique_ptr<Pruner> for_copies_;  // prunes subtrees of few rows
  FurtherRows<Row> further_rows_;
  std::vector<Visit> stack_;
  // Per node above the small subtrees: its rows and their partition.
  std::unordered_map<std::uint32_t, std::pair<std::shared_ptr<Rows>, Partition>> partitions_;
  data::ScratchMemory<Row> scratch_;
};

template <class Row>
void prune_rows(Shared& shared, std::shared_ptr<std::vector<Row>> rows, std::uint32_t n_threads) {
  const auto n = static_cast<std::uint32_t>(rows->size());
  const Subtree<Row> whole{0, std::move(rows), {0, n}};
  parallel::ThreadPool pool(n >= rows_worth_sharing ? n_threads : 1);
  Pruner<Row> first(shared);
  if (pool.n_threads() > 1) {
    // Each thread prunes small subtrees. What is above them is pruned afterwards.
    std::vector<Subtree<Row>> subtrees = first.small_subtrees(whole, n / (4 * pool.n_threads()));
    std::ranges::stable_sort(subtrees, std::greater{}, [](const auto& subtree) { return subtree.range.size(); });
    std::vector<std::unique_ptr<Pruner<Row>>> pruners(pool.n_threads());
    pool.for_each(static_cast<std::uint32_t>(subtrees.size()), [&](std::uint32_t i, std::uint32_t thread) {
      if (pruners[thread] == nullptr) pruners[thread] = std::make_unique<Pruner<Row>>(shared);
      pruners[thread]->prune(std::move(subtrees[i]));
    });
    for (const Subtree<Row>& subtree : subtrees) shared.done[subtree.root] = 1;
  }
  first.prune(whole);
}

}  // namespace

void prune_pessimistic(graph::Draft& draft, const data::Dataset& dataset, data::WeightView weights, double confidence,
                       std::uint32_t n_threads, const criteria::ClassFactors& classes) {
  const WeightUnit unit(dataset, weights);
  const auto all = draft.weights_of(0);
  Shared shared(draft, dataset, weights, LeafErrors(confidence, classes, {all.begin(), all.end()}, unit));
  const auto weight_of = [&](std::uint32_t row) { return weights.empty() ? 1.0 : weights[row]; };
  const auto rows_by = [&]<class Row>(const auto& row_of, std::type_identity<Row>) {
    auto rows = std::make_shared<std::vector<Row>>();
    std::size_t n_present = 0;
    for (std::uint32_t row = 0; row < dataset.n_rows; ++row) n_present += weight_of(row) > 0.0;
    rows->reserve(n_present);
    for (std::uint32_t row = 0; row < dataset.n_rows; ++row)
      if (weight_of(row) > 0.0) rows->push_back(row_of(row));
    return rows;
  };
  if (std::ranges::any_of(draft.nodes, [&](const auto& node) { return shared.propagation.may_be_missing(node); })) {
    const auto share = [&](std::uint32_t row) {
      return RowShare{row, static_cast<std::uint32_t>(dataset.classes[row]), unit.of_row(weight_of(row))};
    };
    prune_rows(shared, rows_by(share, std::type_identity<RowShare>{}), n_threads);
  } else {
    const auto whole = [](std::uint32_t row) { return WholeRow{row}; };
    prune_rows(shared, rows_by(whole, std::type_identity<WholeRow>{}), n_threads);
  }
}

}  // namespace weaklearn::tree
