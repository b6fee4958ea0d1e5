// The test on one column that makes the fewest errors when each of its branches answers with its largest
// class: `value <= threshold` for a continuous attribute, one branch per value for a nominal one.
#pragma once

#include <cstdint>
#include <span>

#include "splits/node_view.hpp"

namespace weaklearn::splits {

// Weight and class together: both are looked up in the order of the values, where each look-up is a jump.
struct WeighedRow {
  double weight = 0.0;  // 0: the row is absent
  std::uint32_t local_class = 0;
};

struct ErrorSplit {
  double errors = 0.0;  // the weight that the answers of the branches get wrong
  Split split;          // no test where none makes fewer errors than asked for
};

// Errors that differ by less are equal.
inline double error_slack(const NodeView& node) { return slack_at(node.total); }

// The lowest cut of equals. Rows of unknown value go down every branch in proportion to the known weight
// there. `rows` holds all rows of the dataset, `errors_to_beat` those of the node as a leaf.
ErrorSplit fewest_errors(const NodeView& node, std::span<const WeighedRow> rows, const data::Column& column,
                         double errors_to_beat, Scratch& scratch);

}  // namespace weaklearn::splits
