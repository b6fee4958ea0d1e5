// Counts the rows that satisfy all conditions of a rule, and those that fail a single one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rules/counted_rows.hpp"
#include "rules/row_bits.hpp"
#include "rules/ruleset.hpp"

namespace weaklearn::rules {

struct Tally {
  Count rows = 0;
  Count errors = 0;  // rows of another class
  Count squares = 0;  // the sum of CountedRows::squares; 0 without factors of classes
};

// `conditions` holds the rows that satisfy each condition. Sets tallies[0] to the rows that satisfy all of them, and
// tallies[1 + i] to the rows that satisfy all but condition i. Writes the first set of rows to `matched`.
void tally_rows(const CountedRows& rows, std::int32_t label, std::span<const Word* const> conditions,
                std::span<Tally> tallies, RowBits& matched);

// Writes the rows that satisfy a condition.
void find_rows(const CountedRows& rows, const Condition& condition, RowBits& satisfied);

}  // namespace weaklearn::rules
