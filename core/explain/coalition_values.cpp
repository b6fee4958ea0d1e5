#include "explain/coalition_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "explain/condition.hpp"
#include "explain/path_tree.hpp"
#include "graph/shrink_shares.hpp"
#include "parallel/simd.hpp"

namespace weaklearn::explain {
namespace {

using graph::SplitKind;

constexpr std::uint32_t at_a_time = 64;  // coalitions, which differ in the first 6 features

// A condition with its columns as bits.
struct MaskedCondition {
  std::uint32_t needed = 0;
  double hot = 1.0;
  double cold = 1.0;
};

// Adds to the shares at a child those at its parent times the factor of the branch, for coalitions from `first` on.
WEAKLEARN_WIDE void pass_on(const MaskedCondition& condition, std::uint32_t first, const double* parent,
                            double* child) {
  const std::uint32_t high = condition.needed / at_a_time * at_a_time;
  const std::uint32_t low = condition.needed % at_a_time;
  const double hot = (first & high) == high ? condition.hot : condition.cold;
  for (std::uint32_t c = 0; c < at_a_time; ++c) child[c] += parent[c] * ((c & low) == low ? hot : condition.cold);
}

}  // namespace

CoalitionValues::CoalitionValues(const graph::Graph& graph, double vote)
    : graph_(graph),
      columns_(tested_columns(graph)),
      branch_shares_(branch_shares(graph)),
      class_shares_(graph::predicted_shares(graph)) {
  for (double& share : class_shares_) share *= vote;
}

void CoalitionValues::explain(const double* row, double* values, double* base_values) const {
  const std::size_t n_classes = graph_.n_classes;
  std::vector<std::uint32_t> players;  // the columns that the row has
  for (const std::uint32_t column : columns_)
    if (!std::isnan(row[column])) players.push_back(column);
  const auto n_players = static_cast<std::uint32_t>(players.size());

  std::vector<MaskedCondition> conditions(graph_.children.size());
  for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
    for (std::uint32_t b = 0; b < graph_.nodes[i].n_branches; ++b) {
      const std::uint32_t branch = graph_.nodes[i].first_branch + b;
      const Condition condition = condition_of(graph_, i, b, branch_shares_[branch], row);
      conditions[branch] = {0, condition.hot, condition.columns.empty() ? condition.hot : condition.cold};
      for (const std::uint32_t column : condition.columns)
        conditions[branch].needed |= 1U << (std::ranges::lower_bound(players, column) - players.begin());
    }
  std::vector<double> weight(n_players + 1, 0.0);  // of a coalition of s players that another one joins
  for (std::uint32_t s = 0; s < n_players; ++s)
    weight[s] = s == 0 ? 1.0 / n_players : weight[s - 1] * s / (n_players - s);

  std::vector<double> shares(graph_.nodes.size() * at_a_time);
  std::vector<double> worth(n_classes * at_a_time);
  for (std::uint32_t first = 0; first < 1U << n_players; first += at_a_time) {
    const std::uint32_t n = std::min(at_a_time, (1U << n_players) - first);
    std::ranges::fill(shares, 0.0);
    std::ranges::fill(worth, 0.0);
    std::fill_n(shares.begin(), at_a_time, 1.0);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const graph::Node& node = graph_.nodes[i];
      const double* const here = shares.data() + i * at_a_time;
      for (std::uint32_t branch = node.first_branch; branch < node.first_branch + node.n_branches; ++branch)
        pass_on(conditions[branch], first, here, shares.data() + std::size_t{graph_.children[branch]} * at_a_time);
      if (node.split != SplitKind::leaf) continue;
      for (std::size_t k = 0; k < n_classes; ++k)
        if (const double share = class_shares_[i * n_classes + k]; share != 0.0)
          for (std::uint32_t c = 0; c < at_a_time; ++c) worth[k * at_a_time + c] += share * here[c];
    }
    if (first == 0)
      for (std::size_t k = 0; k < n_classes; ++k) base_values[k] += worth[k * at_a_time];
    for (std::uint32_t c = 0; c < n; ++c) {
      const std::uint32_t coalition = first + c;
      const auto size = static_cast<std::uint32_t>(std::popcount(coalition));
      for (std::uint32_t p = 0; p < n_players; ++p) {
        const double factor = (coalition >> p & 1) != 0 ? weight[size - 1] : -weight[size];
        for (std::size_t k = 0; k < n_classes; ++k)
          values[players[p] * n_classes + k] += factor * worth[k * at_a_time + c];
      }
    }
  }
}

}  // namespace weaklearn::explain
