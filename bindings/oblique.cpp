#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <numeric>
#include <string>

#include "bindings.hpp"
#include "criteria/oc1_impurities.hpp"
#include "graph/draft.hpp"
#include "learner_arguments.hpp"
#include "oblique/grow_oblique.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

void check(const data::Dataset& dataset, std::span<const double> weights, const oblique::ObliqueOptions& options) {
  check_weights(dataset, weights);
  if (!(options.validation_share >= 0.0 && options.validation_share < 1.0))
    throw std::invalid_argument("validation_share must be in [0, 1)");
}

std::unique_ptr<graph::Graph> grow_oc1(const data::Dataset& dataset, const Contiguous& given, std::string criterion,
                                       std::uint32_t n_restarts, std::uint32_t n_jumps, double validation_share,
                                       std::uint32_t max_depth, std::uint64_t seed, std::uint32_t n_threads) {
  oblique::Oc1Options options;
  options.criterion = std::move(criterion);
  options.validation_share = validation_share;
  options.max_depth = max_depth;
  options.seed = seed;
  options.n_threads = n_threads;
  options.n_restarts = n_restarts;
  options.n_jumps = n_jumps;
  const std::span<const double> weights(given.data(), given.shape(0));
  const nb::gil_scoped_release release;
  check(dataset, weights, options);
  return std::make_unique<graph::Graph>(
      graph::flatten(oblique::grow_oc1(dataset, weights, options), attributes_of(dataset)));
}

std::unique_ptr<graph::Graph> grow_sadt(const data::Dataset& dataset, const Contiguous& given, std::string criterion,
                                        double temperature, double cooling, std::uint32_t patience,
                                        double validation_share, std::uint32_t max_depth, std::uint64_t seed) {
  oblique::SadtOptions options;
  options.criterion = std::move(criterion);
  options.validation_share = validation_share;
  options.max_depth = max_depth;
  options.seed = seed;
  options.cooling = {temperature, cooling, patience};
  const std::span<const double> weights(given.data(), given.shape(0));
  const nb::gil_scoped_release release;
  check(dataset, weights, options);
  if (!(temperature >= 0.0)) throw std::invalid_argument("temperature must be >= 0");
  if (!(cooling >= 0.0 && cooling <= 1.0)) throw std::invalid_argument("cooling must be in [0, 1]");
  return std::make_unique<graph::Graph>(
      graph::flatten(oblique::grow_sadt(dataset, weights, options), attributes_of(dataset)));
}

double division_impurity(const std::string& name, const Contiguous& left, const Contiguous& right) {
  if (left.shape(0) != right.shape(0)) throw std::invalid_argument("the sides differ in their number of classes");
  using criteria::Division;
  const std::span<const double> l(left.data(), left.shape(0));
  const std::span<const double> r(right.data(), right.shape(0));
  const double n_left = std::accumulate(l.begin(), l.end(), 0.0);
  const double n_right = std::accumulate(r.begin(), r.end(), 0.0);
  double result = 0.0;
  const auto use = [&](auto measure) {
    result = l.size() == 2 ? measure.of(Division<2>{l.first<2>(), r.first<2>(), n_left, n_right})
                           : measure.of(Division<std::dynamic_extent>{l, r, n_left, n_right});
  };
  if (!criteria::with_division_impurity(name, static_cast<std::uint32_t>(l.size()), use))
    throw std::invalid_argument("unknown criterion '" + name + "'");
  return result;
}

}  // namespace

void bind_oblique(nb::module_& m) {
  m.def("grow_oc1", &grow_oc1, "dataset"_a, "weights"_a, "criterion"_a, "n_restarts"_a, "n_jumps"_a,
        "validation_share"_a, "max_depth"_a, "seed"_a, "n_threads"_a = 1);
  m.def("grow_sadt", &grow_sadt, "dataset"_a, "weights"_a, "criterion"_a, "temperature"_a, "cooling"_a, "patience"_a,
        "validation_share"_a, "max_depth"_a, "seed"_a);
  m.def("division_impurity", &division_impurity, "criterion"_a, "left"_a, "right"_a,
        "The impurity of a division in two, from the class weights of both sides, as OC1 minimises it.");
}

}  // namespace weaklearn::bindings
