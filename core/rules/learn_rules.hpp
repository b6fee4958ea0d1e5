// Makes a ruleset of trees by the steps of C4.5rules. The original starts from one unpruned tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "graph/graph.hpp"
#include "rules/ruleset.hpp"

namespace weaklearn::rules {

struct Options {
  double confidence = 0.25;      // of the pessimistic error rates, a share (option -c of the original: a percentage)
  std::optional<double> fisher = std::nullopt;  // the level of Fisher's test, a share (-F: a percentage)
  double redundancy = 1.0;       // divides the bits that name the column of a condition (-r)
  bool annealing = false;        // search that can leave local optima, for classes with more than ten rules (-a)
  bool release8 = false;         // the float32 arithmetic, the random numbers and the defects of the original
  // Per class its relative weight, contained in the weights of the rows already; empty if rows weigh what they count.
  std::vector<double> class_factors = {};
  std::uint32_t n_threads = 1;
};

// Several trees, such as a committee, can have very many rules. Only the rules of lowest error of each class are kept.
constexpr std::size_t most_rules_of_class = 1000;

// `trees` are one or several trees or programs for the columns of the dataset, without oblique splits. `weights` holds
// one weight per row. Rows of weight 0 are absent. Throws std::invalid_argument if Fisher's test is to be made with
// weights that are not whole numbers or with factors of classes.
Ruleset learn_rules(const data::Dataset& dataset, std::span<const double> weights,
                    std::span<const graph::Graph* const> trees, const Options& options);

}  // namespace weaklearn::rules
