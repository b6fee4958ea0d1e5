#include "explain/shap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "explain/block_values.hpp"
#include "explain/coalition_values.hpp"
#include "explain/joint_values.hpp"
#include "graph/shrink_shares.hpp"
#include "parallel/thread_pool.hpp"

namespace weaklearn::explain {
namespace {

using graph::Graph;
using graph::SplitKind;

// Returns a value of a row, rounded as the splits on its column compare it; NaN if it is missing.
double value_of(const graph::InputColumn& input, const graph::ColumnType& column, std::uint32_t row) {
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  if (input.codes != nullptr) {
    const std::int32_t code = input.codes[row];
    return code >= 0 && static_cast<std::uint32_t>(code) < column.n_values ? code : missing;
  }
  if (input.numbers.first == nullptr) return missing;
  const double value = input.numbers[row];
  return column.single_precision ? static_cast<double>(static_cast<float>(value)) : value;
}

// Adds the values that a graph without oblique splits contributes.
void add_blocks(const Graph& graph, double vote, const graph::InputRows& rows, parallel::ThreadPool& pool,
                double* values, double* base_values) {
  const BlockTree tree(graph, vote);
  const std::size_t n_classes = graph.n_classes;
  std::vector<BlockMemory> memories(pool.n_threads());
  const std::uint32_t n_blocks = rows.n_rows / rows_per_block + (rows.n_rows % rows_per_block != 0);
  pool.for_each(n_blocks, [&](std::uint32_t b, std::uint32_t thread) {
    BlockMemory& memory = memories[thread];
    memory.prepare(tree, graph.n_classes);
    const std::uint32_t first = b * rows_per_block;
    const std::uint32_t n = std::min(rows_per_block, rows.n_rows - first);
    for (std::size_t f = 0; f < tree.paths.columns.size(); ++f) {
      const std::uint32_t column = tree.paths.columns[f];
      for (std::uint32_t i = 0; i < rows_per_block; ++i)  // a block without enough rows repeats its last row
        memory.rows[f][i] = value_of(rows.columns[column], graph.columns[column], first + std::min(i, n - 1));
    }
    explain_block(tree, memory);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::size_t row = first + i;
      for (std::size_t f = 0; f < tree.paths.columns.size(); ++f)
        for (std::size_t k = 0; k < n_classes; ++k)
          values[(row * graph.columns.size() + tree.paths.columns[f]) * n_classes + k] +=
              memory.values[f * n_classes + k][i];
      for (std::size_t k = 0; k < n_classes; ++k) base_values[row * n_classes + k] += memory.base[k][i];
    }
  });
}

// Adds the values that explain(row, values, base_values) adds for each row.
template <class Explain>
void add_row_by_row(const Graph& graph, const graph::InputRows& rows, parallel::ThreadPool& pool, double* values,
                    double* base_values, const Explain& explain) {
  const std::size_t n_columns = graph.columns.size();
  pool.for_each(rows.n_rows, [&](std::uint32_t row, std::uint32_t) {
    std::vector<double> of_row(n_columns);
    for (std::size_t c = 0; c < n_columns; ++c) of_row[c] = value_of(rows.columns[c], graph.columns[c], row);
    std::vector<double> own((n_columns + 1) * graph.n_classes, 0.0);
    double* const own_base = own.data() + n_columns * graph.n_classes;
    explain(of_row.data(), own.data(), own_base);
    double* const to = values + row * n_columns * graph.n_classes;
    for (std::size_t i = 0; i < n_columns * graph.n_classes; ++i) to[i] += own[i];
    for (std::size_t k = 0; k < graph.n_classes; ++k)
      base_values[std::size_t{row} * graph.n_classes + k] += own_base[k];
  });
}

// How the values of a graph are computed: block_values.hpp, joint_values.hpp, coalition_values.hpp.
enum class Way : std::uint8_t { blocks, joint, coalitions };

std::string in_words(double number) {
  return number < 1e15 ? std::to_string(static_cast<std::uint64_t>(number)) : "more than 1e15";
}

Way way_for(const Graph& graph) {
  const bool is_oblique =
      std::ranges::any_of(graph.nodes, [](const graph::Node& node) { return node.split == SplitKind::oblique; });
  const Way by_paths = is_oblique ? Way::joint : Way::blocks;
  // Every node of a graph is reached, so that a graph with one branch less than nodes is a tree.
  if (graph.children.size() + 1 == graph.nodes.size()) return by_paths;
  const double n_paths = count_paths(graph);
  const std::size_t n_features = tested_columns(graph).size();
  if (n_features <= most_listed_features &&
      std::ldexp(static_cast<double>(graph.children.size()), static_cast<int>(n_features)) < n_paths)
    return Way::coalitions;
  if (n_paths <= most_paths) return by_paths;
  if (n_features <= most_listed_features) return Way::coalitions;
  throw std::invalid_argument("the graph shares nodes, has " + in_words(n_paths) + " paths and tests " +
                              std::to_string(n_features) + " features; SHAP values need at most " +
                              std::to_string(most_paths) + " paths or at most " + std::to_string(most_listed_features) +
                              " features");
}

}  // namespace

Explainer::Explainer(std::span<const Graph* const> members, std::span<const double> votes)
    : members_(members.begin(), members.end()), votes_(votes.begin(), votes.end()) {
  if (members.empty()) throw std::invalid_argument("got no graph, expected at least one");
  if (votes.size() != members.size())
    throw std::invalid_argument("got " + std::to_string(votes.size()) + " votes, expected one for each of " +
                                std::to_string(members.size()) + " graphs");
  if (!std::ranges::all_of(votes, [](double vote) { return std::isfinite(vote); }))
    throw std::invalid_argument("votes must be finite");
  needs_numbers_.assign(members[0]->columns.size(), false);
  for (const Graph* member : members) {
    if (member->n_classes != members[0]->n_classes || member->columns != members[0]->columns)
      throw std::invalid_argument("the graphs differ in their columns or classes");
    for (const graph::Node& node : member->nodes)
      if (node.split == SplitKind::threshold) needs_numbers_[static_cast<std::size_t>(node.column)] = true;
    for (const graph::Term& term : member->terms)
      if (term.form != graph::TermForm::values) needs_numbers_[static_cast<std::size_t>(term.column)] = true;
  }
}

void Explainer::explain(const graph::InputRows& rows, double* values, double* base_values) const {
  parallel::ThreadPool pool(std::clamp(rows.n_threads, 1U, std::max(rows.n_rows, 1U)));
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Graph& graph = *members_[m];
    if (graph.is_leaf(0)) {
      const std::vector<double> shares = graph::predicted_shares(graph);
      for (std::size_t row = 0; row < rows.n_rows; ++row)
        for (std::size_t k = 0; k < graph.n_classes; ++k)
          base_values[row * graph.n_classes + k] += votes_[m] * shares[k];
      continue;
    }
    const Way way = way_for(graph);
    if (way == Way::blocks) {
      add_blocks(graph, votes_[m], rows, pool, values, base_values);
      continue;
    }
    const bool can_list = tested_columns(graph).size() <= most_listed_features;
    const std::optional<CoalitionValues> by_coalitions =
        can_list ? std::optional<CoalitionValues>(std::in_place, graph, votes_[m]) : std::nullopt;
    const std::optional<JointValues> by_unions =
        way == Way::joint ? std::optional<JointValues>(std::in_place, graph, votes_[m]) : std::nullopt;
    add_row_by_row(graph, rows, pool, values, base_values, [&](const double* row, double* own, double* own_base) {
      if (by_unions.has_value() && by_unions->explain(row, own, own_base)) return;
      if (!can_list)
        throw std::invalid_argument(
            "the oblique splits on a path have more than " + std::to_string(most_unions) +
            " unions of their features; SHAP values need at most so many, or a graph of at most " +
            std::to_string(most_listed_features) + " features");
      std::fill_n(own, (graph.columns.size() + 1) * graph.n_classes, 0.0);
      by_coalitions->explain(row, own, own_base);
    });
  }
}

}  // namespace weaklearn::explain
