#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "bindings.hpp"
#include "graph/draft.hpp"
#include "learner_arguments.hpp"
#include "release8/c45_release8.hpp"
#include "release8/pessimistic_errors.hpp"
#include "splits/subset.hpp"
#include "tree/drop_impossible_branches.hpp"
#include "tree/grow_c45.hpp"
#include "tree/pessimistic_errors.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
using tree::C45Options;
using tree::Criterion;

Criterion criterion_named(const std::string& name) {
  if (name == "gain_ratio") return Criterion::gain_ratio;
  if (name == "gain") return Criterion::gain;
  if (name == "gini") return Criterion::gini;
  if (name == "km") return Criterion::km;
  throw std::invalid_argument("unknown criterion '" + name + "'");
}

void check(const data::Dataset& dataset, std::span<const double> weights, const C45Options& options) {
  check_weights(dataset, weights);
  if (!(options.min_objects >= 0.0)) throw std::invalid_argument("min_objects must be >= 0");
  check_confidence(options.confidence);
  if (!options.subset) return;
  for (const data::Column& column : dataset.columns)
    if (column.nominal && column.n_codes > splits::most_subset_values)
      throw std::invalid_argument("an attribute has too many values for subset tests");
}

std::unique_ptr<graph::Graph> grow_c45(const data::Dataset& dataset, const Contiguous& given,
                                       const std::string& criterion, double min_objects, double confidence, bool prune,
                                       bool subset, bool threshold_penalty, std::uint32_t max_depth, bool release8,
                                       std::uint32_t n_threads) {
  C45Options options;
  options.criterion = criterion_named(criterion);
  options.min_objects = min_objects;
  options.confidence = confidence;
  options.prune = prune;
  options.subset = subset;
  options.threshold_penalty = threshold_penalty;
  options.max_depth = max_depth;
  options.n_threads = n_threads;
  const std::span<const double> weights(given.data(), given.shape(0));

  const nb::gil_scoped_release release;
  check(dataset, weights, options);
  if (release8) {
    const release8::Release8Trees trees = release8::grow_release8(dataset, weights, options);
    return std::make_unique<graph::Graph>(
        graph::flatten(prune ? trees.pruned : trees.unpruned, attributes_of(dataset)));
  }
  graph::Draft draft = tree::grow_c45(dataset, weights, options);
  if (prune) {
    tree::prune_pessimistic(draft, dataset, weights, confidence, n_threads);
    if (subset) tree::drop_impossible_branches(draft, dataset);
  }
  return std::make_unique<graph::Graph>(graph::flatten(draft, attributes_of(dataset)));
}

}  // namespace

void bind_c45(nb::module_& m) {
  m.def("grow_c45", &grow_c45, "dataset"_a, "weights"_a, "criterion"_a = "gain_ratio", "min_objects"_a = 2.0,
        "confidence"_a = 0.25, "prune"_a = true, "subset"_a = false, "threshold_penalty"_a = true,
        "max_depth"_a = UINT32_MAX, "release8"_a = false, "n_threads"_a = 1);
  m.attr("MOST_SUBSET_VALUES") = splits::most_subset_values;
  m.def("extra_errors",
        [](double confidence, double n, double e) {
          if (!(confidence > 0.0 && confidence <= 1.0 && n > 0.0 && e >= 0.0 && e <= n))
            throw std::invalid_argument("expected confidence in (0, 1], n > 0 and 0 <= e <= n");
          return tree::ExtraErrors(confidence)(n, e);
        },
        "confidence"_a, "n"_a, "e"_a, "Pessimistic extra errors beyond e among n training instances.");
  m.def(
      "extra_errors_release8",
      [](double percent, double n, double e) {
        return release8::ExtraErrorsRelease8(static_cast<float>(percent))(static_cast<float>(n), static_cast<float>(e));
      },
      "percent"_a, "n"_a, "e"_a, "The same as the original program rounds it, by its option -c.");
}

}  // namespace weaklearn::bindings
