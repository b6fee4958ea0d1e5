#include "explain/condition.hpp"

#include <algorithm>
#include <cmath>

namespace weaklearn::explain {
namespace {

using graph::SplitKind;
using graph::TermForm;

// Returns the sum of an oblique split as in prediction.
double sum_of(const graph::Graph& graph, const graph::Node& node, const double* row) {
  double result = 0.0;
  for (std::uint32_t t = node.first_term; t < node.first_term + node.n_terms; ++t) {
    const graph::Term& term = graph.terms[t];
    const double* const numbers = graph.term_numbers.data() + term.first_number;
    const double value = row[term.column];
    if (std::isnan(value)) {
      result += term.missing;
    } else if (term.form == TermForm::values) {
      result += numbers[static_cast<std::uint32_t>(value)];
    } else if (term.form == TermForm::linear) {
      result += numbers[0] * value;
    } else {
      const bool single = graph.columns[static_cast<std::size_t>(term.column)].single_precision;
      const std::uint32_t n_cuts = term.n_numbers / 2;
      std::uint32_t below = 0;
      while (below < n_cuts && value > (single ? static_cast<float>(numbers[below]) : numbers[below])) ++below;
      result += numbers[n_cuts + below];
    }
  }
  return result;
}

}  // namespace

Condition condition_of(const graph::Graph& graph, std::uint32_t split, std::uint32_t branch, double share,
                       const double* row) {
  const graph::Node& node = graph.nodes[split];
  Condition result;
  result.cold = share;
  if (node.split == SplitKind::oblique) {
    for (std::uint32_t t = node.first_term; t < node.first_term + node.n_terms; ++t)
      if (!std::isnan(row[graph.terms[t].column]))
        result.columns.push_back(static_cast<std::uint32_t>(graph.terms[t].column));
    std::ranges::sort(result.columns);
    result.columns.erase(std::unique(result.columns.begin(), result.columns.end()), result.columns.end());
    result.hot = (sum_of(graph, node, row) > node.threshold) == (branch == 1) ? 1.0 : 0.0;
    return result;
  }
  const double value = row[node.column];
  std::int64_t taken = -1;
  if (!std::isnan(value)) {
    result.columns.push_back(static_cast<std::uint32_t>(node.column));
    const bool single = graph.columns[static_cast<std::size_t>(node.column)].single_precision;
    if (node.split == SplitKind::threshold)
      taken = value > (single ? static_cast<float>(node.threshold) : node.threshold);
    else if (node.split == SplitKind::multiway)
      taken = static_cast<std::int64_t>(value);
    else
      taken = graph.value_branch[node.first_value + static_cast<std::uint32_t>(value)];
  }
  if (taken < 0 && !graph.missing_branch.empty()) taken = graph.missing_branch[split];
  result.hot = taken < 0 ? share : static_cast<double>(taken == branch);
  return result;
}

}  // namespace weaklearn::explain
