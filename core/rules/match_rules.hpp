// Finds the rules that match rows.
//
// Every different condition of a ruleset is evaluated once for a block of rows. A rule matches the rows that are in the
// sets of all its conditions.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/forest.hpp"
#include "rules/row_bits.hpp"
#include "rules/ruleset.hpp"

namespace weaklearn::rules {

// The rules that match each row in CSR form: row i has rules[row_start[i] .. row_start[i + 1]), in the order of the
// ruleset.
struct Matches {
  std::vector<std::int64_t> row_start;
  std::vector<std::int32_t> rules;
};

class Matcher {
 public:
  // The ruleset must be valid (Ruleset::problem() is empty).
  explicit Matcher(const Ruleset& ruleset);

  const std::vector<graph::ColumnType>& columns() const { return columns_; }
  bool needs_numbers(std::size_t column) const { return needs_numbers_[column]; }

  // Writes per row the position of the first rule that matches it, or -1.
  void first_match(const graph::InputRows& rows, std::int32_t* first) const;
  Matches all_matches(const graph::InputRows& rows) const;

 private:
  using Block = std::vector<Word>;  // words_per_block words per different condition

  void evaluate(const graph::InputRows& rows, std::uint32_t first_row, std::uint32_t n_rows, Block& block) const;
  // Returns the rows of a word, among `candidates`, that a rule matches.
  Word matched(std::size_t rule, std::size_t word, Word candidates, const Block& block) const;
  template <class Use>
  void for_each_block(const graph::InputRows& rows, const Use& use) const;

  std::vector<graph::ColumnType> columns_;
  std::vector<bool> needs_numbers_;
  std::vector<Condition> conditions_;  // different from each other
  std::vector<std::uint32_t> first_;  // conditions of rule r: used_[first_[r] .. first_[r + 1])
  std::vector<std::uint32_t> used_;
  std::vector<bool> never_matches_;  // per rule
};

}  // namespace weaklearn::rules
