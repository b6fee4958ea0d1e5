// Drops conditions of the rule that a path of the tree makes, as long as that makes the rule no worse.
//
// T(d) and E(d) are the rows that satisfy all remaining conditions but d, and those of another class; d = 0 leaves none
// out. A(d) = E(d) / T(d) is the observed error rate, and P(d) the pessimistic one, for the effective number of rows. A
// condition goes if one of them has P(d) <= P(0) or A(d) <= A(0), or if Fisher's test finds no influence of one of
// them. The one that goes is always the one of lowest P(d), and ties go to the last on the path.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.hpp"
#include "rules/collect_paths.hpp"
#include "rules/counted_rows.hpp"
#include "rules/error_rates.hpp"
#include "rules/fisher_test.hpp"
#include "rules/ruleset.hpp"
#include "rules/tally_rows.hpp"

namespace weaklearn::rules {

// A rule before selection.
struct PrunedRule {
  std::int32_t label = 0;
  double error = 0.0;
  std::vector<Condition> conditions;  // sorted
  std::vector<std::uint32_t> nodes;  // of the tree, one per condition
  std::vector<std::uint32_t> rows;  // that satisfy all conditions, ascending
};

// Prunes one path after the other. The rows that satisfy the conditions which a path has in common with the previous
// one are not searched again.
template <class Number>
class RulePruner {
 public:
  // `fisher` is the level above which a condition has no influence; none: the test is not made.
  RulePruner(const CountedRows& rows, const ErrorRates<Number>& rates, std::optional<Number> fisher,
             const LogFactorials<Number>& log_factorial)
      : rows_(rows), rates_(rates), fisher_(fisher), log_factorial_(log_factorial), matched_(rows.n_rows()) {}

  // Returns nothing if no condition remains, no row satisfies them, or the class itself has no higher error rate.
  std::optional<PrunedRule> prune(const Path& path);

 private:
  // What remains after a round. The rule is evaluated unless no condition remains.
  struct Round {
    Number error = 0;
    bool matches_rows = false;
    std::optional<std::size_t> drop;  // position among the remaining conditions
  };

  void enter(const Path& path);
  Round evaluate(std::int32_t label, Number class_error);
  bool has_no_influence(std::size_t condition) const;

  const CountedRows& rows_;
  const ErrorRates<Number>& rates_;
  std::optional<Number> fisher_;
  const LogFactorials<Number>& log_factorial_;

  // Describe the current path.
  const graph::Graph* tree_ = nullptr;
  std::vector<PathStep> steps_;
  std::vector<Condition> conditions_;
  std::vector<RowBits> satisfied_;
  // Describe the current round.
  std::vector<std::uint32_t> remaining_;  // positions in the path
  std::vector<const Word*> bits_;
  std::vector<Tally> tallies_;
  RowBits matched_;
};

extern template class RulePruner<float>;
extern template class RulePruner<double>;

}  // namespace weaklearn::rules
