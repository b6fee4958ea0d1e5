// Sets of the rows of a block, one bit per row, and loops over arrays of sets. All of them are compiled for wide
// registers as well (parallel/simd.hpp); they only combine bits, so that every machine has the same result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weaklearn::graph {

using Word = std::uint64_t;
constexpr std::uint32_t rows_per_word = 64;
constexpr std::uint32_t words_per_set = 8;
constexpr std::uint32_t rows_per_set = rows_per_word * words_per_set;

// A set; row i is bit i % 64 of word i / 64.
struct alignas(64) RowSet {
  Word words[words_per_set] = {};
};

// A split in two. Of the rows that come to step i, whose set is at place i & ring, those of the set `condition` go to
// the place `right` and the others to `left`.
struct SetStep {
  std::uint32_t condition = 0;
  std::uint16_t left = 0;
  std::uint16_t right = 0;
};

// Consecutive sets, up to `end`, whose rows get the same label.
struct LabelledSets {
  std::uint32_t label = 0;
  std::uint32_t end = 0;
};

// Inserts row i into the set places[i], for rows [0, n_rows).
void insert_rows(const std::uint32_t* places, std::uint32_t n_rows, RowSet* sets);

// Adds to each set all sets that follow it.
void add_following(RowSet* sets, std::size_t n);

// Writes the union of the sets at these places to `out`.
void unite(const RowSet* sets, std::span<const std::uint32_t> places, RowSet& out);

// Takes rows through all steps. The rows of the root are at place 0.
void take_steps(std::span<const SetStep> steps, std::uint32_t ring, const RowSet* conditions, RowSet* sets);

// The same where values may be missing: rows of the set missing[i] do not go on from step i. They are added to
// `stopped`.
void take_steps_or_stop(std::span<const SetStep> steps, std::span<const std::uint32_t> missing, std::uint32_t ring,
                        const RowSet* conditions, RowSet* sets, RowSet& stopped);

// Writes for each row which of `n` disjoint sets has it, 0 if none has. At most 65,536 sets, which are overwritten. The
// array must have three more.
void write_indices(RowSet* sets, std::size_t n, std::uint16_t* indices);

// Writes for each row the label of the set that has it, 0 if none has. Sets are disjoint and labels below 256.
void write_labels(const RowSet* sets, std::span<const LabelledSets> groups, std::uint8_t* labels);

}  // namespace weaklearn::graph
