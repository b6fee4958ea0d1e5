// Description lengths in bits: of conditions, of rules, and of the rows that some rules misclassify.
//
// Formulas, with N rows:
//   branch bits of a column   nominal: the entropy of its values; continuous: 1 + log2(number of distinct values) / 2
//   column bits               the entropy of the branch bits as shares of their sum: the cost of naming a column
//   rule bits                 sum over conditions of (column bits / redundancy + branch bits) + log2(n) - log2(n!)
//   cost of k rules           (sum of rule bits - log2(k!)) / 2 + the cost of the exceptions
// The order of conditions and of rules is not part of the message, hence the factorials. Rows weigh what they are worth
// as evidence: with factors of classes, N is the effective number of rows, and weights are scaled to sum to it.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/counted_rows.hpp"
#include "rules/logarithms.hpp"
#include "rules/ruleset.hpp"

namespace weaklearn::rules {

// `Number` is float or double, as in ErrorRates.
template <class Number>
class RuleBits {
 public:
  RuleBits(const CountedRows& rows, double redundancy);

  Number operator()(const std::vector<Condition>& conditions) const;

  Number column_bits() const { return column_bits_; }
  const std::vector<Number>& branch_bits() const { return branch_bits_; }

 private:
  std::vector<Number> branch_bits_;  // per column
  std::vector<std::uint32_t> n_values_;
  Number column_bits_ = 0;
  Number redundancy_;
};

// What a set of rules for one class covers.
struct Coverage {
  Count rows = 0;
  Count false_positives = 0;  // covered rows of another class
  Count false_negatives = 0;  // rows of the class that are not covered
};

// Returns the bits that name the misclassified rows: some of the covered rows, and some of the others.
template <class Number>
class ExceptionBits {
 public:
  explicit ExceptionBits(const CountedRows& rows)
      : rows_(rows), n_(rows.evidence(rows.total())), log2_n_(log2_of(n_)) {}

  Number operator()(const Coverage& coverage) const;

 private:
  const CountedRows& rows_;
  double n_;
  double log2_n_;
};

extern template class RuleBits<float>;
extern template class RuleBits<double>;
extern template class ExceptionBits<float>;
extern template class ExceptionBits<double>;

}  // namespace weaklearn::rules
