// All learners that fit a graph, by name.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fit/fit_c45.hpp"
#include "fit/fit_oblique.hpp"
#include "fit/fit_program.hpp"
#include "fit/fit_separators.hpp"
#include "fit/fit_stump.hpp"
#include "fit/fit_topdown.hpp"

namespace weaklearn::tests {

// Takes a dataset, the weights of its rows, and the number of threads.
using Fit = std::function<graph::Graph(const data::Dataset&, std::span<const double>, std::uint32_t)>;

inline const std::vector<std::pair<std::string, Fit>>& learners() {
  static const std::vector<std::pair<std::string, Fit>> all = {
      {"c45",
       [](const auto& dataset, auto weights, std::uint32_t n_threads) {
         fit::C45FitOptions options;
         options.tree.n_threads = n_threads;
         return fit::fit_c45(dataset, weights, options);
       }},
      {"c45 with subsets, shrinkage and missing branches",
       [](const auto& dataset, auto weights, std::uint32_t n_threads) {
         fit::C45FitOptions options;
         options.tree.search.subset = true;
         options.tree.search.missing_takes_branch = true;
         options.shrinkage = 2.0;
         options.limits.max_leaves = 9;
         options.tree.n_threads = n_threads;
         return fit::fit_c45(dataset, weights, options);
       }},
      {"release8",
       [](const auto& dataset, auto weights, std::uint32_t) {
         fit::C45FitOptions options;
         options.release8 = true;
         options.tree.search.subset = true;
         return fit::fit_c45(dataset, weights, options);
       }},
      {"stump", [](const auto& dataset, auto weights,
                   std::uint32_t n_threads) { return fit::fit_stump(dataset, weights, n_threads); }},
      {"topdown",
       [](const auto& dataset, auto weights, std::uint32_t n_threads) {
         return fit::fit_topdown(dataset, weights, {.two_groups = true, .n_threads = n_threads}, {});
       }},
      {"program",
       [](const auto& dataset, auto weights, std::uint32_t n_threads) {
         program::ProgramOptions options;
         options.merge_rule = "budget";
         options.max_levels = 6;
         options.n_threads = n_threads;
         return fit::fit_program(dataset, weights, options, {}).graph;
       }},
      {"oc1",
       [](const auto& dataset, auto weights, std::uint32_t n_threads) {
         return fit::fit_oc1(dataset, weights, {.tree = {.max_depth = 3}, .n_restarts = 2, .n_threads = n_threads});
       }},
      {"sadt",
       [](const auto& dataset, auto weights, std::uint32_t) {
         oblique::SadtOptions options;
         options.tree.max_depth = 2;
         options.cooling.patience = 50;
         return fit::fit_sadt(dataset, weights, options);
       }},
      {"separator",
       [](const auto& dataset, auto weights, std::uint32_t n_threads) {
         return fit::fit_separator(dataset, weights, 1, 6, n_threads).graph;
       }},
      {"boost_odt",
       [](const auto& dataset, auto weights, std::uint32_t n_threads) {
         return fit::fit_boost_odt(dataset, weights, {.n_stumps = 4, .max_depth = 2, .n_threads = n_threads}, {});
       }},
  };
  return all;
}

}  // namespace weaklearn::tests
