// How rows go down a forest whole: values laid side by side, and from node to node.
#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/forest.hpp"

namespace weaklearn::graph {
namespace {

constexpr std::uint32_t side_by_side = 8;  // rows that go down together, so that they wait for memory together

}  // namespace

void Forest::load(std::span<const InputColumn> columns, Block& block) const {
  const std::size_t width = std::max<std::size_t>(columns.size(), 1);
  block.values.resize(width * block.n_rows);
  block.leaf_of.resize(block.n_rows);
  bool all_known = true;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    const InputColumn& column = columns[a];
    double* value = block.values.data() + a;
    if (column.codes != nullptr) {
      for (std::uint32_t i = 0; i < block.n_rows; ++i, value += width) {
        const std::int32_t code = column.codes[block.first_row + i];
        const bool known = code >= 0 && static_cast<std::uint32_t>(code) < attributes_[a].n_values;
        *value = known ? code : std::numeric_limits<double>::quiet_NaN();
        all_known = all_known && known;
      }
    } else if (column.numbers.first != nullptr) {
      for (std::uint32_t i = 0; i < block.n_rows; ++i, value += width) {
        *value = column.numbers[block.first_row + i];
        all_known = all_known && !std::isnan(*value);
      }
    }
  }
  block.all_known = all_known;
}

// What an oblique test compares with its threshold.
double Forest::sum(const Place& place, const double* row) const {
  double result = 0.0;
  for (std::uint32_t t = place.first_term; t < place.first_term + place.n_terms; ++t) {
    const Addend& addend = addends_[t];
    const double* const numbers = term_numbers_.data() + addend.first_number;
    const double value = row[addend.attribute];
    if (std::isnan(value)) {
      result += addend.unknown;
    } else if (addend.form == Form::steps) {
      const auto interval = std::lower_bound(numbers, numbers + addend.n_cuts, value) - numbers;
      result += numbers[addend.n_cuts + interval];
    } else if (addend.form == Form::values) {
      result += numbers[static_cast<std::uint32_t>(value)];
    } else {
      result += numbers[0] * (addend.single_precision ? static_cast<double>(static_cast<float>(value)) : value);
    }
  }
  return result;
}

// The branch that a row takes at a test, or -1 where its value is unknown.
std::int64_t Forest::branch(std::uint32_t node, const double* row) const {
  const Step& step = steps_[node];
  if (step.test == Test::oblique) return sum(places_[node], row) > step.threshold;
  const double value = row[step.attribute];
  if (std::isnan(value)) return -1;
  if (step.test == Test::threshold) return value > step.threshold;
  const auto code = static_cast<std::uint32_t>(value);
  if (step.test == Test::value) return code;
  return value_branch_[places_[node].first_value + code];
}

// Where a row goes from a node; to the last step of all where its value is unknown.
std::uint32_t Forest::next(std::uint32_t node, const double* row) const {
  const Step& step = steps_[node];
  if (step.test == Test::leaf) return node;
  const std::int64_t taken = branch(node, row);
  if (taken < 0) return static_cast<std::uint32_t>(steps_.size() - 1);
  const bool two_ways = step.test == Test::threshold || step.test == Test::oblique;
  return two_ways ? step.branch[taken] : branches_[step.branch[0] + static_cast<std::uint32_t>(taken)];
}

// Thresholds on known values only: no jump depends on the data but the one that ends the way.
void Forest::walk_known(std::uint32_t root, Block& block) const {
  const std::size_t width = std::max<std::size_t>(attributes_.size(), 1);
  const Step* const steps = steps_.data();
  for (std::uint32_t first = 0; first < block.n_rows; first += side_by_side) {
    const std::uint32_t n = std::min(side_by_side, block.n_rows - first);
    std::uint32_t node[side_by_side];
    const double* row[side_by_side];
    for (std::uint32_t i = 0; i < side_by_side; ++i) {
      node[i] = root;
      row[i] = block.values.data() + (first + std::min(i, n - 1)) * width;
    }
    std::uint32_t moved = 1;
    while (moved != 0) {
      moved = 0;
      for (std::uint32_t i = 0; i < side_by_side; ++i) {
        const Step& step = steps[node[i]];
        const std::uint32_t to = step.branch[row[i][step.attribute] > step.threshold];
        moved |= to ^ node[i];
        node[i] = to;
      }
    }
    std::copy(node, node + n, block.leaf_of.begin() + first);
  }
}

void Forest::walk(std::uint32_t root, Block& block) const {
  if (only_thresholds_ && block.all_known) return walk_known(root, block);
  const std::size_t width = std::max<std::size_t>(attributes_.size(), 1);
  for (std::uint32_t i = 0; i < block.n_rows; ++i) {
    const double* row = block.values.data() + i * width;
    std::uint32_t node = root;
    for (std::uint32_t to = next(node, row); to != node; to = next(node, row)) node = to;
    block.leaf_of[i] = node;
  }
}

}  // namespace weaklearn::graph
