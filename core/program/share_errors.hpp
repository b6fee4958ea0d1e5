// The errors of the splits of a program, from those of its leaves.
#pragma once

#include <cstddef>

#include "graph/draft.hpp"

namespace weaklearn::program {

// Sets the errors of each split of a program to the sum over its branches of the child's errors, scaled by the share
// of the child's weight that comes along the branch.
inline void share_errors(graph::Draft& draft) {
  for (std::size_t i = draft.nodes.size(); i-- > 0;) {
    graph::Draft::Node& node = draft.nodes[i];
    if (node.children.empty()) continue;
    node.errors = 0.0;
    for (std::size_t b = 0; b < node.children.size(); ++b) {
      const graph::Draft::Node& child = draft.nodes[node.children[b]];
      if (child.weight > 0.0) node.errors += child.errors * (node.branch_weights[b] / child.weight);
    }
  }
}

}  // namespace weaklearn::program
