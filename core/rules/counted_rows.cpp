#include "rules/counted_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <variant>

namespace weaklearn::rules {
namespace {

constexpr double missing_in_release8 = -999.0;

// Finds the leaf that a row reaches. A row whose value is missing takes the first branch: where it ends changes only
// the order of rows.
class LeafFinder {
 public:
  LeafFinder(const data::Dataset& dataset, const graph::Draft& tree)
      : dataset_(dataset), tree_(tree), first_above_(tree.nodes.size(), 0) {
    for (std::size_t n = 0; n < tree.nodes.size(); ++n)
      if (tree.nodes[n].split == graph::SplitKind::threshold)
        first_above_[n] = codes_up_to(dataset.columns[tree.nodes[n].column], tree.nodes[n].threshold);
  }

  std::uint32_t leaf(std::uint32_t row) const {
    std::uint32_t index = 0;
    while (!tree_.nodes[index].children.empty()) {
      const graph::Draft::Node& node = tree_.nodes[index];
      const data::Column& column = dataset_.columns[node.column];
      const std::uint32_t code = data::code_of(column, row);
      std::uint32_t branch = 0;
      if (code < column.n_codes) {
        if (node.split == graph::SplitKind::threshold)
          branch = code >= first_above_[index];
        else if (node.split == graph::SplitKind::subset)
          branch = static_cast<std::uint32_t>(std::max(0, node.value_branch[code]));
        else
          branch = code;
      }
      index = node.children[branch];
    }
    return index;
  }

 private:
  const data::Dataset& dataset_;
  const graph::Draft& tree_;
  std::vector<std::uint32_t> first_above_;  // per node with a threshold: the least code of the second branch
};

// Returns the position of each node in pre-order. Nodes that the root does not reach have position 0.
std::vector<std::uint32_t> preorder(const graph::Draft& tree) {
  std::vector<std::uint32_t> place(tree.nodes.size(), 0);
  std::vector<std::uint32_t> stack{0};
  for (std::uint32_t next = 0; !stack.empty(); ++next) {
    const std::uint32_t node = stack.back();
    stack.pop_back();
    place[node] = next;
    const std::vector<std::uint32_t>& children = tree.nodes[node].children;
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
  return place;
}

std::vector<std::uint32_t> rows_by_leaf(const data::Dataset& dataset, std::span<const double> weights,
                                        const graph::Draft& tree) {
  const LeafFinder finder(dataset, tree);
  const std::vector<std::uint32_t> place = preorder(tree);
  std::vector<std::uint32_t> leaf_of(dataset.n_rows);
  std::vector<std::uint32_t> first(tree.nodes.size() + 1, 0);
  for (std::uint32_t row = 0; row < dataset.n_rows; ++row) {
    if (!(weights[row] > 0.0)) continue;
    leaf_of[row] = place[finder.leaf(row)];
    ++first[leaf_of[row] + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> rows(first.back());
  for (std::uint32_t row = 0; row < dataset.n_rows; ++row)
    if (weights[row] > 0.0) rows[first[leaf_of[row]]++] = row;
  return rows;
}

void make_missing(data::Column& column, double value) {
  const auto place = std::lower_bound(column.values.begin(), column.values.end(), value);
  if (column.nominal || place == column.values.end() || *place != value) return;
  const auto code = static_cast<std::uint32_t>(place - column.values.begin());
  std::visit(
      [&](auto& codes) {
        for (auto& c : codes)
          if (c == code) c = static_cast<std::decay_t<decltype(c)>>(column.n_codes);
      },
      column.codes);
}

}  // namespace

CountedRows::CountedRows(const data::Dataset& dataset, std::span<const double> weights, const graph::Draft& tree,
                         bool is_release8) {
  const std::vector<std::uint32_t> rows = rows_by_leaf(dataset, weights, tree);
  dataset_ = data::select(dataset, rows);
  if (is_release8)
    for (data::Column& column : dataset_.columns) make_missing(column, missing_in_release8);
  count(weights, rows);

  all_ = RowBits(rows.size());
  class_bits_.assign(n_classes(), RowBits(rows.size()));
  class_totals_.assign(n_classes(), 0);
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    all_.insert(row);
    class_bits_[class_of(row)].insert(row);
    class_totals_[class_of(row)] += count_of(row);
    total_ += count_of(row);
  }
}

void CountedRows::count(std::span<const double> weights, std::span<const std::uint32_t> rows) {
  double greatest = 0.0;
  bool all_one = true;
  for (const std::uint32_t row : rows) {
    greatest = std::max(greatest, weights[row]);
    all_one = all_one && weights[row] == 1.0;
    whole_weights_ = whole_weights_ && weights[row] == std::floor(weights[row]);
  }
  if (all_one) return;
  constexpr int most_bits = 62;  // of the sum of all counts
  const double bound = greatest * static_cast<double>(rows.size());
  unit_ = std::ldexp(1.0, std::ilogb(bound) + 1 - most_bits);
  unit_ = std::max(unit_, std::numeric_limits<double>::denorm_min());
  // Whole weights are exact multiples of 1, and a count of 1 is then a row.
  if (whole_weights_ && unit_ < 1.0) unit_ = 1.0;
  counts_.reserve(rows.size());
  for (const std::uint32_t row : rows) counts_.push_back(static_cast<Count>(std::round(weights[row] / unit_)));
}

}  // namespace weaklearn::rules
