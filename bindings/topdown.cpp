#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <string>

#include "bindings.hpp"
#include "graph/draft.hpp"
#include "learner_arguments.hpp"
#include "tree/grow_topdown.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

std::unique_ptr<graph::Graph> grow_topdown(const data::Dataset& dataset, const Contiguous& given,
                                           const std::string& criterion, const Contiguous& impurities,
                                           std::uint64_t n_rounds, double min_objects, bool grouping, bool prune,
                                           double confidence, std::uint32_t n_threads) {
  tree::C45Options options;
  options.criterion = criterion_of(criterion, impurities);
  options.impurities = vector_of(impurities);
  options.threshold_penalty = false;
  options.collapse = false;
  options.min_objects = min_objects;
  options.grouping = grouping;
  options.n_threads = n_threads;
  const std::span<const double> weights(given.data(), given.shape(0));
  check_weights(dataset, weights);
  if (!(min_objects >= 0.0)) throw std::invalid_argument("min_objects must be >= 0");
  check_confidence(confidence);

  const nb::gil_scoped_release release;
  graph::Draft draft = tree::grow_topdown(dataset, weights, options, n_rounds);
  if (prune) tree::prune_pessimistic(draft, dataset, weights, confidence, n_threads);
  return std::make_unique<graph::Graph>(graph::flatten(draft, attributes_of(dataset)));
}

}  // namespace

void bind_topdown(nb::module_& m) {
  m.def("grow_topdown", &grow_topdown, "dataset"_a, "weights"_a, "criterion"_a, "impurities"_a, "n_rounds"_a,
        "min_objects"_a, "grouping"_a, "prune"_a, "confidence"_a, "n_threads"_a = 1);
}

}  // namespace weaklearn::bindings
