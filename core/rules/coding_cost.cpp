#include "rules/coding_cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <variant>

namespace weaklearn::rules {
namespace {

// Returns the count of each code of a column, then that of missing values.
std::vector<Count> counts_of_codes(const CountedRows& rows, const data::Column& column) {
  std::vector<Count> counts(column.n_codes + std::size_t{1}, 0);
  std::visit(
      [&](const auto& codes) {
        for (std::uint32_t row = 0; row < rows.n_rows(); ++row) counts[codes[row]] += rows.count_of(row);
      },
      column.codes);
  return counts;
}

template <class Number>
Number bits_of_nominal(const CountedRows& rows, const data::Column& column) {
  if (column.n_codes < 2) return 0;  // such a column cannot be split
  std::vector<Count> counts = counts_of_codes(rows, column);
  counts.pop_back();
  const double n = rows.weight(rows.total());
  const Number log_n = static_cast<Number>(log2_of(n));
  Number bits = 0;
  for (const Count count : counts) {
    if (count == 0) continue;
    const double weight = rows.weight(count);
    const Number log_difference = log_n - static_cast<Number>(log2_of(weight));
    bits = static_cast<Number>(bits + weight / n * log_difference);
  }
  return bits;
}

// A missing value counts as one more distinct value, as in the original.
template <class Number>
Number bits_of_continuous(const CountedRows& rows, const data::Column& column) {
  const std::vector<Count> counts = counts_of_codes(rows, column);
  const auto n_distinct = counts.size() - static_cast<std::size_t>(std::ranges::count(counts, Count{0}));
  if (n_distinct < 2) return 0;
  return 1 + static_cast<Number>(log2_of(static_cast<double>(n_distinct))) / 2;
}

// Returns the bits that name `errors` of `n` rows if `expected` errors are expected.
template <class Number>
Number bits_of_errors(double n, double errors, Number expected) {
  constexpr double none = 1e-6;
  constexpr Number impossible = 1e6;
  if (expected <= none) return errors <= none ? 0 : impossible;
  if (expected >= n - none) return errors >= n - none ? 0 : impossible;
  const Number rate = expected / static_cast<Number>(n);
  const Number other = 1 - rate;
  return static_cast<Number>(-errors * log2_of(rate) - (n - errors) * log2_of(other));
}

}  // namespace

template <class Number>
RuleBits<Number>::RuleBits(const CountedRows& rows, double redundancy) : redundancy_(static_cast<Number>(redundancy)) {
  Number sum = 0;
  for (const data::Column& column : rows.dataset().columns) {
    branch_bits_.push_back(column.nominal ? bits_of_nominal<Number>(rows, column)
                                          : bits_of_continuous<Number>(rows, column));
    n_values_.push_back(column.n_codes);
    sum += branch_bits_.back();
  }
  for (const Number bits : branch_bits_) {
    const Number share = bits / sum;
    if (bits > 0 && share > 0) column_bits_ = static_cast<Number>(column_bits_ - share * log2_of(share));
  }
}

template <class Number>
Number RuleBits<Number>::operator()(const std::vector<Condition>& conditions) const {
  Number bits = 0;
  for (const Condition& condition : conditions) {
    const bool is_set = condition.kind == ConditionKind::one_of;
    const Number branch = is_set ? static_cast<Number>(n_values_[condition.column]) : branch_bits_[condition.column];
    bits += column_bits_ / redundancy_ + branch;
  }
  const std::size_t n = conditions.size();
  if (n < 2) return bits;
  return static_cast<Number>(bits + static_cast<Number>(log2_of(static_cast<double>(n))) - LogFactorials<Number>(n)(n));
}

template <class Number>
Number ExceptionBits<Number>::operator()(const Coverage& coverage) const {
  const double covered = rows_.evidence(coverage.rows);
  const double false_positives = rows_.evidence(coverage.false_positives);
  const double false_negatives = rows_.evidence(coverage.false_negatives);
  const double mean = 0.5 * (false_positives + false_negatives);
  const bool most = rows_.is_more(covered, n_ / 2);
  const auto in_covered = static_cast<Number>(most ? mean : false_positives);
  const auto in_others = static_cast<Number>(most ? false_negatives : mean);
  return static_cast<Number>(log2_n_ + bits_of_errors(covered, false_positives, in_covered) +
                             bits_of_errors(rows_.evidence(rows_.total() - coverage.rows), false_negatives, in_others));
}

template class RuleBits<float>;
template class RuleBits<double>;
template class ExceptionBits<float>;
template class ExceptionBits<double>;

}  // namespace weaklearn::rules
