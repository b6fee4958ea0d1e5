#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "bindings.hpp"
#include "graph/draft.hpp"
#include "learner_arguments.hpp"
#include "tree/grow_stump.hpp"

namespace weaklearn::bindings {
namespace {

std::unique_ptr<graph::Graph> grow_stump(const data::Dataset& dataset, const Contiguous& given,
                                         std::uint32_t n_threads) {
  const std::span<const double> weights(given.data(), given.shape(0));
  const nb::gil_scoped_release release;
  check_weights(dataset, weights);
  return std::make_unique<graph::Graph>(
      graph::flatten(tree::grow_stump(dataset, weights, n_threads), attributes_of(dataset)));
}

}  // namespace

void bind_stump(nb::module_& m) {
  using namespace nb::literals;
  m.def("grow_stump", &grow_stump, "dataset"_a, "weights"_a, "n_threads"_a = 1);
}

}  // namespace weaklearn::bindings
