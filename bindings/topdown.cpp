#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <cmath>
#include <memory>
#include <string>

#include "bindings.hpp"
#include "graph/builder.hpp"
#include "growers/topdown.hpp"
#include "growing.hpp"
#include "pruners/pessimistic.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
using growers::Criterion;

// `impurities` counts for the criterion "tabulated" only.
growers::C45Options options_of(const std::string& criterion, const Contiguous& impurities) {
  growers::C45Options options;
  options.threshold_penalty = false;
  options.collapse = false;
  if (criterion == "entropy")
    options.criterion = Criterion::gain;
  else if (criterion == "gini")
    options.criterion = Criterion::gini;
  else if (criterion == "km")
    options.criterion = Criterion::km;
  else if (criterion == "error")
    options.criterion = Criterion::error;
  else if (criterion == "tabulated")
    options.criterion = Criterion::tabulated;
  else
    throw std::invalid_argument("unknown criterion '" + criterion + "'");
  options.impurities.assign(impurities.data(), impurities.data() + impurities.shape(0));
  if (options.criterion != Criterion::tabulated) return options;
  if (options.impurities.size() < 2) throw std::invalid_argument("a tabulated criterion needs two values or more");
  for (std::size_t i = 0; i < options.impurities.size(); ++i)
    if (!std::isfinite(options.impurities[i]) || (i > 0 && options.impurities[i] <= 0.0))
      throw std::invalid_argument("a tabulated criterion must be finite, and above 0 after its first value");
  return options;
}

std::unique_ptr<graph::Graph> grow_topdown(const data::Dataset& dataset, const Contiguous& given,
                                           const std::string& criterion, const Contiguous& impurities,
                                           std::uint64_t n_rounds, double min_objects, bool grouping, bool prune,
                                           double confidence, std::uint32_t n_threads) {
  growers::C45Options options = options_of(criterion, impurities);
  options.min_objects = min_objects;
  options.grouping = grouping;
  options.n_threads = n_threads;
  const std::span<const double> weights(given.data(), given.shape(0));
  check_weights(dataset, weights);
  if (!(min_objects >= 0.0)) throw std::invalid_argument("min_objects must be >= 0");
  if (!(confidence > 0.0 && confidence <= 1.0)) throw std::invalid_argument("confidence must be in (0, 1]");

  const nb::gil_scoped_release release;
  graph::Draft draft = growers::grow_topdown(dataset, weights, options, n_rounds);
  if (prune) pruners::prune_pessimistic(draft, dataset, weights, confidence);
  return std::make_unique<graph::Graph>(graph::flatten(draft, attributes_of(dataset)));
}

}  // namespace

void bind_topdown(nb::module_& m) {
  m.def("grow_topdown", &grow_topdown, "dataset"_a, "weights"_a, "criterion"_a, "impurities"_a, "n_rounds"_a,
        "min_objects"_a, "grouping"_a, "prune"_a, "confidence"_a, "n_threads"_a = 1);
}

}  // namespace weaklearn::bindings
