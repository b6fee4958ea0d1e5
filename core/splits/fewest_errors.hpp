// The split of one column that makes the fewest errors if each branch predicts its largest class: a threshold for a
// continuous column, one branch per value for a nominal column.
#pragma once

#include <cstdint>
#include <span>

#include "splits/node_view.hpp"

namespace weaklearn::splits {

// Weight and class of a row, side by side. Both are read in the order of the values, where each read is a cache miss.
struct WeightAndClass {
  double weight = 0.0;  // 0: the row is absent
  std::uint32_t local_class = 0;
};

struct ErrorSplit {
  double errors = 0.0;  // the weight of the rows that the branches predict wrongly
  Split split;          // a leaf if no split makes few enough errors
};

// Errors that differ by less than this are equal.
inline double error_slack(const NodeView& node) { return slack_at(node.total); }

// Returns the split of the fewest errors. Ties go to the lowest cut. Rows whose value is missing go down every branch
// in proportion to the known weight there. `rows` holds all rows of the dataset, and all rows of the node weigh more
// than 0. `errors_to_beat` are the errors of the node as a leaf.
ErrorSplit fewest_errors(const NodeView& node, std::span<const WeightAndClass> rows, const data::Column& column,
                         double errors_to_beat, Scratch& scratch);

}  // namespace weaklearn::splits
