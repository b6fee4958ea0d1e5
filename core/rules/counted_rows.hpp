// The training rows as rules count them.
//
// Weights are summed as whole multiples of a unit, a power of two. Sums are therefore exact, and neither the order of
// rows nor the number of threads changes a result. Rows of weight 0 are left out. The others are sorted by the leaf of
// the tree that they reach, so that the rows of a rule are close to each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

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
  // With `is_release8`, the value -999 is missing, as in the original program.
  CountedRows(const data::Dataset& dataset, std::span<const double> weights, const graph::Graph& tree,
              bool is_release8);

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

 private:
  void count(std::span<const double> weights, std::span<const std::uint32_t> rows);

  data::Dataset dataset_;
  std::vector<Count> counts_;  // per row; empty if every row counts 1
  double unit_ = 1.0;
  bool whole_weights_ = true;
  Count total_ = 0;
  std::vector<Count> class_totals_;
  RowBits all_;
  std::vector<RowBits> class_bits_;
};

}  // namespace weaklearn::rules
