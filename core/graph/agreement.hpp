// How often two members of a committee predict the same class, for each pair of members.
#pragma once

#include <cstdint>
#include <span>

namespace weaklearn::graph {

// The class that each member predicts for each row, member after member.
struct MemberClasses {
  std::span<const std::int32_t> classes;  // each at least 0
  std::uint32_t n_members = 0;
  std::uint32_t n_rows = 0;
};

// Writes the weight of the rows on which two members agree for each pair, and on the diagonal the weight of
// all rows, added up in the same order: n_members x n_members numbers, symmetric. Without weights rows are
// counted.
void count_agreements(const MemberClasses& members, std::span<const double> weights, std::uint32_t n_threads,
                      double* out);

}  // namespace weaklearn::graph
