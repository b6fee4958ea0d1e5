// The training rows as rules count them.
//
// Weights are summed as whole multiples of a unit, a power of two. Sums are therefore exact, and neither the order of
// rows nor the number of threads changes a result. Rows of weight 0 are left out. The others are sorted by the leaf of
// the tree that they reach, so that the rows of a rule are close to each other.
//
// Relative weights of classes (criteria/class_factors.hpp) decide what rules predict, but they are not evidence. What
// depends on how much evidence there is uses the effective number of rows instead of the weight.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/tolerance.hpp"
#include "data/dataset.hpp"
#include "graph/graph.hpp"
#include "rules/row_bits.hpp"

namespace weaklearn::rules {

using Count = std::int64_t;

// Returns the number of distinct values up to a threshold: the codes below it satisfy value <= threshold.
inline std::uint32_t codes_up_to(const data::Column& column, double threshold) {
  return static_cast<std::uint32_t>(std::upper_bound(column.values.begin(), column.values.end(), threshold) -
                                    column.values.begin());
}

class CountedRows {
 public:
  // `factors` holds the relative weight of each class, which is contained in the weights already, or nothing. With
  // `is_release8`, the value -999 is missing, as in the original program.
  CountedRows(const data::Dataset& dataset, std::span<const double> weights, const graph::Graph& tree, bool is_release8,
              std::span<const double> factors = {});

  const data::Dataset& dataset() const { return dataset_; }
  std::uint32_t n_rows() const { return dataset_.n_rows; }
  std::uint32_t n_classes() const { return dataset_.n_classes; }
  std::int32_t class_of(std::uint32_t row) const { return dataset_.classes[row]; }
  Count count_of(std::uint32_t row) const { return counts_.empty() ? 1 : counts_[row]; }
  const Count* counts() const { return counts_.empty() ? nullptr : counts_.data(); }  // null: every row counts 1

  Count total() const { return total_; }
  Count class_total(std::int32_t label) const { return class_totals_[label]; }
  const RowBits& all() const { return all_; }
  const RowBits& rows_of_class(std::int32_t label) const { return class_bits_[label]; }

  double weight(Count count) const { return static_cast<double>(count) * unit_; }
  bool whole_weights() const { return whole_weights_; }

  // Per row its weight times the factor of its class, as a multiple of a unit of its own; null without factors.
  const Count* squares() const { return squares_.empty() ? nullptr : squares_.data(); }
  // Returns the effective number of some rows. Without factors it is their weight.
  double effective_rows(Count rows, Count squares) const {
    if (squares_.empty() || squares == 0) return weight(rows);
    return weight(rows) * (weight(rows) / (static_cast<double>(squares) * square_unit_));
  }
  // Returns the weight of some rows, scaled so that all rows together weigh their effective number.
  double evidence(Count count) const { return weight(count) * evidence_per_weight_; }

  // Factors are rounded numbers. Sums that are equal in real arithmetic count as equal if there are factors.
  bool is_more(Count a, Count b) const { return squares_.empty() ? a > b : criteria::more(weight(a), weight(b)); }
  bool is_more(double a, double b) const { return squares_.empty() ? a > b : criteria::more(a, b); }

 private:
  void count(std::span<const double> weights, std::span<const std::uint32_t> rows);
  void count_squares(std::span<const double> weights, std::span<const std::uint32_t> rows,
                     std::span<const double> factors);

  data::Dataset dataset_;
  std::vector<Count> counts_;  // per row; empty if every row counts 1
  double unit_ = 1.0;
  bool whole_weights_ = true;
  std::vector<Count> squares_;  // per row; empty without factors
  double square_unit_ = 1.0;
  double evidence_per_weight_ = 1.0;
  Count total_ = 0;
  std::vector<Count> class_totals_;
  RowBits all_;
  std::vector<RowBits> class_bits_;
};

}  // namespace weaklearn::rules
