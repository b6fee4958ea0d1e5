#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "fit/fit_separators.hpp"
#include "fitting.hpp"
#include "separators/g2_arithmetic.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
namespace g2 = separators::g2;

auto column(const std::vector<g2::Step>& rounds, double g2::Step::* member) {
  std::vector<double> values;
  for (const g2::Step& round : rounds) values.push_back(round.*member);
  return to_numpy(std::move(values));
}

nb::tuple fit_separator(const data::Dataset& dataset, const Contiguous& weights, std::uint32_t positive,
                        std::uint32_t n_rounds, std::uint32_t n_threads) {
  std::vector<g2::Step> rounds;
  auto graph = fit_unlocked([&] {
    fit::FittedSeparator fitted = fit::fit_separator(dataset, span_of(weights), positive, n_rounds, n_threads);
    rounds = std::move(fitted.rounds);
    return std::move(fitted.graph);
  });
  return nb::make_tuple(std::move(graph), column(rounds, &g2::Step::mu), column(rounds, &g2::Step::coefficient));
}

std::unique_ptr<graph::Graph> fit_boost_odt(const data::Dataset& dataset, const Contiguous& weights,
                                            std::uint32_t n_stumps, std::uint32_t max_depth, std::uint64_t max_splits,
                                            bool prune, double confidence, const criteria::ClassFactors& classes,
                                            std::uint32_t n_threads) {
  const separators::BoostOdtOptions options{n_stumps, max_depth, max_splits, n_threads};
  return fit_unlocked(
      [&] { return fit::fit_boost_odt(dataset, span_of(weights), options, {prune, confidence}, classes); });
}

nb::tuple g2_step(const Contiguous& signed_weights, const Contiguous& outputs) {
  if (signed_weights.shape(0) != outputs.shape(0)) throw std::invalid_argument("one output per weight is needed");
  std::vector<double> weights = vector_of(signed_weights);
  const g2::Step step = g2::step(weights, {outputs.data(), outputs.shape(0)});
  return nb::make_tuple(step.mu, step.coefficient, to_numpy(std::move(weights)));
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> g2_leaf_outputs(const Contiguous& positive, const Contiguous& negative) {
  return to_numpy(g2::leaf_outputs(span_of(positive), span_of(negative)));
}

}  // namespace

void bind_separators(nb::module_& m) {
  m.attr("G2_LARGEST_MU") = g2::largest_mu;
  m.def("g2_step", &g2_step, "signed_weights"_a, "outputs"_a);
  m.def("g2_leaf_outputs", &g2_leaf_outputs, "positive"_a, "negative"_a);
  m.def("fit_separator", &fit_separator, "dataset"_a, "weights"_a, "positive"_a, "n_rounds"_a, "n_threads"_a = 1);
  m.def("fit_boost_odt", &fit_boost_odt, "dataset"_a, "weights"_a, "n_stumps"_a, "max_depth"_a, "max_splits"_a,
        "prune"_a, "confidence"_a, "classes"_a = criteria::ClassFactors{}, "n_threads"_a = 1);
}

}  // namespace weaklearn::bindings
