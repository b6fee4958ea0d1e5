// explain/: Shapley values of the features of a row, for graphs whose class shares are added up.
//
// Terms:
//   coalition    a set S of features whose values are used; at a split on a feature outside S the row is distributed
//                over all branches by the weight of the training rows, as C4.5 does with missing values
//   v(S)         the class shares that the coalition predicts, times the vote, added up over the members
//   value        the Shapley value of a feature: the mean over all orders of the features of what v gains when the
//                feature joins the coalition. Per row, the values sum to v(all features) - v(no feature).
//   base value   v(no feature)
//   path         from the root to a leaf; where nodes are shared, a leaf is at the end of several paths
//   hot, cold    whether the row, with all its values, takes the branch of an edge
//
// A value that is missing in the row stays missing in every coalition, and is treated as in prediction: it is worth 0.
// An oblique split counts as a split on a feature outside S unless S has all its features that the row has.
//
// On a path, the row's share at the leaf is a product with one factor per feature: o if the feature is in S, z if not.
// z is the product of the shares of the branches that test the feature, and o is 1 if all of them are hot, else 0. The
// Shapley value of feature i is (o_i - z_i) times the integral of the product of t o_j + (1 - t) z_j over the other
// features j, for t from 0 to 1, times the leaf's class shares. With m features the integrand has degree m - 1, so that
// (m + 1) / 2 points of Gauss-Legendre quadrature give its integral exactly. All terms are positive: nothing cancels.
// (Lundberg, Erion, Lee 2018, define the values; Yu, Xu, Bifet, Read 2022, and Wettenstein, Mitchell, Yu 2026, evaluate
// polynomials at points.)
//
// Entry points:
//   Explainer        this file             the values of rows
//   PathTree         path_tree.hpp         the edges of a graph, path by path
//   explain_block    block_values.hpp      values for graphs without oblique splits: eight rows at a time
//   JointValues      joint_values.hpp      values for graphs with oblique splits
//   CoalitionValues  coalition_values.hpp  values by listing all coalitions, where nodes are shared
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/forest.hpp"
#include "graph/graph.hpp"

namespace weaklearn::explain {

class Explainer {
 public:
  // Each graph must be valid. Throws std::invalid_argument for a bad argument: no graph, graphs that differ in their
  // columns or classes, or a vote that is not finite.
  Explainer(std::span<const graph::Graph* const> members, std::span<const double> votes);

  std::uint32_t n_classes() const { return members_[0]->n_classes; }
  const std::vector<graph::ColumnType>& columns() const { return members_[0]->columns; }
  bool needs_numbers(std::size_t column) const { return needs_numbers_[column]; }

  // Writes n_rows x n_columns x n_classes values and n_rows x n_classes base values. Both must be filled with zeros.
  // Throws std::invalid_argument for a graph that has too many paths and features, or too many unions of the features
  // of its oblique splits.
  void explain(const graph::InputRows& rows, double* values, double* base_values) const;

 private:
  std::vector<const graph::Graph*> members_;
  std::vector<double> votes_;
  std::vector<bool> needs_numbers_;
};

}  // namespace weaklearn::explain
