// separators/: oblique splits made of boosted stumps, and BoostODT trees of them.
//
// Terms:
//   stump         a function of one column that outputs -1, 0 or 1 (sign_stump.hpp)
//   separator     a weighted sum of stumps; its sign separates two groups of classes, positive and negative
//   signed weight w y: the weight w of a row, negative if the row is negative (y = -1)
//   edge          the sum of signed weight times output; boosting takes the stump of the largest edge
//   term          what one column adds to the sum of a separator; all stumps of a column are folded into one term
//
// AdaBoost for real-valued hypotheses (AdaBoostR of Nock and Nielsen) is G2 on a graph that is one path, with stumps as
// hypotheses. g2_arithmetic.hpp holds the formulas.
//
// Entry points: separator_graph and boost_stumps (this file), grow_boost_odt (grow_boost_odt.hpp).
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
  std::vector<graph::DraftTerm> terms;  // by column
  double threshold = 0.0;  // rows whose sum is above it are on the positive side
};

// Boosts at most `n_rounds` stumps. It stops early if a stump is right on all rows, or if none is better than guessing.
// `weights` and `positive` hold one element per row of `rows`.
Separator boost_stumps(const data::Dataset& dataset, const data::PresortedRows& rows, std::span<const double> weights,
                       const std::vector<bool>& positive, std::uint32_t n_rounds, tree::ThreadTeam& team);

// Returns the sum of the terms for each row, bit for bit as a graph computes it.
std::vector<double> sums(const data::Dataset& dataset, std::span<const std::uint32_t> rows,
                         std::span<const graph::DraftTerm> terms);

// Returns a tree with one split: a separator of one class from all others. It is a leaf if no column is useful.
graph::Draft separator_graph(const data::Dataset& dataset, std::span<const double> weights, std::uint32_t positive,
                             std::uint32_t n_rounds, std::uint32_t n_threads, std::vector<g2::Step>& rounds);

}  // namespace weaklearn::separators
