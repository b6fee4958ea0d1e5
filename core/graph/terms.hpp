// What an oblique test in the making says of a row of the training data, to the bit as the finished graph will.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "graph/builder.hpp"

namespace weaklearn::graph {

// What a term adds to the sum of a row.
inline double added(const DraftTerm& term, const data::Dataset& dataset, std::uint32_t row) {
  const data::Column& column = dataset.columns[static_cast<std::size_t>(term.attribute)];
  const std::uint32_t code = data::code_of(column, row);
  if (code == column.n_codes) return term.unknown;
  if (term.form == Form::values) return term.numbers[code];
  if (term.form == Form::linear) return term.numbers[0] * column.values[code];
  const auto scores = term.numbers.begin() + static_cast<std::ptrdiff_t>(term.numbers.size() / 2);
  return scores[std::lower_bound(term.numbers.begin(), scores, column.values[code]) - term.numbers.begin()];
}

// Whether a row takes the second branch.
inline bool is_above(std::span<const DraftTerm> terms, double threshold, const data::Dataset& dataset,
                     std::uint32_t row) {
  double sum = 0.0;
  for (const DraftTerm& term : terms) sum += added(term, dataset, row);
  return sum > threshold;
}

}  // namespace weaklearn::graph
