// AdaBoost for real-valued hypotheses (AdaBoostR of Nock and Nielsen): G2 on a graph that is one path, with
// stumps. Its sum of stumps is folded into one term per attribute, the condition of an oblique test.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "data/presorted_rows.hpp"
#include "graph/draft.hpp"
#include "separators/g2_arithmetic.hpp"
#include "tree/thread_team.hpp"

namespace weaklearn::separators {

struct Separator {
  std::vector<g2::Step> rounds;
  std::vector<graph::DraftTerm> terms;  // by attribute
  double threshold = 0.0;               // the sum of the terms is above it on the positive side
};

// At most `n_rounds` stumps; fewer where one is right on all rows, or none is better than guessing. Per row a
// weight, and whether it is positive.
Separator boost_stumps(const data::Dataset& dataset, const data::PresortedRows& rows, std::span<const double> weights,
                       const std::vector<bool>& positive, std::uint32_t n_rounds, tree::ThreadTeam& team);

// Per row the sum of the terms, bit for bit as a graph adds it up.
std::vector<double> sums(const data::Dataset& dataset, std::span<const std::uint32_t> rows,
                         std::span<const graph::DraftTerm> terms);

// A graph of one test: the classes on both sides of a separator of one class from the others; a leaf where no
// attribute is of use.
graph::Draft separator_graph(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t positive,
                             std::uint32_t n_rounds, std::uint32_t n_threads, std::vector<g2::Step>& rounds);

}  // namespace weaklearn::separators
