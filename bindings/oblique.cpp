// OC1 and SADT.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>

#include "criteria/registry.hpp"
#include "fit/fit_oblique.hpp"
#include "fitting.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

std::unique_ptr<graph::Graph> fit_oc1(const data::Dataset& dataset, const Contiguous& weights, std::string criterion,
                                      std::uint32_t n_restarts, std::uint32_t n_jumps, double validation_share,
                                      std::uint32_t max_depth, std::uint64_t seed,
                                      const criteria::ClassFactors& classes, std::uint32_t n_threads) {
  const oblique::Oc1Options options{.tree = {std::move(criterion), validation_share, max_depth, seed, classes},
                                    .n_restarts = n_restarts,
                                    .n_jumps = n_jumps,
                                    .n_threads = n_threads};
  return fit_unlocked([&] { return fit::fit_oc1(dataset, span_of(weights), options); });
}

std::unique_ptr<graph::Graph> fit_sadt(const data::Dataset& dataset, const Contiguous& weights, std::string criterion,
                                       double temperature, double cooling, std::uint32_t patience,
                                       double validation_share, std::uint32_t max_depth, std::uint64_t seed,
                                       const criteria::ClassFactors& classes) {
  const oblique::SadtOptions options{.tree = {std::move(criterion), validation_share, max_depth, seed, classes},
                                     .cooling = {temperature, cooling, patience}};
  return fit_unlocked([&] { return fit::fit_sadt(dataset, span_of(weights), options); });
}

double two_sided_impurity(const std::string& name, const Contiguous& left, const Contiguous& right) {
  return criteria::two_sided_impurity(name, span_of(left), span_of(right));
}

}  // namespace

void bind_oblique(nb::module_& m) {
  m.def("two_sided_criteria", &criteria::two_sided_impurity_names, "Return the names of the impurities of OC1.");
  m.def("fit_oc1", &fit_oc1, "dataset"_a, "weights"_a, "criterion"_a, "n_restarts"_a, "n_jumps"_a, "validation_share"_a,
        "max_depth"_a, "seed"_a, "classes"_a = criteria::ClassFactors{}, "n_threads"_a = 1);
  m.def("fit_sadt", &fit_sadt, "dataset"_a, "weights"_a, "criterion"_a, "temperature"_a, "cooling"_a, "patience"_a,
        "validation_share"_a, "max_depth"_a, "seed"_a, "classes"_a = criteria::ClassFactors{});
  m.def("two_sided_impurity", &two_sided_impurity, "criterion"_a, "left"_a, "right"_a,
        "Return the impurity of a split in two, from the class weights of both sides, as in OC1.");
}

}  // namespace weaklearn::bindings
