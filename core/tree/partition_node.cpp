#include "tree/partition_node.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "criteria/tolerance.hpp"
#include "parallel/seeded_random.hpp"

namespace weaklearn::tree {

using criteria::at_least;
using criteria::more;
using data::NodeRows;
using graph::Draft;
using splits::Split;

namespace {

void make_empty_leaf(Draft& draft, std::uint32_t parent, std::uint32_t leaf) {
  draft.nodes[leaf].label = draft.nodes[parent].label;
  std::ranges::copy(draft.weights_of(parent), draft.weights_of(leaf).begin());
}

// Shares of rows are rounded row by row. Where the rows are elsewhere, the children must be counted first.
bool is_incomplete(const Worker& worker) { return worker.n_rows.back() > 0 && worker.counted != nullptr; }

// If no row at a node has a missing value, later ones take the branch of largest weight. Ties go to the first branch.
void choose_missing_branch(const Draft& draft, Draft::Node& node) {
  if (node.missing_branch != splits::to_heaviest_branch) return;
  std::vector<double> weights(node.children.size(), 0.0);
  for (std::size_t b = 0; b < weights.size(); ++b)
    for (const double x : draft.weights_of(node.children[b])) weights[b] += x;
  node.missing_branch = static_cast<std::int32_t>(criteria::largest(weights));
}

}  // namespace

NodePartitioner::NodePartitioner(const TrainingRows& training, const GrowthLimits& limits, ThreadTeam& team)
    : training_(training), limits_(limits), team_(team), list_scratch_(team.pool.n_threads()) {}

bool NodePartitioner::describe(Draft& draft, std::uint32_t index, std::uint32_t depth) const {
  draft.describe_as_leaf(index);
  const Draft::Node& node = draft.nodes[index];
  const double rows = training_.classes.given() ? training_.rows_in(draft.weights_of(index)) : node.weight;
  return more(node.errors, 0.0) && at_least(rows, 2 * limits_.min_objects) && depth < limits_.max_depth;
}

// Finds the branch of every row of the node, or `n_branches` where the value is missing and the row takes all of them,
// and adds up the rows and class weights of each branch. All of that is one pass: in a large dataset every row of a
// node is a cache miss.
void NodePartitioner::find_branches(const OpenNode& open, const Draft::Node& node, Worker& worker) const {
  const data::Column& column = worker.dataset.columns[static_cast<std::size_t>(node.column)];
  const std::size_t n_classes = worker.dataset.n_classes;
  worker.n_rows.assign(node.children.size() + 1, 0);
  worker.class_weights.assign((node.children.size() + 1) * n_classes, 0.0);
  const auto send = [&]<class Branch>(const auto* codes, Branch* branch_of, const auto& branch_of_code) {
    // Local copies: to the compiler, a byte that is written may be a part of anything behind a reference.
    std::uint32_t* const n_rows = worker.n_rows.data();
    double* const class_weights = worker.class_weights.data();
    const std::int32_t* const classes = worker.dataset.classes.data();
    const bool unit = open.unit;
    const data::WeightView weights = worker.weights;
    for (const std::uint32_t row : open.node_rows.row_span()) {
      const std::uint32_t branch = branch_of_code(static_cast<std::uint32_t>(codes[row]));
      branch_of[row] = static_cast<Branch>(branch);
      ++n_rows[branch];
      class_weights[branch * n_classes + static_cast<std::size_t>(classes[row])] += unit ? 1.0 : weights[row];
    }
  };
  const auto of_code = [&, n_codes = column.n_codes](std::uint32_t code) { return node.branch_of(code, n_codes); };
  const auto of_threshold = [cut = node.cut, n_codes = column.n_codes,
                             missing = node.branch_of_missing()](std::uint32_t code) {
    return code == n_codes ? missing : code > cut ? 1U : 0U;
  };
  std::visit(
      [&](const auto& codes) {
        if (node.split == graph::SplitKind::threshold)  // the same without looking at the kind of split for each row
          send(codes.data(), worker.branch_of.data(), of_threshold);
        else if (Worker::is_narrow(node.children.size()))
          send(codes.data(), worker.branch_of.data(), of_code);
        else
          send(codes.data(), worker.wide_branches().data(), of_code);
      },
      column.codes);
}

// The same from the table of the split column. Rows are not counted: a branch has rows if it has weight.
void NodePartitioner::add_up_branches(const Draft::Node& node, Worker& worker) {
  const auto c = static_cast<std::size_t>(node.column);
  const std::uint32_t n_codes = worker.dataset.columns[c].n_codes;
  const std::size_t n_classes = worker.dataset.n_classes;
  worker.n_rows.assign(node.children.size() + 1, 0);
  worker.class_weights.assign((node.children.size() + 1) * n_classes, 0.0);
  const auto add = [&](const auto& table) {
    for (std::uint32_t code = 0; code <= n_codes; ++code) {
      const std::uint32_t branch = node.branch_of(code, n_codes);
      for (std::size_t k = 0; k < n_classes; ++k) {
        const auto weight = static_cast<double>(table[code * n_classes + k]);
        worker.class_weights[branch * n_classes + k] += weight;
        if (weight > 0.0) worker.n_rows[branch] = 1;
      }
    }
  };
  if (worker.counts_rows)
    add(worker.counted->table(worker.tables.counts, c));
  else
    add(worker.counted->table(worker.tables.weights, c));
}

void NodePartitioner::partition(const OpenNode& open, const Split& split, std::uint32_t column, Draft& draft,
                                Worker& worker, std::vector<OpenNode>& children) {
  make_children(open, split, column, draft, worker);
  weigh_children(open, draft, worker);
  send_rows(open, draft, worker, children);
}

void NodePartitioner::make_children(const OpenNode& open, const Split& split, std::uint32_t column_index, Draft& draft,
                                    const Worker& worker) const {
  const data::Column& column = worker.dataset.columns[column_index];
  std::vector<std::uint32_t> branches(split.n_branches);
  for (std::uint32_t& branch : branches) branch = draft.add();
  Draft::Node& node = draft.nodes[open.node];
  node.split = split.kind;
  node.column = static_cast<std::int32_t>(column_index);
  node.value_branch = split.value_branch;
  node.children = graph::Children(branches);
  node.missing_branch = split.missing_branch;
  if (split.known_together) {
    node.cut = column.n_codes - 1;
    node.threshold = graph::no_value_above;
  } else if (split.kind == graph::SplitKind::threshold) {
    const std::uint32_t low = split.by_row ? code_of(column, split.low) : split.low;
    const std::uint32_t high = split.by_row ? code_of(column, split.high) : split.high;
    node.cut = training_.cut_between(column_index, low, high);
    node.threshold = column.values[node.cut];
  }
}

void NodePartitioner::weigh_children(const OpenNode& open, Draft& draft, Worker& worker) const {
  Draft::Node& node = draft.nodes[open.node];
  const std::uint32_t first = node.children.front();
  if (worker.counted == nullptr)
    find_branches(open, node, worker);
  else
    add_up_branches(node, worker);
  const std::span<const double> class_weights = worker.class_weights;
  for (std::uint32_t b = 0; b < node.children.size(); ++b)
    std::ranges::copy(class_weights.subspan(b * draft.n_classes, draft.n_classes), draft.weights_of(first + b).begin());
  choose_missing_branch(draft, node);
  share_missing(open, draft, first, worker);
  // The class weights of the children decide which of them may be split further.
  worker.open_branches.clear();
  for (std::uint32_t b = 0; b < node.children.size(); ++b) {
    if (worker.n_rows[b] == 0)
      make_empty_leaf(draft, open.node, first + b);
    else if (is_incomplete(worker) || describe(draft, first + b, open.depth + 1))
      worker.open_branches.push_back(b);
  }
}

void NodePartitioner::weigh_children(const OpenNode& open, std::span<const double> below, Draft& draft) const {
  Draft::Node& node = draft.nodes[open.node];
  const std::uint32_t first = node.children.front();
  const auto all = draft.weights_of(open.node);
  for (std::size_t k = 0; k < all.size(); ++k) {
    draft.weights_of(first)[k] = below[k];
    draft.weights_of(first + 1)[k] = all[k] - below[k];
  }
  choose_missing_branch(draft, node);
  draft.describe_as_leaf(first);
  draft.describe_as_leaf(first + 1);
}

void NodePartitioner::send_rows(const OpenNode& open, const Draft& draft, Worker& worker,
                                std::vector<OpenNode>& children) {
  const Draft::Node& node = draft.nodes[open.node];
  const auto n_branches = static_cast<std::uint32_t>(node.children.size());
  const std::vector<std::uint32_t>& n_rows = worker.n_rows;
  const std::vector<std::uint32_t>& open_branches = worker.open_branches;
  if (open_branches.empty()) return;
  const bool some_missing = n_rows[n_branches] > 0;
  const auto n_open = static_cast<std::uint32_t>(open_branches.size());
  std::vector<NodeRows> bucket_rows(n_open);
  if (worker.counted == nullptr) {
    std::vector<std::uint32_t>& bucket_of = worker.bucket_of_branch;
    bucket_of.assign(n_branches + 1, n_open + some_missing);  // the last bucket: rows of leaves, which are not kept
    for (std::uint32_t i = 0; i < n_open; ++i) bucket_of[open_branches[i]] = i;
    bucket_of[n_branches] = some_missing ? n_open : 0;  // without missing rows there is no bucket for them
    bucket_rows = partition_rows(open.node_rows, bucket_of, n_open + some_missing, worker);
  }

  std::shared_ptr<MissingRows> missing;
  if (some_missing && worker.counted == nullptr) {
    missing = std::make_shared<MissingRows>();
    missing->node_rows = bucket_rows[n_open];
    for (const std::uint32_t row : missing->node_rows.row_span())
      missing->weights.push_back(open.unit ? 1.0 : worker.weights[row]);
  }
  auto used_columns = open.used_columns;
  if (node.split == graph::SplitKind::multiway) {
    auto longer = std::make_shared<std::vector<std::uint32_t>>(*used_columns);
    longer->push_back(static_cast<std::uint32_t>(node.column));
    used_columns = std::move(longer);
  }
  for (std::uint32_t i = n_open; i-- > 0;) {
    OpenNode child;
    child.node = node.children[open_branches[i]];
    child.depth = open.depth + 1;
    child.unit = open.unit && !some_missing;
    child.incomplete = is_incomplete(worker);
    child.exact = open.exact && (!some_missing || training_.unit_weight.given());
    child.seed = parallel::SeededRandom::seed_of(open.seed, open_branches[i]);
    child.node_rows = bucket_rows[i];
    child.used_columns = used_columns;
    child.missing = missing;
    if (some_missing) child.missing_share = worker.shares[open_branches[i]];
    children.push_back(std::move(child));
  }
}

// Rows of missing value take each branch in proportion to the known weight there.
void NodePartitioner::share_missing(const OpenNode& open, Draft& draft, std::uint32_t first, Worker& worker) const {
  const std::vector<std::uint32_t>& n_rows = worker.n_rows;
  const std::span<const double> missing_weights = std::span(worker.class_weights).last(draft.n_classes);
  const std::size_t n_branches = n_rows.size() - 1;
  std::vector<double>& shares = worker.shares;
  shares.clear();
  if (n_rows[n_branches] == 0) return;
  shares.assign(n_branches, 0.0);
  double known = 0.0;
  for (std::size_t b = 0; b < n_branches; ++b) {
    for (const double x : draft.weights_of(first + static_cast<std::uint32_t>(b))) shares[b] += x;
    known += shares[b];
  }
  for (std::size_t b = 0; b < n_branches; ++b) {
    if (n_rows[b] == 0) continue;
    shares[b] /= known;
    if (training_.unit_weight.given()) continue;
    const auto weights = draft.weights_of(first + static_cast<std::uint32_t>(b));
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += shares[b] * missing_weights[k];
  }
  if (training_.unit_weight.given() && worker.counted == nullptr)
    add_rounded_shares(open, shares, draft, first, worker);
}

// Adds the share of each row of missing value, rounded as the row will be in the branch.
void NodePartitioner::add_rounded_shares(const OpenNode& open, std::span<const double> shares, Draft& draft,
                                         std::uint32_t first, const Worker& worker) const {
  for (const std::uint32_t row : open.node_rows.row_span()) {
    if (worker.branch(row, shares.size()) != shares.size()) continue;
    const double weight = open.unit ? 1.0 : worker.weights[row];
    for (std::uint32_t b = 0; b < shares.size(); ++b)
      draft.weights_of(first + b)[worker.class_of(row)] += training_.unit_weight.of_share(weight, shares[b]);
  }
}

// Partitions rows and lists by the buckets of the branches found before. Only the first `n_kept` buckets are kept.
std::vector<NodeRows> NodePartitioner::partition_rows(const NodeRows& node_rows,
                                                      const std::vector<std::uint32_t>& bucket_of, std::uint32_t n_kept,
                                                      Worker& worker) {
  const std::uint32_t n_buckets = std::max(*std::ranges::max_element(bucket_of) + 1, std::max(n_kept, 2U));
  std::vector<NodeRows> kept(n_kept);
  for (NodeRows& bucket_rows : kept) {
    bucket_rows.store = node_rows.store;
    bucket_rows.lists.resize(node_rows.lists.size());
  }
  const auto partition_all = [&](const auto& bucket_of_row) {
    std::uint32_t* const row_scratch = worker.row_scratch.of_size(node_rows.rows.size());
    data::partition(node_rows.row_span(), n_buckets, n_kept, bucket_of_row, row_scratch, worker.starts);
    for (std::uint32_t b = 0; b < n_kept; ++b)
      kept[b].rows = {node_rows.rows.begin + worker.starts[b], node_rows.rows.begin + worker.starts[b + 1]};
    const data::Tagging tagging(worker.dataset);
    partition_lists(node_rows, kept, n_buckets, worker,
                    [=](const data::Entry& entry) { return bucket_of_row(tagging.row(entry.tag)); });
  };
  // Each list reads this once per row, in no order: one byte per row stays in the cache.
  const std::uint8_t* const branch_of = worker.branch_of.data();
  const std::uint32_t* const buckets = bucket_of.data();
  if (bucket_of.size() == 3 && n_buckets == 2)  // two branches and no missing values
    partition_all(
        [=, flip = static_cast<std::uint8_t>(bucket_of[0])](std::uint32_t row) { return branch_of[row] ^ flip; });
  else if (Worker::is_narrow(bucket_of.size() - 1))
    partition_all([=](std::uint32_t row) { return buckets[branch_of[row]]; });
  else
    partition_all([=, wide = worker.wide_branches().data()](std::uint32_t row) { return buckets[wide[row]]; });
  return kept;
}

template <class BucketOf>
void NodePartitioner::partition_lists(const NodeRows& node_rows, std::vector<NodeRows>& kept, std::uint32_t n_buckets,
                                      const Worker& worker, const BucketOf& bucket_of) {
  const auto partition_list = [&](std::uint32_t l, std::uint32_t thread) {
    ListScratch& scratch = list_scratch_[thread];
    data::partition(node_rows.list_span(l), n_buckets, static_cast<std::uint32_t>(kept.size()), bucket_of,
                    scratch.entries.of_size(node_rows.lists[l].size()), scratch.starts);
    for (std::size_t b = 0; b < kept.size(); ++b)
      kept[b].lists[l] = {node_rows.lists[l].begin + scratch.starts[b],
                          node_rows.lists[l].begin + scratch.starts[b + 1]};
  };
  team_.for_each_column(node_rows.rows.size(), worker.thread, static_cast<std::uint32_t>(node_rows.lists.size()),
                        partition_list);
}

}  // namespace weaklearn::tree
