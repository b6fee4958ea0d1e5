// Hierarchical shrinkage of class shares (Agarwal, Tan, Ronen, Singh, Yu 2022). A tree stores its true class weights
// and one number, lambda; what its leaves predict follows from both:
//   p'(root) = p(root),  p'(child) = p'(parent) + (p(child) - p(parent)) / (1 + lambda / W(parent))
// p are the class shares of a node and W its weight. A node without training rows has the shares of its parent. The
// splits do not change.
#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace weaklearn::graph {

// Returns the class shares that each node predicts: n_classes numbers per node, which sum to one. Without shrinkage
// these are the shares of its class weights, and a node without training rows predicts its label.
std::vector<double> predicted_shares(const Graph& graph);

// Sets the shrinkage of a tree. If `relabel`, a leaf whose largest predicted share is that of another class gets its
// label, and its errors rise by the difference of the two class weights.
void shrink(Graph& graph, double lambda, bool relabel);

}  // namespace weaklearn::graph
