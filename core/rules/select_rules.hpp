// Chooses among the rules of one class the set of least cost.
//
// Up to ten rules: all sets are tried. More rules: hill climbing from several starts, where a step adds or removes the
// rule that lowers the cost most. Release 8 draws its starts at random. In double precision start t of 0 ... 10 has the
// first t/10 of the rules by ascending error rate, so the result depends on nothing but the rows.
//
// On request, the search may also leave a local optimum. Release 8 anneals: it accepts a step that raises the cost with
// a probability that falls. In double precision this is a tabu search: the best step among the rules that were not
// changed lately, until the cost has not improved for many steps.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/coding_cost.hpp"
#include "rules/covered_groups.hpp"
#include "rules/glibc_random.hpp"
#include "rules/row_groups.hpp"

namespace weaklearn::rules {

constexpr std::size_t most_rules_tried_exhaustively = 10;
constexpr std::size_t n_starts = 11;

template <class Number>
class RuleSelection {
 public:
  using Set = std::vector<bool>;  // per rule of the class

  // `bits` holds the bits of each rule.
  RuleSelection(const CountedRows& rows, const RowGroups& groups, Count class_total, std::vector<Number> bits);

  Set try_all();
  Set climb_from(const std::vector<Set>& starts);
  Set anneal(GlibcRandom& random);
  Set tabu_search();

 private:
  // The bits of the current set of n rules without the exceptions, and its cost.
  struct State {
    Number theory = 0;
    Number cost = 0;
    Number log2_n = 0;
    Number log2_next = 0;  // log2(n + 1)
  };

  // The bits of the exceptions of some coverage. Of one class, the other counts follow from these two.
  struct KnownExceptions {
    Count rows = -1;
    Count false_positives = -1;
    Number bits = 0;
  };

  std::size_t n_rules() const { return bits_.size(); }
  Number exceptions(const Coverage& coverage) const;
  Number theory_of(const Set& set) const;
  Number cost_of(Number theory, Number exceptions) const { return static_cast<Number>(0.5 * theory + exceptions); }
  void keep_best(const Set& set, Number cost);
  State evaluate();
  Number gain(const State& state, std::uint32_t rule) const;
  void start(const Set& set);
  void climb();

  const CountedRows& rows_;
  const RowGroups& groups_;
  Count class_total_;
  std::vector<Number> bits_;
  LogFactorials<Number> log_factorial_;
  ExceptionBits<Number> exception_bits_;
  CoveredGroups covered_;
  mutable std::vector<KnownExceptions> known_;  // by a hash of the two counts; a new entry replaces an old one
  Set best_;
  Number best_cost_ = static_cast<Number>(1e10);
};

// Returns random starts as Release 8 draws them: one number per rule and start, also where it cannot matter.
std::vector<std::vector<bool>> random_starts(std::size_t n_rules, GlibcRandom& random);

// Returns for each start the rules of lowest error rate. Ties go to the lowest index.
std::vector<std::vector<bool>> starts_by_error(const std::vector<double>& errors);

extern template class RuleSelection<float>;
extern template class RuleSelection<double>;

}  // namespace weaklearn::rules
