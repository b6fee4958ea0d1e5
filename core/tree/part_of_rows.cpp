#include "tree/part_of_rows.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

namespace weaklearn::tree {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

std::vector<double> rounded(std::span<const double> weights, const WeightUnit& unit) {
  std::vector<double> result;
  result.reserve(weights.size());
  for (const double weight : weights) result.push_back(unit.of_row(weight));
  return result;
}

}  // namespace

PartOfRows::PartOfRows(const data::Dataset& dataset, std::span<const double> weights, WeightUnit unit)
    : dataset_(dataset),
      unit_(unit),
      rows_of_keys_(dataset, unit),
      weights_(rounded(weights, unit)),
      all_weigh_one_(std::ranges::all_of(weights_, [](double weight) { return weight == 0.0 || weight == 1.0; })) {
  if (weights.size() != dataset.n_rows) throw std::invalid_argument("one weight per row is needed");
  for (const data::Column& column : dataset.columns) n_cells_ += (std::size_t{column.n_codes} + 1) * dataset.n_classes;
  n_cells_ += rows_of_keys_.n_cells();
}

// Returns the rows that take each branch of a node with two children, or nothing if there are others, or if a row may
// be shared out. No conditional jump depends on a row; it would often be predicted wrongly.
std::optional<PartOfRows::TwoLists> PartOfRows::split_in_two(const Routing& tree, std::uint32_t node,
                                                             std::span<const std::uint32_t> rows) const {
  if (tree.n_children(node) != 2) return std::nullopt;
  const data::Column& column = dataset_.columns[tree.column(node)];
  std::vector<std::uint8_t> branch_of(std::size_t{column.n_codes} + 1, 0);
  for (std::uint32_t code = 0; code < branch_of.size(); ++code) {
    if (code == column.n_codes && column.n_missing == 0) continue;
    const std::uint32_t branch = tree.branch_of(node, code, column.n_codes);
    if (branch > 1) return std::nullopt;
    branch_of[code] = static_cast<std::uint8_t>(branch);
  }
  TwoLists lists{std::vector<std::uint32_t>(rows.size()), std::vector<std::uint32_t>(rows.size())};
  std::vector<std::uint32_t>& first = lists[0];
  std::vector<std::uint32_t>& second = lists[1];
  std::size_t n_second = 0;
  std::visit(
      [&](const auto& codes) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
          first[i - n_second] = rows[i];
          second[n_second] = rows[i];
          n_second += branch_of[codes[rows[i]]];
        }
      },
      column.codes);
  first.resize(rows.size() - n_second);
  second.resize(n_second);
  return lists;
}

void PartOfRows::check(const Routing& tree) const {
  std::vector<std::uint32_t> n_codes;
  for (const data::Column& column : dataset_.columns) n_codes.push_back(column.n_codes);
  tree.check(n_codes);
}

std::vector<std::uint32_t> PartOfRows::present_rows() const {
  std::vector<std::uint32_t> rows;
  rows.reserve(dataset_.n_rows);
  for (std::uint32_t row = 0; row < dataset_.n_rows; ++row)
    if (weights_[row] > 0.0) rows.push_back(row);
  return rows;
}

// Children have higher indices than their parents, so that one pass takes all rows to the leaves. Rows of nodes that
// are still leaves are not touched.
void PartOfRows::move_down(const Routing& tree) {
  if (rows_of_.size() < tree.size()) rows_of_.resize(tree.size());
  for (std::uint32_t node = 0; node < tree.size(); ++node)
    if (!tree.is_leaf(node) && !rows_of_[node].rows.empty()) move_to_children(tree, node);
}

void PartOfRows::move_to_children(const Routing& tree, std::uint32_t node) {
  RowsOfNode here = std::exchange(rows_of_[node], {});
  if (here.weights.empty()) {
    if (std::optional<TwoLists> lists = split_in_two(tree, node, here.rows)) {
      for (std::uint32_t b = 0; b < 2; ++b) rows_of_[tree.child(node, b)].rows = std::move((*lists)[b]);
      return;
    }
  }
  const std::uint32_t n_children = tree.n_children(node);
  const data::Column& column = dataset_.columns[tree.column(node)];
  std::vector<std::uint8_t> has_weights(n_children, here.weights.empty() ? 0 : 1);
  const auto add = [&](std::uint32_t branch, std::uint32_t row, double weight) {
    RowsOfNode& child = rows_of_[tree.child(node, branch)];
    child.rows.push_back(row);
    if (has_weights[branch] != 0) child.weights.push_back(weight);
  };
  const auto share_out = [&](std::uint32_t row, double weight) {
    if (!tree.has_shares(node)) throw std::invalid_argument("a row has a missing value at a split without shares");
    for (std::uint32_t b = 0; b < n_children; ++b) {
      const double share = unit_.of_share(weight, tree.share(node, b));
      if (!(share > 0.0)) continue;
      if (has_weights[b] == 0) {  // the rows that are there have their own weights
        RowsOfNode& child = rows_of_[tree.child(node, b)];
        for (const std::uint32_t other : child.rows) child.weights.push_back(weights_[other]);
        has_weights[b] = 1;
      }
      add(b, row, share);
    }
  };
  std::visit(
      [&](const auto& codes) {
        for (std::size_t i = 0; i < here.rows.size(); ++i) {
          const std::uint32_t row = here.rows[i];
          const std::uint32_t branch = tree.branch_of(node, codes[row], column.n_codes);
          const double weight = weight_at(here, i);
          branch < n_children ? add(branch, row, weight) : share_out(row, weight);
        }
      },
      column.codes);
}

void PartOfRows::add_to_tables(const RowsOfNode& here, std::span<double> cells) const {
  const bool counts = all_weigh_one_ && here.weights.empty();
  const std::size_t n_rows = here.rows.size();
  // What all columns need of a row lies side by side.
  std::vector<std::uint32_t> classes(n_rows);
  std::vector<double> weights(counts ? 0 : n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) classes[i] = static_cast<std::uint32_t>(dataset_.classes[here.rows[i]]);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weight_at(here, i);
  const std::size_t n_classes = dataset_.n_classes;
  std::vector<std::uint32_t> n_rows_of;  // by code and class
  for (const data::Column& column : dataset_.columns) {
    const std::size_t n_cells = (std::size_t{column.n_codes} + 1) * n_classes;
    std::visit(
        [&](const auto& codes) {
          const auto cell_of = [&](std::size_t i) { return codes[here.rows[i]] * n_classes + classes[i]; };
          if (counts) {
            n_rows_of.assign(n_cells, 0);
            for (std::size_t i = 0; i < n_rows; ++i) ++n_rows_of[cell_of(i)];
            for (std::size_t cell = 0; cell < n_cells; ++cell) cells[cell] += n_rows_of[cell];
          } else {
            for (std::size_t i = 0; i < n_rows; ++i) cells[cell_of(i)] += weights[i];
          }
        },
        column.codes);
    cells = cells.subspan(n_cells);
  }
  for (std::size_t c = 0; c < dataset_.columns.size(); ++c) {
    const std::span<double> n_rows_of_value = rows_of_keys_.of_column(cells, c);
    if (n_rows_of_value.empty()) continue;
    for (const std::uint32_t row : here.rows)
      if (const std::uint32_t code = code_of(dataset_.columns[c], row); code < n_rows_of_value.size())
        n_rows_of_value[code] += 1.0;
  }
}

std::vector<double> PartOfRows::tables(const Routing& tree, std::uint64_t name_of_tree,
                                       std::span<const std::uint32_t> nodes) {
  check(tree);
  const std::lock_guard lock(mutex_);
  if (!has_started_ || name_of_tree != name_of_tree_) rows_of_ = {RowsOfNode{present_rows(), {}}};
  has_started_ = true;
  name_of_tree_ = name_of_tree;
  move_down(tree);
  std::vector<double> cells(nodes.size() * n_cells_, 0.0);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    add_to_tables(rows_of_.at(nodes[i]), std::span(cells).subspan(i * n_cells_, n_cells_));
  return cells;
}

// Sends rows through subtrees, and adds up their class weights at the nodes.
class PartOfRows::Sender {
 public:
  Sender(const PartOfRows& part, const Routing& tree, std::span<const RowsAndSubtree> requests)
      : part_(part),
        tree_(tree),
        requests_(requests),
        request_of_(tree.size(), none),
        leads_on_(tree.size(), 0),
        place_of_(tree.size()) {
    std::size_t n_nodes = 0;
    for (std::uint32_t i = 0; i < requests.size(); ++i) {
      request_of_.at(requests[i].node) = i;
      leads_on_[requests[i].node] = 1;
      if (requests[i].subtree >= tree.size()) throw std::invalid_argument("a subtree is not in the tree");
      starts_.push_back(n_nodes);
      n_nodes += nodes_below(tree, requests[i].subtree).size();
    }
    for (auto node = static_cast<std::uint32_t>(tree.size()); node-- > 0;)
      for (std::uint32_t b = 0; b < tree.n_children(node); ++b) leads_on_[node] |= leads_on_[tree.child(node, b)];
    sums_.assign(n_nodes * part.dataset_.n_classes, 0.0);
  }

  std::vector<double> sums() && {
    std::vector<std::uint32_t> all_rows = part_.present_rows();
    scratch_.resize(all_rows.size());
    lead({all_rows, {}, nullptr});
    return std::move(sums_);
  }

 private:
  // Rows at a node. `weights` is empty if none of them is a share. Both are sorted in place; pruning asks for most rows
  // in every round, and new lists would take new pages.
  struct Rows {
    std::span<std::uint32_t> rows;
    std::span<double> weights;
    std::shared_ptr<RowsOfNode> lists;  // where they are, unless they are in the list of all rows

    Rows part(std::size_t start, std::size_t end) const {
      return {rows.subspan(start, end - start), weights.empty() ? weights : weights.subspan(start, end - start), lists};
    }
  };

  // Rows that have come to a node. They wait in a list, not on the stack, because a tree may have any depth.
  struct Arrived {
    std::uint32_t node;
    Rows rows;
  };

  static Arrived take_last(std::vector<Arrived>& waiting) {
    Arrived last = std::move(waiting.back());
    waiting.pop_back();
    return last;
  }

  double weight_at(const Rows& here, std::size_t i) const {
    return here.weights.empty() ? part_.weights_[here.rows[i]] : here.weights[i];
  }

  // Sends all rows to the nodes of the requests, and there through the subtrees.
  void lead(Rows all_rows) {
    std::vector<Arrived> waiting{{0, std::move(all_rows)}};
    while (!waiting.empty()) {
      const Arrived arrived = take_last(waiting);
      const std::uint32_t node = arrived.node;
      const Rows& here = arrived.rows;
      const std::uint32_t request = request_of_[node];
      const bool leaves_out_child = request != none && is_child(node, requests_[request].subtree);
      if (request != none && !leaves_out_child) count(request, here);
      const auto leads_on = [&](std::uint32_t b) { return leads_on_[tree_.child(node, b)] != 0; };
      bool any = leaves_out_child;
      for (std::uint32_t b = 0; b < tree_.n_children(node); ++b) any = any || leads_on(b);
      if (!any) continue;
      const std::vector<std::size_t> ends = sort_by_branch(node, here);
      if (leaves_out_child) {
        RowsOfNode others;
        distribute(node, here, ends, [&](std::uint32_t b, const Rows& of_branch) {
          if (tree_.child(node, b) == requests_[request].subtree) return;
          others.rows.insert(others.rows.end(), of_branch.rows.begin(), of_branch.rows.end());
          others.weights.insert(others.weights.end(), of_branch.weights.begin(), of_branch.weights.end());
        });
        count(request, {others.rows, others.weights, nullptr});
      }
      distribute(node, here, ends, [&](std::uint32_t b, Rows rows) {
        if (leads_on(b)) waiting.push_back({tree_.child(node, b), std::move(rows)});
      });
    }
  }

  bool is_child(std::uint32_t node, std::uint32_t other) const {
    const std::uint32_t n_children = tree_.n_children(node);
    return n_children > 0 && other >= tree_.child(node, 0) && other < tree_.child(node, 0) + n_children;
  }

  // Sends rows through the subtree of a request, and adds up the class weights of its nodes.
  void count(std::uint32_t request, Rows rows) {
    std::size_t place = starts_[request];
    for (const std::uint32_t below : nodes_below(tree_, requests_[request].subtree)) place_of_[below] = place++;
    const auto sums_of = [&](std::uint32_t node) {
      return std::span(sums_).subspan(place_of_[node] * part_.dataset_.n_classes, part_.dataset_.n_classes);
    };
    std::vector<std::uint32_t> all_sent_on;  // nodes whose rows are at their children, parents first
    std::vector<Arrived> waiting{{requests_[request].subtree, std::move(rows)}};
    while (!waiting.empty()) {
      const Arrived arrived = take_last(waiting);
      const std::uint32_t node = arrived.node;
      const Rows& here = arrived.rows;
      if (here.rows.empty()) continue;
      const auto send_on = [&](std::uint32_t b, Rows of_branch) {
        waiting.push_back({tree_.child(node, b), std::move(of_branch)});
      };
      if (!tree_.is_leaf(node) && distribute(node, here, sort_by_branch(node, here), send_on)) {
        all_sent_on.push_back(node);
        continue;
      }
      const auto own = sums_of(node);
      for (std::size_t i = 0; i < here.rows.size(); ++i)
        own[static_cast<std::size_t>(part_.dataset_.classes[here.rows[i]])] += weight_at(here, i);
    }
    for (std::size_t i = all_sent_on.size(); i-- > 0;) {
      const std::uint32_t node = all_sent_on[i];
      for (std::uint32_t b = 0; b < tree_.n_children(node); ++b)
        std::ranges::transform(sums_of(node), sums_of(tree_.child(node, b)), sums_of(node).begin(), std::plus{});
    }
  }

  // Calls receive(branch, rows) for each branch, and returns whether no value is missing.
  // `ends` says where the rows of each branch end.
  template <class Receive>
  bool distribute(std::uint32_t node, const Rows& here, const std::vector<std::size_t>& ends, const Receive& receive) {
    const std::uint32_t n_children = tree_.n_children(node);
    const Rows missing = here.part(ends[n_children - 1], ends[n_children]);
    for (std::uint32_t b = 0; b < n_children; ++b) {
      const Rows known = here.part(b == 0 ? 0 : ends[b - 1], ends[b]);
      if (missing.rows.empty() || !tree_.has_shares(node)) {
        receive(b, known);
        continue;
      }
      const auto lists = std::make_shared<RowsOfNode>();
      lists->rows.assign(known.rows.begin(), known.rows.end());
      for (std::size_t i = 0; i < known.rows.size(); ++i) lists->weights.push_back(weight_at(known, i));
      for (std::size_t i = 0; i < missing.rows.size(); ++i) {
        const double share = part_.unit_.of_share(weight_at(missing, i), tree_.share(node, b));
        if (!(share > 0.0)) continue;
        lists->rows.push_back(missing.rows[i]);
        lists->weights.push_back(share);
      }
      receive(b, Rows{lists->rows, lists->weights, lists});
    }
    return missing.rows.empty();
  }

  // Sorts rows by the branch that they take, those of missing value last. Returns where each group ends.
  std::vector<std::size_t> sort_by_branch(std::uint32_t node, const Rows& here) {
    const data::Column& column = part_.dataset_.columns[tree_.column(node)];
    const std::uint32_t n_children = tree_.n_children(node);
    std::vector<std::uint32_t> branch_of(std::size_t{column.n_codes} + 1);
    for (std::uint32_t code = 0; code < branch_of.size(); ++code)
      branch_of[code] = tree_.branch_of(node, code, column.n_codes);
    const auto possible = std::span(branch_of).first(std::size_t{column.n_codes} + (column.n_missing > 0));
    const auto is_first_or_second = [](std::uint32_t branch) { return branch < 2; };
    const auto rows = here.rows;
    std::vector<std::size_t> ends(std::size_t{n_children} + 1, 0);
    std::visit(
        [&](const auto& codes) {
          if (n_children == 2 && here.weights.empty() && std::ranges::all_of(possible, is_first_or_second)) {
            // One pass suffices, and no conditional jump depends on a row.
            std::size_t n_second = 0;
            for (std::size_t i = 0; i < rows.size(); ++i) {
              const std::uint32_t row = rows[i];
              rows[i - n_second] = row;
              scratch_[n_second] = row;
              n_second += branch_of[codes[row]];
            }
            ends = {rows.size() - n_second, rows.size(), rows.size()};
            std::copy_n(scratch_.begin(), n_second, rows.last(n_second).begin());
            return;
          }
          for (const std::uint32_t row : rows) ++ends[branch_of[codes[row]]];
          std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::size_t{0});
          if (!here.weights.empty()) scratch_weights_.resize(scratch_.size());
          for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::size_t place = ends[branch_of[codes[rows[i]]]]++;
            scratch_[place] = rows[i];
            if (!here.weights.empty()) scratch_weights_[place] = here.weights[i];
          }
          std::copy_n(scratch_.begin(), rows.size(), rows.begin());
          std::copy_n(scratch_weights_.begin(), here.weights.size(), here.weights.begin());
        },
        column.codes);
    return ends;
  }

  const PartOfRows& part_;
  const Routing& tree_;
  const std::span<const RowsAndSubtree> requests_;
  std::vector<std::uint32_t> request_of_;  // per node: its request, or none
  std::vector<std::uint8_t> leads_on_;  // per node: whether it or a node below it is in a request
  std::vector<std::size_t> starts_;  // per request: the place of its subtree in the sums
  std::vector<std::size_t> place_of_;  // per node of the subtree that is counted
  std::vector<double> sums_;
  std::vector<std::uint32_t> scratch_;
  std::vector<double> scratch_weights_;
};

std::vector<double> PartOfRows::node_sums(const Routing& tree, std::span<const RowsAndSubtree> requests) const {
  check(tree);
  return Sender(*this, tree, requests).sums();
}

}  // namespace weaklearn::tree
