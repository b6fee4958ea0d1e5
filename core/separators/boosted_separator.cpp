#include "separators/boosted_separator.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "criteria/tolerance.hpp"
#include "data/present_rows.hpp"
#include "graph/oblique_terms.hpp"
#include "separators/sign_stump.hpp"
#include "separators/split_leaf.hpp"
#include "tree/collapse_subtrees.hpp"

namespace weaklearn::separators {
namespace {

using data::Column;
using graph::DraftTerm;

// Returns the midpoint of two adjacent values in the precision of the column. It is always below the higher value.
double cut_between(const Column& column, std::uint32_t low, std::uint32_t high) {
  double cut = column.values[low] / 2 + column.values[high] / 2;
  if (column.single_precision) cut = static_cast<float>(cut);
  return cut >= column.values[low] && cut < column.values[high] ? cut : column.values[low];
}

// Coefficients are rounded to multiples of this, so that sums of them are exact in any order. The folded terms then
// give exactly the sum of the stumps, and sums that are equal in real arithmetic are equal here, for example those of
// opposite stumps with the same coefficient.
constexpr double coefficient_unit = 1.0 / (1ULL << 40);

double round_coefficient(double coefficient) { return std::round(coefficient / coefficient_unit) * coefficient_unit; }

// Adds up the stumps of a separator by column.
class TermSums {
 public:
  explicit TermSums(const data::Dataset& dataset) : dataset_(dataset), of_column_(dataset.columns.size()) {}

  void add(const SignStump& stump, double coefficient) {
    if (stump.column == SignStump::constant) {
      constant_ += coefficient * stump.sign;
      return;
    }
    Sum& sum = of_column_[static_cast<std::size_t>(stump.column)];
    sum.used = true;
    if (stump.value_sign.empty()) {
      const Column& column = dataset_.columns[static_cast<std::size_t>(stump.column)];
      sum.first -= coefficient * stump.sign;
      sum.rises[cut_between(column, stump.low, stump.high)] += 2.0 * coefficient * stump.sign;
    } else {
      sum.scores.resize(stump.value_sign.size(), 0.0);
      for (std::size_t v = 0; v < stump.value_sign.size(); ++v) sum.scores[v] += coefficient * stump.value_sign[v];
    }
  }

  std::vector<DraftTerm> terms() const {
    std::vector<DraftTerm> result;
    for (std::size_t c = 0; c < of_column_.size(); ++c) {
      const Sum& sum = of_column_[c];
      if (!sum.used) continue;
      DraftTerm term;
      term.column = static_cast<std::int32_t>(c);
      term.form = sum.scores.empty() ? graph::TermForm::steps : graph::TermForm::values;
      term.numbers = sum.scores;
      if (sum.scores.empty()) {
        for (const auto& [cut, rise] : sum.rises) term.numbers.push_back(cut);
        double score = sum.first;
        term.numbers.push_back(score);
        for (const auto& [cut, rise] : sum.rises) term.numbers.push_back(score += rise);
      }
      result.push_back(std::move(term));
    }
    return result;
  }

  double constant() const { return constant_; }

 private:
  struct Sum {
    bool used = false;
    double first = 0.0;              // continuous: the score below all cuts
    std::map<double, double> rises;  // continuous: the rise of the score at each cut
    std::vector<double> scores;      // nominal: the score of each value
  };

  const data::Dataset& dataset_;
  std::vector<Sum> of_column_;
  double constant_ = 0.0;
};

// Returns the stump of the largest edge. Ties go to the constant, then to the lowest column.
SignStump best_stump(const data::Dataset& dataset, const data::PresortedRows& rows,
                     std::span<const double> signed_weights, tree::ThreadTeam& team,
                     std::vector<SignScratch>& scratch) {
  double sum = 0.0;
  for (const double weight : signed_weights) sum += weight;
  const auto n_columns = static_cast<std::uint32_t>(dataset.columns.size());
  std::vector<SignStump> stumps(n_columns);
  team.for_each_column(rows.rows.size(), 0, n_columns, [&](std::uint32_t c, std::uint32_t thread) {
    stumps[c] = sign_stump(dataset, rows, c, signed_weights, sum, criteria::slack, scratch[thread]);
  });
  SignStump best;
  best.edge = criteria::slack;
  if (std::abs(sum) > best.edge) {
    best.column = SignStump::constant;
    best.edge = std::abs(sum);
    best.sign = sum > 0.0 ? 1.0 : -1.0;
  }
  for (SignStump& stump : stumps)
    if (stump.column != SignStump::none && stump.edge > best.edge + criteria::slack) best = std::move(stump);
  return best;
}

}  // namespace

Separator boost_stumps(const data::Dataset& dataset, const data::PresortedRows& rows, std::span<const double> weights,
                       const std::vector<bool>& positive, std::uint32_t n_rounds, tree::ThreadTeam& team) {
  double total = 0.0;
  for (const double weight : weights) total += weight;
  std::vector<double> signed_weights(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) signed_weights[i] = (positive[i] ? weights[i] : -weights[i]) / total;

  Separator separator;
  TermSums terms(dataset);
  std::vector<double> outputs(weights.size());
  std::vector<SignScratch> scratch(team.pool.n_threads());
  for (std::uint32_t round = 0; round < n_rounds; ++round) {
    const SignStump stump = best_stump(dataset, rows, signed_weights, team, scratch);
    if (stump.column == SignStump::none) break;
    compute_outputs(stump, dataset, rows, outputs);
    g2::Step step = g2::step(signed_weights, outputs);
    step.coefficient = round_coefficient(step.coefficient);
    separator.rounds.push_back(step);
    terms.add(stump, step.coefficient);
    if (step.mu >= g2::largest_mu) break;
  }
  separator.terms = terms.terms();
  separator.threshold = 0.0 - terms.constant();  // unlike a negation, this is never -0
  graph::note_influence(separator.terms, dataset, rows.rows, [&](std::size_t i) { return weights[i]; });
  return separator;
}

std::vector<double> sums(const data::Dataset& dataset, std::span<const std::uint32_t> rows,
                         std::span<const DraftTerm> terms) {
  std::vector<double> result(rows.size(), 0.0);
  for (const DraftTerm& term : terms) {
    for (std::size_t i = 0; i < rows.size(); ++i) result[i] += graph::added(term, dataset, rows[i]);
  }
  return result;
}

graph::Draft separator_graph(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t positive,
                             std::uint32_t n_rounds, std::uint32_t n_threads, std::vector<g2::Step>& rounds) {
  tree::ThreadTeam team(n_threads);
  data::PresentRows present(dataset, weights);
  const data::PresortedRows rows = data::presort_rows(dataset, std::move(present.rows), team.pool);
  std::vector<bool> sides(rows.rows.size());
  for (std::size_t i = 0; i < sides.size(); ++i)
    sides[i] = static_cast<std::uint32_t>(dataset.classes[rows.rows[i]]) == positive;
  Separator separator = boost_stumps(dataset, rows, present.weights, sides, n_rounds, team);
  rounds = separator.rounds;

  graph::Draft draft(dataset.n_classes);
  add_leaf(draft, dataset, rows.rows, present.weights);
  if (separator.terms.empty()) return draft;
  const std::vector<double> sum = sums(dataset, rows.rows, separator.terms);
  for (std::size_t i = 0; i < sides.size(); ++i) sides[i] = sum[i] > separator.threshold;
  split_leaf(draft, 0, std::move(separator), dataset, rows.rows, present.weights, sides);
  tree::add_up_errors(draft);
  return draft;
}

}  // namespace weaklearn::separators
