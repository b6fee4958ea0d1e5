// A scan of a value table: all rows of a value move below the cut at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "splits/node_view.hpp"

namespace weaklearn::splits {

// Returns a step for each value that occurs, up to the first step whose weight below the cut is greater than `highest`.
// Impurities are valid only where the weight below is within the bounds.
template <class Weights>
class TableScan {
 public:
  using Count = typename Weights::Count;

  TableScan(const Weights& weights, Sides<Count>& sides, Count lowest, Count highest)
      : weights_(weights), sides_(sides), lowest_(lowest), highest_(highest) {}

  std::span<const TableStep<Count>> steps(std::span<const Count> cells, std::uint32_t n_codes, std::size_t n_local) {
    sides_.steps.clear();
    constexpr bool all_at_once = !Weights::unit && Weights::additive;
    if constexpr (all_at_once) sides_.reserve(cells.size() + n_codes);
    Count low = sides_.low_weight;
    for (std::uint32_t code = 0; code < n_codes && low <= highest_; ++code) {
      const std::span<const Count> row = cells.subspan(code * n_local, n_local);
      Count weight = 0;
      for (const Count x : row) weight += x;
      if (weight == 0) continue;
      low += weight;
      sides_.steps.push_back({code, low, 0.0});
      if constexpr (all_at_once)
        move_weights(row, sides_.steps.back());
      else
        move(row, sides_.steps.back());
    }
    if constexpr (all_at_once) add_up_weights();
    return sides_.steps;
  }

 private:
  void move(std::span<const Count> row, TableStep<Count>& step) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      if constexpr (Weights::unit) {
        sides_.low[k] += row[k];
        sides_.high[k] -= row[k];
      } else if (row[k] != 0.0) {
        sides_.move(k, row[k]);
      }
    }
    if (step.low < lowest_ || step.low > highest_) return;
    if constexpr (Weights::additive)
      step.impurity = weights_.impurity(sum_of_terms(sides_.low), step.low) +
                      weights_.impurity(sum_of_terms(sides_.high), sides_.known - step.low);
    else
      step.impurity = weights_.criterion.of(sides_.low, step.low) +
                      weights_.criterion.of(sides_.high, std::max(sides_.known - step.low, 0.0));
  }

  // Uses several sums, because each addition waits for the one before.
  double sum_of_terms(std::span<const Count> counts) const {
    double sums[4] = {};
    std::size_t k = 0;
    for (; k + 4 <= counts.size(); k += 4)
      for (std::size_t i = 0; i < 4; ++i) sums[i] += weights_.term(counts[k + i]);
    for (; k < counts.size(); ++k) sums[0] += weights_.term(counts[k]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  // Records the weights that change, below and above. Their terms are computed in bulk at the end. Weights that do not
  // change are written, too, and then overwritten: a branch would be predicted wrongly too often.
  void move_weights(std::span<const Count> row, TableStep<Count>& step) {
    double* const low = sides_.low.data();
    double* const high = sides_.high.data();
    std::uint32_t n = n_changed_;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double w = row[k];
      low[k] += w;
      high[k] = std::max(high[k] - w, 0.0);
      if constexpr (!Weights::forgives_rounding) {
        sides_.rows_above[k] -= w != 0.0;
        high[k] = sides_.rows_above[k] == 0 ? 0.0 : high[k];
      }
      sides_.changed_class[n] = static_cast<std::uint32_t>(k);
      sides_.changed[2 * n] = low[k];
      sides_.changed[2 * n + 1] = high[k];
      n += w != 0.0;
    }
    n_changed_ = n;
    step.end = n;
  }

  void add_up_weights() {
    auto& steps = sides_.steps;
    auto& changed = sides_.changed;
    const std::size_t n_changed = 2 * std::size_t{n_changed_};
    for (std::size_t s = 0; s < steps.size(); ++s) {
      changed[n_changed + 2 * s] = steps[s].low;
      changed[n_changed + 2 * s + 1] = std::max(sides_.known - steps[s].low, 0.0);
    }
    const std::size_t n_all = n_changed + 2 * steps.size();
    Weights::Criterion::terms(changed.data(), Weights::Criterion::total_is_term ? n_all : n_changed);
    double low_sum = sides_.low_sum;
    double high_sum = sides_.high_sum;
    std::uint32_t i = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (; i < steps[s].end; ++i) {
        const std::uint32_t k = sides_.changed_class[i];
        low_sum += changed[2 * i] - sides_.low_term[k];
        high_sum += changed[2 * i + 1] - sides_.high_term[k];
        sides_.low_term[k] = changed[2 * i];
        sides_.high_term[k] = changed[2 * i + 1];
      }
      if constexpr (!Weights::Criterion::carries_sums) {
        low_sum = sum_of(sides_.low_term);
        high_sum = sum_of(sides_.high_term);
      }
      steps[s].impurity = weights_.impurity_of(low_sum, changed[n_changed + 2 * s]) +
                          weights_.impurity_of(high_sum, changed[n_changed + 2 * s + 1]);
    }
  }

  const Weights& weights_;
  Sides<Count>& sides_;
  Count lowest_;
  Count highest_;
  std::uint32_t n_changed_ = 0;  // recorded changes: pairs of a value and a class
};

// The cuts of a table of two classes. A cut lies after each value that occurs, but not after the last. No weight is
// below the first cut. The totals of `sides` are the sums of the cells, unless they come from the whole node, so a
// class that is gone has weight 0 above.
template <class Weights>
class TwoClassTable {
 public:
  using Count = typename Weights::Count;

  TwoClassTable(const Weights& weights, Sides<Count>& sides, std::span<const Count> cells, std::uint32_t n_codes) {
    sides.reserve(4 * std::size_t{n_codes});  // makes room for eight numbers per code
    std::uint32_t* const codes = sides.changed_class.data();
    impurity_ = sides.changed.data();
    if constexpr (Weights::unit) {
      Count* const first = codes + n_codes;
      Count* const second = codes + 2 * std::size_t{n_codes};
      Count* const low = codes + 3 * std::size_t{n_codes};
      add_up(cells, n_codes, codes, first, second, low);
      // Asking for each term whether it is in the table would take as long as adding up.
      if (const double* const terms = weights.table.terms_up_to(sides.known); terms != nullptr)
        compute_impurities(weights, sides, first, second, low, [terms](Count x) { return terms[x]; });
      else
        compute_impurities(weights, sides, first, second, low, [&weights](Count x) { return weights.term(x); });
    } else {
      double* arrays[7];
      for (std::size_t a = 0; a < 7; ++a) arrays[a] = sides.changed.data() + (a + 1) * n_codes;
      const auto [first, second, first_above, second_above, below, above, low] = arrays;
      add_up(cells, n_codes, codes, first, second, low);
      const double all[2] = {sides.high[0], sides.high[1]};
      for (std::size_t i = 0; i < n_cuts_; ++i) {
        first_above[i] = std::max(all[0] - first[i], 0.0);
        second_above[i] = std::max(all[1] - second[i], 0.0);
        below[i] = low[i];
        above[i] = first_above[i] + second_above[i];
      }
      using C = typename Weights::Criterion;
      for (std::size_t a = 0; a < (C::total_is_term ? 6 : 4); ++a) C::terms(arrays[a], n_cuts_);
      for (std::size_t i = 0; i < n_cuts_; ++i)
        impurity_[i] = weights.impurity_of(first[i] + second[i], below[i]) +
                       weights.impurity_of(first_above[i] + second_above[i], above[i]);
    }
  }

  std::size_t n_cuts() const { return n_cuts_; }
  std::uint32_t code(std::size_t i) const { return codes_[i]; }  // the code before cut i; that of i + 1 is after it
  Count low(std::size_t i) const { return low_[i]; }  // the weight below cut i
  const double* impurities() const { return impurity_; }  // per cut

 private:
  // Adds up the weights of the two classes and of both, below each cut.
  void add_up(std::span<const Count> cells, std::uint32_t n_codes, std::uint32_t* codes, Count* first, Count* second,
              Count* low) {
    Count sums[2] = {};
    std::size_t n = 0;
    for (std::uint32_t code = 0; code < n_codes; ++code) {
      const Count x = cells[2 * std::size_t{code}];
      const Count y = cells[2 * std::size_t{code} + 1];
      first[n] = sums[0] += x;
      second[n] = sums[1] += y;
      low[n] = sums[0] + sums[1];
      codes[n] = code;
      n += (x != 0) | (y != 0);
    }
    n_cuts_ = n > 0 ? n - 1 : 0;
    codes_ = codes;
    low_ = low;
  }

  // Computes the impurities of all cuts from counts.
  template <class Term>
  void compute_impurities(const Weights& weights, const Sides<Count>& sides, const Count* first, const Count* second,
                          const Count* low, const Term& term) {
    const Count high[2] = {sides.high[0], sides.high[1]};
    const Count known = sides.known;
    const auto impurity = [&](double sum, Count n) {
      if constexpr (Weights::Criterion::total_is_term)
        return term(n) - sum;
      else
        return weights.impurity(sum, n);
    };
    for (std::size_t i = 0; i < n_cuts_; ++i)
      impurity_[i] = impurity(term(first[i]) + term(second[i]), low[i]) +
                     impurity(term(high[0] - first[i]) + term(high[1] - second[i]), known - low[i]);
  }

  const std::uint32_t* codes_ = nullptr;
  const Count* low_ = nullptr;
  double* impurity_;
  std::size_t n_cuts_ = 0;
};

}  // namespace weaklearn::splits
