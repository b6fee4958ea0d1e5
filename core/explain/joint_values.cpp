#include "explain/joint_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "graph/shrink_shares.hpp"

namespace weaklearn::explain {

JointValues::JointValues(const graph::Graph& graph, double vote)
    : paths_(graph),
      shares_(graph::predicted_shares(graph)),
      quadrature_(static_cast<std::uint32_t>(tested_columns(graph).size() + 1) / 2) {
  for (double& share : shares_) share *= vote;
}

std::optional<JointValues::Joint> JointValues::multiply_out(const std::vector<Condition>& conditions) const {
  Joint joint;
  for (const Condition& condition : conditions)
    joint.columns.insert(joint.columns.end(), condition.columns.begin(), condition.columns.end());
  std::ranges::sort(joint.columns);
  joint.columns.erase(std::unique(joint.columns.begin(), joint.columns.end()), joint.columns.end());

  using Set = std::vector<std::uint64_t>;  // bits, in the order of joint.columns
  const std::size_t n_words = joint.columns.size() / 64 + 1;
  std::map<Set, double> unions{{Set(n_words, 0), 1.0}};
  for (const Condition& condition : conditions) {
    Set set(n_words, 0);
    for (const std::uint32_t column : condition.columns) {
      const auto bit =
          static_cast<std::size_t>(std::ranges::lower_bound(joint.columns, column) - joint.columns.begin());
      set[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
    std::map<Set, double> next;
    for (const auto& [before, coefficient] : unions) {
      Set with = before;
      for (std::size_t w = 0; w < n_words; ++w) with[w] |= set[w];
      if (with == before) {
        next[with] += coefficient * condition.hot;
        continue;
      }
      if (condition.cold != 0.0) next[before] += coefficient * condition.cold;
      if (condition.hot != condition.cold) next[with] += coefficient * (condition.hot - condition.cold);
    }
    unions = std::move(next);
    if (unions.size() > most_unions) return std::nullopt;
  }

  const auto n_columns = static_cast<std::uint32_t>(joint.columns.size());
  joint.coefficients.assign(std::size_t{n_columns} + 1, 0.0);
  joint.of_column.assign(n_columns, joint.coefficients);
  for (const auto& [set, coefficient] : unions) {
    std::size_t n_in = 0;
    for (const std::uint64_t word : set) n_in += static_cast<std::size_t>(std::popcount(word));
    joint.coefficients[n_in] += coefficient;
    for (std::uint32_t c = 0; c < n_columns; ++c)
      if ((set[c / 64] >> c % 64 & 1) != 0) joint.of_column[c][n_in] += coefficient;
  }
  return joint;
}

namespace {

// Returns the sum of coefficients[s] t^(s - lower).
double polynomial(const std::vector<double>& coefficients, double t, std::size_t lower) {
  double result = 0.0;
  for (std::size_t s = coefficients.size(); s-- > lower;) result = result * t + coefficients[s];
  return result;
}

}  // namespace

bool JointValues::add_leaf(std::uint32_t node, const std::vector<Condition>& path, double* values,
                           double* base_values) const {
  const std::size_t n_classes = paths_.graph.n_classes;
  double constant = 1.0;
  double empty = 1.0;
  std::map<std::vector<std::uint32_t>, Condition> merged;
  for (const Condition& condition : path) {
    if (condition.columns.empty()) {
      constant *= condition.hot;
      continue;
    }
    empty *= condition.cold;
    Condition& same = merged[condition.columns];
    same.columns = condition.columns;
    same.hot *= condition.hot;
    same.cold *= condition.cold;
  }
  if (constant == 0.0) return true;
  std::vector<bool> is_joint(paths_.graph.columns.size(), false);
  for (const auto& [columns, condition] : merged) {
    if (condition.hot == 0.0 && condition.cold == 0.0) return true;  // no coalition comes here
    for (const std::uint32_t column : columns)
      if (columns.size() > 1) is_joint[column] = true;
  }
  std::vector<Condition> single;
  std::vector<Condition> connected;
  for (const auto& [columns, condition] : merged) (is_joint[columns[0]] ? connected : single).push_back(condition);
  const std::optional<Joint> multiplied = multiply_out(connected);
  if (!multiplied) return false;
  const Joint& joint = *multiplied;

  const auto add = [&](std::uint32_t column, double gain) {
    for (std::size_t k = 0; k < n_classes; ++k) values[column * n_classes + k] += gain * shares_[node * n_classes + k];
  };
  for (std::size_t q = 0; q < quadrature_.t.size(); ++q) {
    const double t = quadrature_.t[q];
    const auto factor = [&](const Condition& condition) {
      return t * condition.hot + quadrature_.rest[q] * condition.cold;
    };
    double product = constant * quadrature_.weight[q];
    for (const Condition& condition : single) product *= factor(condition);
    const double of_joint = polynomial(joint.coefficients, t, 0);
    for (const Condition& condition : single)
      add(condition.columns[0], (condition.hot - condition.cold) * (product / factor(condition)) * of_joint);
    for (std::size_t c = 0; c < joint.columns.size(); ++c)
      add(joint.columns[c], product * polynomial(joint.of_column[c], t, 1));
  }
  for (std::size_t k = 0; k < n_classes; ++k) base_values[k] += constant * empty * shares_[node * n_classes + k];
  return true;
}

bool JointValues::explain(const double* row, double* values, double* base_values) const {
  std::vector<Condition> path;
  for (const Edge& edge : paths_.edges) {
    path.resize(edge.level - 1);
    path.push_back(condition_of(paths_.graph, edge.split, edge.branch, edge.share, row));
    if (paths_.graph.is_leaf(edge.node) && !add_leaf(edge.node, path, values, base_values)) return false;
  }
  return true;
}

}  // namespace weaklearn::explain
