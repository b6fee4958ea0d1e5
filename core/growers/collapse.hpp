// C4.5's last act of growing: a subtree that makes no fewer training errors than a leaf becomes one.
#pragma once

#include "criteria/tolerance.hpp"
#include "graph/builder.hpp"

namespace weaklearn::growers {

// Nodes must come before their branches.
inline void collapse(graph::Draft& draft) {
  for (std::size_t i = draft.nodes.size(); i-- > 0;) {
    graph::Draft::Node& node = draft.nodes[i];
    if (node.branches.empty()) continue;
    double errors = 0.0;
    for (const std::uint32_t branch : node.branches) errors += draft.nodes[branch].errors;
    const bool no_better = criteria::at_least(errors, node.errors - 1e-3);
    node.errors = errors;
    if (no_better) node.become_leaf();
  }
}

}  // namespace weaklearn::growers
