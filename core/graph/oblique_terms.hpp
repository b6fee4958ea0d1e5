// How an oblique split that is being grown treats a training row: bit for bit as the finished graph will.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::graph {

// Returns what a term adds to the sum of a row.
inline double added(const DraftTerm& term, const data::Dataset& dataset, std::uint32_t row) {
  const data::Column& column = dataset.columns[static_cast<std::size_t>(term.column)];
  const std::uint32_t code = data::code_of(column, row);
  if (code == column.n_codes) return term.missing;
  if (term.form == TermForm::values) return term.numbers[code];
  if (term.form == TermForm::linear) return term.numbers[0] * column.values[code];
  const auto scores = term.numbers.begin() + static_cast<std::ptrdiff_t>(term.numbers.size() / 2);
  return scores[std::lower_bound(term.numbers.begin(), scores, column.values[code]) - term.numbers.begin()];
}

// Returns whether a row takes the second branch.
inline bool is_above(std::span<const DraftTerm> terms, double threshold, const data::Dataset& dataset,
                     std::uint32_t row) {
  double sum = 0.0;
  for (const DraftTerm& term : terms) sum += added(term, dataset, row);
  return sum > threshold;
}

// Sets the influence of each term: the standard deviation of what it adds among `rows`. `weight_of(i)` is the weight of
// rows[i].
template <class WeightOf>
void note_influence(std::span<DraftTerm> terms, const data::Dataset& dataset, std::span<const std::uint32_t> rows,
                    const WeightOf& weight_of) {
  double total = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) total += weight_of(i);
  for (DraftTerm& term : terms) {
    double mean = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) mean += weight_of(i) / total * added(term, dataset, rows[i]);
    double variance = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double deviation = added(term, dataset, rows[i]) - mean;
      variance += weight_of(i) / total * deviation * deviation;
    }
    const double deviation = std::sqrt(variance);
    term.influence = std::isfinite(deviation) ? deviation : std::numeric_limits<double>::max();
  }
}

}  // namespace weaklearn::graph
