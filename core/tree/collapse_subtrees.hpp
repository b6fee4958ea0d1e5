// The last steps of growing. The errors of a node become the sum of those of its children. C4.5 then collapses every
// subtree that makes no fewer training errors than a leaf in its place.
#pragma once

#include "criteria/class_factors.hpp"
#include "criteria/tolerance.hpp"
#include "graph/draft.hpp"

namespace weaklearn::tree {

// In this file every node must come before its children.
inline double errors_below(const graph::Draft& draft, const graph::Draft::Node& node) {
  double errors = 0.0;
  for (const std::uint32_t branch : node.children) errors += draft.nodes[branch].errors;
  return errors;
}

// Where errors cost differently, every node predicts the cheapest class, and its errors as a leaf are their relative
// cost. Weights do not change.
inline void relabel_by_costs(graph::Draft& draft, const criteria::ClassFactors& classes) {
  if (classes.costs.empty()) return;
  for (std::uint32_t i = 0; i < draft.nodes.size(); ++i) {
    const auto weights = draft.weights_of(i);  // an empty leaf has a copy of those of its parent
    const std::size_t label = classes.label_of(weights);
    draft.nodes[i].label = static_cast<std::int32_t>(label);
    draft.nodes[i].errors = draft.nodes[i].weight > 0.0 ? classes.cost_of(weights, label) : 0.0;
  }
}

inline void add_up_errors(graph::Draft& draft) {
  for (std::size_t i = draft.nodes.size(); i-- > 0;)
    if (!draft.nodes[i].children.empty()) draft.nodes[i].errors = errors_below(draft, draft.nodes[i]);
}

// The same for a tree whose errors are added up already.
inline void relabel_leaves(graph::Draft& draft, const criteria::ClassFactors& classes) {
  if (classes.costs.empty()) return;
  relabel_by_costs(draft, classes);
  add_up_errors(draft);
}

inline void collapse(graph::Draft& draft) {
  for (std::size_t i = draft.nodes.size(); i-- > 0;) {
    graph::Draft::Node& node = draft.nodes[i];
    if (node.children.empty()) continue;
    const double errors = errors_below(draft, node);
    const bool no_better = criteria::at_least(errors, node.errors - 1e-3);
    node.errors = errors;
    if (no_better) node.become_leaf();
  }
}

}  // namespace weaklearn::tree
