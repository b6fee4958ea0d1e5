#include "rules/counted_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

namespace weaklearn::rules {
namespace {

constexpr double missing_in_release8 = -999.0;

// Finds the leaf that a row reaches. A row whose value is missing takes the first branch: where it ends changes only
// the order of rows.
class LeafFinder {
 public:
  LeafFinder(const data::Dataset& dataset, const graph::Graph& tree)
      : dataset_(dataset), tree_(tree), first_above_(tree.nodes.size(), 0) {
    for (std::size_t n = 0; n < tree.nodes.size(); ++n)
      if (tree.nodes[n].split == graph::SplitKind::threshold)
        first_above_[n] = codes_up_to(dataset.columns[tree.nodes[n].column], tree.nodes[n].threshold);
  }

  std::uint32_t leaf(std::uint32_t row) const {
    std::uint32_t index = 0;
    while (!tree_.is_leaf(index)) index = tree_.children_of(index)[branch(index, row)];
    return index;
  }

 private:
  std::uint32_t branch(std::uint32_t index, std::uint32_t row) const {
    const graph::Node& node = tree_.nodes[index];
    const data::Column& column = dataset_.columns[node.column];
    const std::uint32_t code = data::code_of(column, row);
    if (code >= column.n_codes) return 0;
    if (node.split == graph::SplitKind::threshold) return code >= first_above_[index];
    if (node.split == graph::SplitKind::multiway) return code;
    return static_cast<std::uint32_t>(std::max(0, tree_.value_branch[node.first_value + code]));
  }

  const data::Dataset& dataset_;
  const graph::Graph& tree_;
  std::vector<std::uint32_t> first_above_;  // per node with a threshold: the least code of the second branch
};

// The nodes of a tree are in pre-order, so neighbouring leaves have neighbouring indices.
std::vector<std::uint32_t> rows_by_leaf(const data::Dataset& dataset, std::span<const double> weights,
                                        const graph::Graph& tree) {
  const LeafFinder finder(dataset, tree);
  std::vector<std::uint32_t> leaf_of(dataset.n_rows);
  std::vector<std::uint32_t> first(tree.nodes.size() + 1, 0);
  for (std::uint32_t row = 0; row < dataset.n_rows; ++row) {
    if (!(weights[row] > 0.0)) continue;
    leaf_of[row] = finder.leaf(row);
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
      [&]<class Code>(const data::CodeArray<Code>& codes) {
        std::vector<Code> changed(codes.begin(), codes.end());
        std::ranges::replace(changed, static_cast<Code>(code), static_cast<Code>(column.n_codes));
        column.codes = data::CodeArray<Code>(std::move(changed));
      },
      data::Codes(column.codes));
}

// Returns the smallest unit, a power of two, in which the sum of `n` numbers up to `greatest` fits a count.
double unit_for(double greatest, std::size_t n) {
  constexpr int most_bits = 62;  // of the sum of all counts
  const double bound = greatest * static_cast<double>(n);
  if (!(bound > 0.0)) return 1.0;
  return std::max(std::ldexp(1.0, std::ilogb(bound) + 1 - most_bits), std::numeric_limits<double>::denorm_min());
}

}  // namespace

CountedRows::CountedRows(const data::Dataset& dataset, std::span<const double> weights, const graph::Graph& tree,
                         bool is_release8, std::span<const double> factors) {
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
  if (!factors.empty()) count_squares(weights, rows, factors);
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
  unit_ = unit_for(greatest, rows.size());
  // Whole weights are exact multiples of 1, and a count of 1 is then a row.
  if (whole_weights_ && unit_ < 1.0) unit_ = 1.0;
  counts_.reserve(rows.size());
  for (const std::uint32_t row : rows) counts_.push_back(static_cast<Count>(std::round(weights[row] / unit_)));
}

void CountedRows::count_squares(std::span<const double> weights, std::span<const std::uint32_t> rows,
                                std::span<const double> factors) {
  std::vector<double> squares;
  squares.reserve(rows.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row)
    squares.push_back(weights[rows[row]] * factors[static_cast<std::size_t>(class_of(row))]);
  square_unit_ = unit_for(*std::ranges::max_element(squares), rows.size());
  squares_.reserve(rows.size());
  Count total = 0;
  for (const double square : squares)
    total += squares_.emplace_back(static_cast<Count>(std::round(square / square_unit_)));
  evidence_per_weight_ = effective_rows(total_, total) / weight(total_);
}

}  // namespace weaklearn::rules
