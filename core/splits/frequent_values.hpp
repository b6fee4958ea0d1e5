// The values of a nominal column that enough rows of a node have, and all others as one value: a value that few rows
// have tells little about other rows. A column whose values all differ, as those of a key do, has one value then.
//
// Where weights count rows, a row of weight 3 is three rows. Where they come from boosting or from samples, it is one
// row, which would make its value frequent: columns like keys are therefore judged by the rows themselves.
#pragma once

#include <utility>
#include <vector>

#include "splits/value_table.hpp"

namespace weaklearn::splits {

// Values of fewer rows at a node count as one value.
constexpr double fewest_rows_of_value = 3.0;

template <class Weights>
class FrequentValues {
 public:
  // `like_key` says whether values are judged by their rows, whatever these weigh.
  FrequentValues(const Weights& weights, const NodeView& node, const data::Column& column, bool like_key,
                 Scratch& scratch)
      : weights_(weights),
        node_(node),
        column_(column),
        counts_rows_(like_key && !Weights::unit),
        lines_(node.n_local, 0.0) {
    table_is_cheap(node_, column_) ? add_values_of_table(scratch) : add_values_of_rows(scratch);
  }

  // The weights by class: of all rare values together, then of each frequent one. Missing is the last, if it is a
  // value.
  std::span<const double> lines() const { return lines_; }
  std::uint32_t n_lines() const { return static_cast<std::uint32_t>(lines_.size() / node_.n_local); }

  // Returns whether two lines have any weight.
  bool vary() const {
    std::uint32_t n_present = 0;
    for (std::size_t first = 0; first < lines_.size(); first += node_.n_local)
      n_present += std::ranges::any_of(lines().subspan(first, node_.n_local), [](double x) { return x > 0.0; });
    return n_present > 1;
  }

  // Makes a split of the lines a split of the values. Those that do not occur at the node go where rare ones go.
  void expand(Split& split) const {
    const std::uint32_t n_values = column_.n_codes + (!frequent_.empty() && frequent_.back().first == column_.n_codes);
    std::vector<std::int32_t> value_branch(n_values, split.value_branch[0]);
    for (const auto& [value, line] : frequent_) value_branch[value] = split.value_branch[line];
    split.value_branch = std::move(value_branch);
    split.take_missing_branch(column_.n_codes);
  }

 private:
  void add_values_of_table(Scratch& scratch) {
    const auto cells = fill_table(weights_, node_, column_, scratch);
    const std::vector<double> n_rows = counts_rows_ ? rows_of_values() : std::vector<double>();
    std::vector<double> classes(node_.n_local);
    for (std::uint32_t v = 0; v < n_values_at(node_, column_, cells); ++v) {
      const auto line = cells.subspan(std::size_t{v} * node_.n_local, node_.n_local);
      classes.assign(line.begin(), line.end());
      add_value(v, classes, v < n_rows.size() ? n_rows[v] : 0.0);
    }
  }

  // Returns the number of rows of each declared value.
  std::vector<double> rows_of_values() const {
    if (node_.has_table()) return {node_.rows_of_value.begin(), node_.rows_of_value.end()};
    std::vector<double> n_rows(std::size_t{column_.n_codes} + 1, 0.0);
    std::visit(
        [&](const auto& codes) {
          for (const std::uint32_t row : node_.rows) n_rows[codes[row]] += weights_.weight_of(row) > 0 ? 1.0 : 0.0;
        },
        column_.codes);
    return n_rows;
  }

  void add_values_of_rows(Scratch& scratch) {
    std::vector<double> classes(node_.n_local);
    const auto rows = rows_by_code(node_, column_, scratch, node_.missing_takes_branch);
    for (std::size_t i = 0; i < rows.size();) {
      const std::uint32_t value = rows[i].code;
      classes.assign(node_.n_local, 0.0);
      double n_rows = 0.0;
      for (; i < rows.size() && rows[i].code == value; ++i) {
        const auto weight = static_cast<double>(weights_.weight_of(rows[i].row));
        classes[rows[i].local_class] += weight;
        n_rows += weight > 0.0 ? 1.0 : 0.0;
      }
      add_value(value, classes, n_rows);
    }
  }

  // Missing values are a value of their own, however few they are.
  void add_value(std::uint32_t value, std::span<const double> classes, double n_rows) {
    if (!counts_rows_) n_rows = node_.rows_in(classes, sum_of(classes));
    if (value == column_.n_codes || at_least(n_rows, fewest_rows_of_value)) {
      frequent_.emplace_back(value, n_lines());
      lines_.insert(lines_.end(), classes.begin(), classes.end());
    } else {
      for (std::size_t k = 0; k < classes.size(); ++k) lines_[k] += classes[k];
    }
  }

  const Weights& weights_;
  const NodeView& node_;
  const data::Column& column_;
  const bool counts_rows_;
  std::vector<double> lines_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> frequent_;  // frequent values and their lines, ascending
};

}  // namespace weaklearn::splits
