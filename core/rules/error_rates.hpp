// Error rates of rules, in the arithmetic of the original program (float) or in double precision.
#pragma once

#include <cstdint>
#include <type_traits>

#include "release8/pessimistic_errors.hpp"
#include "rules/counted_rows.hpp"
#include "rules/tally_rows.hpp"
#include "tree/pessimistic_errors.hpp"

namespace weaklearn::rules {

// `Number` is float or double. Every conversion to it is a place where the original rounds to float32.
template <class Number>
class ErrorRates {
  static constexpr bool is_release8 = std::is_same_v<Number, float>;
  using PessimisticErrors = std::conditional_t<is_release8, release8::PessimisticErrors, tree::PessimisticErrors>;

 public:
  ErrorRates(const CountedRows& rows, double confidence) : rows_(rows), errors_(make_errors(confidence)) {}

  // Returns the error rate of predicting a class for every row.
  Number of_class(std::int32_t label) const {
    const double own = rows_.evidence(rows_.class_total(label));
    return static_cast<Number>(1.0 - (own + 1.0) / (rows_.evidence(rows_.total()) + 2.0));
  }

  Number observed(const Tally& tally) const {
    if (tally.rows == 0) return 0;
    return static_cast<Number>(rows_.weight(tally.errors)) / static_cast<Number>(rows_.weight(tally.rows));
  }

  // Returns the rate for the effective number of rows. `if_none` is the rate of a rule that matches no row.
  Number pessimistic(const Tally& tally, Number if_none) const {
    if (tally.rows == 0) return if_none;
    const double weight = rows_.weight(tally.rows);
    const double effective = rows_.effective_rows(tally.rows, tally.squares);
    const double errors = rows_.weight(tally.errors);
    const auto n = static_cast<Number>(effective);
    const auto e = static_cast<Number>(effective == weight ? errors : effective * (errors / weight));
    if constexpr (is_release8)
      return (e + errors_(n, e)) / n;
    else
      return errors_.total(n, e) / n;
  }

 private:
  static PessimisticErrors make_errors(double confidence) {
    if constexpr (is_release8)
      return PessimisticErrors(release8::percent_of(confidence));
    else
      return PessimisticErrors(confidence);
  }

  const CountedRows& rows_;
  PessimisticErrors errors_;
};

}  // namespace weaklearn::rules
