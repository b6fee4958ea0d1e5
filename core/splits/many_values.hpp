// The split of a nominal column that has too many values for the search in subset.hpp: into two groups, by the search
// in two_groups.hpp. A value that few rows of the node have tells little about other rows, so all such values count as
// one. A column whose values all differ, as those of a key do, has no split then.
#pragma once

#include <utility>
#include <vector>

#include "splits/two_groups.hpp"

namespace weaklearn::splits {

// Values of fewer rows at a node count as one value.
constexpr double fewest_rows_of_value = 3.0;

template <class Weights>
class ManyValuesSearch {
 public:
  ManyValuesSearch(const Weights& weights, const NodeView& node, const data::Column& column, Scratch& scratch)
      : weights_(weights), node_(node), column_(column), scratch_(scratch), lines_(node.n_local, 0.0) {}

  Split best() {
    table_is_cheap(node_, column_) ? add_values_of_table() : add_values_of_rows();
    const auto n_lines = static_cast<std::uint32_t>(lines_.size() / node_.n_local);
    Split split = TwoGroupsSearch<Weights>(weights_.criterion, node_, lines_, n_lines, scratch_.two_groups).best();
    if (split.kind == graph::SplitKind::leaf) return split;
    // Values that do not occur at the node go where rare ones go.
    const std::uint32_t n_values = column_.n_codes + (!frequent_.empty() && frequent_.back().first == column_.n_codes);
    std::vector<std::int32_t> value_branch(n_values, split.value_branch[0]);
    for (const auto& [value, line] : frequent_) value_branch[value] = split.value_branch[line];
    split.value_branch = std::move(value_branch);
    split.take_missing_branch(column_.n_codes);
    return split;
  }

 private:
  void add_values_of_table() {
    const auto cells = fill_table(weights_, node_, column_, scratch_);
    std::vector<double> classes(node_.n_local);
    for (std::uint32_t v = 0; v < n_values_at(node_, column_, cells); ++v) {
      const auto line = cells.subspan(std::size_t{v} * node_.n_local, node_.n_local);
      classes.assign(line.begin(), line.end());
      add_value(v, classes);
    }
  }

  void add_values_of_rows() {
    std::vector<double> classes(node_.n_local);
    const auto rows = rows_by_code(node_, column_, scratch_, node_.missing_takes_branch);
    for (std::size_t i = 0; i < rows.size();) {
      const std::uint32_t value = rows[i].code;
      classes.assign(node_.n_local, 0.0);
      for (; i < rows.size() && rows[i].code == value; ++i)
        classes[rows[i].local_class] += static_cast<double>(weights_.weight_of(rows[i].row));
      add_value(value, classes);
    }
  }

  // Missing values are a value of their own, however few they are.
  void add_value(std::uint32_t value, std::span<const double> classes) {
    double weight = 0.0;
    for (const double x : classes) weight += x;
    if (value == column_.n_codes || at_least(node_.rows_in(classes, weight), fewest_rows_of_value)) {
      frequent_.emplace_back(value, static_cast<std::uint32_t>(lines_.size() / node_.n_local));
      lines_.insert(lines_.end(), classes.begin(), classes.end());
    } else {
      for (std::size_t k = 0; k < classes.size(); ++k) lines_[k] += classes[k];
    }
  }

  const Weights& weights_;
  const NodeView& node_;
  const data::Column& column_;
  Scratch& scratch_;
  std::vector<double> lines_;  // weights by class: of all rare values together, then of each frequent one
  std::vector<std::pair<std::uint32_t, std::uint32_t>> frequent_;  // frequent values and their lines, ascending
};

}  // namespace weaklearn::splits
