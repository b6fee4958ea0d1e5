// Shapley values for a graph with oblique splits, row by row. An oblique split has its hot branch only in coalitions
// with all its features, so that its factor on a path belongs to several features together.
//
// On a path, v(S) is the product of its conditions: o if S has all features A of the condition, z if not. Multiplied
// out, v is a sum over unions U of such sets of c_U times 1 if S includes U, and each feature of U is worth c_U / |U|.
// Conditions on the same set are merged, and a feature of no oblique split keeps a factor of its own (shap.hpp), which
// needs no unions. There may be 2^(conditions) unions. That cannot be avoided in general: with z = 0 and o = 1 the
// number of unions that have all features is the number of set covers, and counting these is #P-complete. Splits with
// the same features, as OC1 and SADT make them, have one union.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explain/condition.hpp"
#include "explain/path_tree.hpp"
#include "explain/quadrature.hpp"

namespace weaklearn::explain {

// Unions of sets of features that a path may have.
constexpr std::size_t most_unions = 1U << 14;

class JointValues {
 public:
  JointValues(const graph::Graph& graph, double vote);

  // Adds the values of one row, n_columns x n_classes, and its base values; `row` is as for condition_of(). Returns
  // false if a path has too many unions; then only a part has been added.
  bool explain(const double* row, double* values, double* base_values) const;

 private:
  // The polynomial of the conditions that oblique splits connect. Coefficient s belongs to coalitions of s features.
  struct Joint {
    std::vector<std::uint32_t> columns;
    std::vector<double> coefficients;  // sums of c_U over the unions of s features
    std::vector<std::vector<double>> of_column;  // the same, over the unions with a column
  };

  std::optional<Joint> multiply_out(const std::vector<Condition>& conditions) const;
  bool add_leaf(std::uint32_t node, const std::vector<Condition>& path, double* values, double* base_values) const;

  PathTree paths_;
  std::vector<double> shares_;  // per node and class, times the vote
  Quadrature quadrature_;       // exact for paths with all features that the graph tests
};

}  // namespace weaklearn::explain
