// The arrays of a table and the options of a learner: they are refused, or the model is valid and predicts.
#include <string>

#include "data/encode_dataset.hpp"
#include "fit/fit_c45.hpp"
#include "fit/fit_oblique.hpp"
#include "fit/fit_program.hpp"
#include "fit/fit_rules.hpp"
#include "fit/fit_separators.hpp"
#include "fit/fit_stump.hpp"
#include "fit/fit_topdown.hpp"
#include "use_graph.hpp"

using namespace weaklearn;

namespace {

struct Table {
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<data::RawColumn> columns;
};

Table read_table(fuzz::BytesIn& in, std::size_t n_rows) {
  Table table;
  const std::uint32_t n_columns = in.below(7);
  table.numbers.resize(n_columns);
  table.codes.resize(n_columns);
  for (std::uint32_t c = 0; c < n_columns; ++c) {
    data::RawColumn column;
    column.nominal = in.flag();
    column.exact = in.flag();
    column.n_values = in.below(70);
    if (column.nominal) {
      in.list(table.codes[c]);
      table.codes[c].resize(n_rows);
      column.codes = table.codes[c];
    } else {
      in.list(table.numbers[c]);
      table.numbers[c].resize(n_rows);
      column.numbers = {table.numbers[c].data(), 1};
    }
    column.n_rows = n_rows;
    table.columns.push_back(column);
  }
  return table;
}

graph::Graph learn(fuzz::BytesIn& in, const data::Dataset& dataset, std::span<const double> weights) {
  const std::string names[] = {"entropy", "gini", "km", "error", ""};
  const std::string criterion = names[in.below(std::size(names))];
  const double min_objects = in.number<float>();
  const fit::PruningOptions pruning{in.flag(), in.number<float>()};
  switch (in.below(9)) {
    case 0:
      return fit::fit_stump(dataset, weights, 1);
    case 1: {
      tree::TopDownOptions options{.criterion = {criterion, {}}, .n_rounds = in.below(40), .min_objects = min_objects};
      options.two_groups = in.flag();
      options.missing_takes_branch = in.flag();
      return fit::fit_topdown(dataset, weights, options, pruning, in.number<float>());
    }
    case 2: {
      program::ProgramOptions options;
      options.criterion = {criterion, {}};
      const std::vector<std::string> rules = fit::merge_rule_names();
      options.merge_rule = rules[in.below(static_cast<std::uint32_t>(rules.size()))];
      options.max_levels = in.below(12);
      options.split_without_gain = in.flag();
      options.min_objects = min_objects;
      options.missing_takes_branch = in.flag();
      return fit::fit_program(dataset, weights, options, pruning).graph;
    }
    case 3:
      return fit::fit_oc1(dataset, weights, {.tree = {.validation_share = in.number<float>()}, .n_restarts = 2});
    case 4:
      return fit::fit_separator(dataset, weights, in.below(4), in.below(12), 1).graph;
    case 5:
      return fit::fit_boost_odt(dataset, weights, {.n_stumps = in.below(6), .max_depth = in.below(4)}, pruning);
    default: {
      fit::C45FitOptions options;
      options.tree.criterion = {criterion, {}};
      options.tree.search.min_objects = min_objects;
      options.tree.search.subset = in.flag();
      options.tree.search.random_splits = in.flag();
      options.tree.search.missing_takes_branch = in.flag();
      options.tree.search.use_gain_ratio = in.flag();
      options.tree.search.threshold_penalty = in.flag();
      options.limits = {in.number<float>(), in.flag() ? in.below(9) : UINT64_MAX, in.number<float>()};
      options.shrinkage = in.number<float>();
      options.release8 = in.flag();
      options.pruning = pruning;
      if (in.flag()) fit::fit_rules(dataset, weights, options, {.confidence = pruning.confidence});
      return fit::fit_c45(dataset, weights, options);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::BytesIn in(data, size);
  const std::size_t n_rows = in.number<std::uint8_t>();
  const std::uint32_t n_classes = in.below(9);
  std::vector<std::uint8_t> small;
  in.list(small);
  std::vector<std::int32_t> classes(small.begin(), small.end());
  classes.resize(n_rows);
  const Table table = read_table(in, n_rows);
  std::vector<double> weights(n_rows, 1.0);
  if (in.flag()) {
    in.list(weights);
    weights.resize(n_rows, 1.0);
  }
  try {
    const data::Dataset dataset = data::encode_dataset(
        table.columns, classes, n_classes, {.single = in.flag(), .max_bins = in.flag() ? 2 + in.below(200) : 0});
    const graph::Graph graph = learn(in, dataset, weights);
    fuzz::require(graph.problem().empty(), "a fitted graph is valid");
    fuzz::use_graph(graph);
  } catch (const std::invalid_argument& error) {
    fuzz::require(error.what()[0] != '\0', "an error has a reason");
  }
  return 0;
}
