// How often two members of a committee predict the same class, for each pair of members.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weaklearn::graph {

// Returns for each pair the weight of the rows on which the two members agree, and on the diagonal the weight of all
// rows, added up in the same order: n_members x n_members numbers, symmetric. Without weights rows are counted.
// `classes` holds the class that each member predicts for each row, member after member. Throws std::invalid_argument
// if the sizes do not fit or a class is negative.
std::vector<double> count_agreements(std::span<const std::int32_t> classes, std::uint32_t n_members,
                                     std::span<const double> weights, std::uint32_t n_threads);

}  // namespace weaklearn::graph
