// How rows go down a forest while their values are known.
#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "graph/forest_bitwise.hpp"

namespace weaklearn::graph {
namespace {

double decoded(const data::Column& column, std::uint32_t code) {
  if (code == column.n_codes) return std::numeric_limits<double>::quiet_NaN();
  return column.nominal ? static_cast<double>(code) : column.values[code];
}

}  // namespace

void Forest::load(const InputRows& rows, Block& block) const {
  const std::span<const InputColumn> columns = rows.columns;
  const std::size_t width = std::max<std::size_t>(columns.size(), 1);
  block.width = width;
  block.values.resize(width * block.n_rows);
  block.leaf_of.resize(block.n_rows);
  block.n_ahead = 0;
  bool all_known = true;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const InputColumn& column = columns[c];
    double* value = block.values.data() + c;
    if (column.encoded != nullptr) {
      std::visit(
          [&](const auto& codes) {
            for (std::uint32_t i = 0; i < block.n_rows; ++i, value += width) {
              *value = decoded(*column.encoded, codes[rows.place(block.first_row + i)]);
              all_known = all_known && !std::isnan(*value);
            }
          },
          column.encoded->codes);
    } else if (column.codes != nullptr) {
      for (std::uint32_t i = 0; i < block.n_rows; ++i, value += width) {
        const std::int32_t code = column.codes[rows.place(block.first_row + i)];
        const bool known = code >= 0 && static_cast<std::uint32_t>(code) < columns_[c].n_values;
        *value = known ? code : std::numeric_limits<double>::quiet_NaN();
        all_known = all_known && known;
      }
    } else if (column.numbers.first != nullptr) {
      for (std::uint32_t i = 0; i < block.n_rows; ++i, value += width) {
        *value = column.numbers[rows.place(block.first_row + i)];
        all_known = all_known && !std::isnan(*value);
      }
    }
  }
  block.all_known = all_known;
}

// Returns the sum that an oblique split compares with its threshold.
double Forest::sum(const Place& place, const double* row) const {
  double result = 0.0;
  for (std::uint32_t t = place.split.first; t < place.split.first + place.count; ++t) {
    const CompactTerm& term = terms_[t];
    const double* const numbers = term_numbers_.data() + term.first_number;
    const double value = row[term.column];
    if (std::isnan(value)) {
      result += term.missing;
    } else if (term.form == TermForm::steps) {
      const auto interval = std::lower_bound(numbers, numbers + term.n_cuts, value) - numbers;
      result += numbers[term.n_cuts + interval];
    } else if (term.form == TermForm::values) {
      result += numbers[static_cast<std::uint32_t>(value)];
    } else {
      result += numbers[0] * (term.single_precision ? static_cast<double>(static_cast<float>(value)) : value);
    }
  }
  return result;
}

// Returns the branch that a row takes at a split, or -1 where its value is missing and the row takes all of them.
std::int64_t Forest::branch(std::uint32_t node, const double* row) const {
  const Step& step = steps_[node];
  if (step.split() == SplitKind::oblique) return sum(places_[node], row) > step.threshold;
  const double value = row[step.column];
  if (std::isnan(value)) return missing_branch(node);
  if (step.split() == SplitKind::threshold) return value > step.threshold;
  const auto code = static_cast<std::uint32_t>(value);
  if (step.split() == SplitKind::multiway) return code;
  const std::int32_t of_value = value_branch_[places_[node].split.first + code];
  return of_value < 0 ? missing_branch(node) : of_value;
}

// Returns the node that a row goes to from a node; the step after all nodes where its value is missing and the row
// takes several branches.
std::uint32_t Forest::next(std::uint32_t node, const double* row) const {
  const Step& step = steps_[node];
  if (step.split() == SplitKind::leaf) return node;
  const std::int64_t taken = branch(node, row);
  if (taken < 0) return static_cast<std::uint32_t>(steps_.size() - 1);
  if (step.split() != SplitKind::threshold) return children_[step.child + static_cast<std::uint32_t>(taken)];
  return taken == 0 ? first_child(node) : step.child;
}

// Takes rows from nodes to leaves, where all splits are thresholds and all values are known. No jump depends on the
// data except the one that ends the loop.
template <bool first_child_is_next>
void Forest::go_down(std::uint32_t* nodes, const double* const* rows) const {
  const Step* const steps = steps_.data();
  std::uint32_t moved = 1;
  while (moved != 0) {
    moved = 0;
    for (std::uint32_t i = 0; i < side_by_side; ++i) {
      const std::uint32_t node = nodes[i];
      const Step& step = steps[node];
      const std::uint32_t first = first_child_is_next ? node + 1 : below_[node];
      // At a leaf the threshold is NaN, so that the row stays there. Bits of a mask choose, because compilers make a
      // jump of a condition, and half of the jumps are predicted wrongly.
      const std::uint32_t goes_first = 0U - static_cast<std::uint32_t>(rows[i][step.column] <= step.threshold);
      const std::uint32_t to = step.child ^ ((step.child ^ first) & goes_first);
      moved |= to ^ node;
      nodes[i] = to;
    }
  }
}

// Does the work of find_leaves() where all splits are thresholds and all values are known.
void Forest::find_leaves_by_thresholds(std::uint32_t root, Block& block) const {
  for (std::uint32_t first = 0; first < block.n_rows; first += side_by_side) {
    const std::uint32_t n = std::min(side_by_side, block.n_rows - first);
    std::uint32_t nodes[side_by_side];
    const double* rows[side_by_side];
    for (std::uint32_t i = 0; i < side_by_side; ++i) {
      nodes[i] = root;
      rows[i] = block.row(first + std::min(i, n - 1));
    }
    first_child_is_next_ ? go_down<true>(nodes, rows) : go_down<false>(nodes, rows);
    std::copy(nodes, nodes + n, block.leaf_of.begin() + first);
  }
}

// Does the same for a block of few rows: each goes down several members side by side.
void Forest::find_leaves_of_few_rows(std::uint32_t member, Block& block) const {
  if (member - block.first_ahead >= block.n_ahead) {
    block.first_ahead = member;
    block.n_ahead = std::min(side_by_side, n_members() - member);
    block.leaves_ahead.resize(std::size_t{block.n_rows} * side_by_side);
    for (std::uint32_t row = 0; row < block.n_rows; ++row) {
      std::uint32_t* const nodes = block.leaves_ahead.data() + std::size_t{row} * side_by_side;
      const double* rows[side_by_side];
      for (std::uint32_t i = 0; i < side_by_side; ++i) {
        nodes[i] = roots_[member + std::min(i, block.n_ahead - 1)];
        rows[i] = block.row(row);
      }
      first_child_is_next_ ? go_down<true>(nodes, rows) : go_down<false>(nodes, rows);
    }
  }
  for (std::uint32_t row = 0; row < block.n_rows; ++row)
    block.leaf_of[row] = block.leaves_ahead[row * side_by_side + member - block.first_ahead];
}

// Sets block.leaf_of to the node at which each row ends: a leaf, or the step after all nodes if the row goes to several
// leaves.
void Forest::find_leaves(std::uint32_t member, Block& block) const {
  if (block.bitwise != nullptr) return block.bitwise->find_leaves(member, block);
  const std::uint32_t root = roots_[member];
  if (only_thresholds_ && block.all_known)
    return block.n_rows <= side_by_side / 2 ? find_leaves_of_few_rows(member, block)
                                            : find_leaves_by_thresholds(root, block);
  for (std::uint32_t i = 0; i < block.n_rows; ++i) {
    const double* row = block.row(i);
    std::uint32_t node = root;
    for (std::uint32_t to = next(node, row); to != node; to = next(node, row)) node = to;
    block.leaf_of[i] = node;
  }
}

}  // namespace weaklearn::graph
