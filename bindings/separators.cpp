#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "bindings.hpp"
#include "graph/draft.hpp"
#include "learner_arguments.hpp"
#include "separators/boosted_separator.hpp"
#include "separators/g2_arithmetic.hpp"
#include "separators/grow_boost_odt.hpp"
#include "tree/prune_pessimistic.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
namespace g2 = separators::g2;

nb::tuple grow_separator(const data::Dataset& dataset, const Contiguous& given, std::uint32_t positive,
                         std::uint32_t n_rounds, std::uint32_t n_threads) {
  const std::span<const double> weights(given.data(), given.shape(0));
  check_weights(dataset, weights);
  if (positive >= dataset.n_classes) throw std::invalid_argument("the positive class does not exist");
  std::unique_ptr<graph::Graph> result;
  std::vector<double> mu;
  std::vector<double> coefficients;
  {
    const nb::gil_scoped_release release;
    std::vector<g2::Step> rounds;
    result = std::make_unique<graph::Graph>(graph::flatten(
        separators::separator_graph(dataset, weights, positive, n_rounds, n_threads, rounds), attributes_of(dataset)));
    for (const g2::Step& round : rounds) {
      mu.push_back(round.mu);
      coefficients.push_back(round.coefficient);
    }
  }
  return nb::make_tuple(std::move(result), to_numpy(std::move(mu)), to_numpy(std::move(coefficients)));
}

std::unique_ptr<graph::Graph> grow_boost_odt(const data::Dataset& dataset, const Contiguous& given,
                                             std::uint32_t n_stumps, std::uint32_t max_depth, std::uint64_t max_tests,
                                             bool prune, double confidence, std::uint32_t n_threads) {
  const std::span<const double> weights(given.data(), given.shape(0));
  check_weights(dataset, weights);
  check_confidence(confidence);
  const nb::gil_scoped_release release;
  graph::Draft draft = separators::grow_boost_odt(dataset, weights, {n_stumps, max_depth, max_tests, n_threads});
  if (prune) tree::prune_pessimistic(draft, dataset, weights, confidence, n_threads);
  return std::make_unique<graph::Graph>(graph::flatten(draft, attributes_of(dataset)));
}

nb::tuple g2_step(const Contiguous& signed_weights, const Contiguous& outputs) {
  if (signed_weights.shape(0) != outputs.shape(0)) throw std::invalid_argument("one output per weight is needed");
  std::vector<double> weights = vector_of(signed_weights);
  const g2::Step step = g2::step(weights, {outputs.data(), outputs.shape(0)});
  return nb::make_tuple(step.mu, step.coefficient, to_numpy(std::move(weights)));
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> g2_leaf_outputs(const Contiguous& positive, const Contiguous& negative) {
  if (positive.shape(0) != negative.shape(0)) throw std::invalid_argument("both weights of each leaf are needed");
  std::vector<double> outputs;
  for (std::size_t i = 0; i < positive.shape(0); ++i) outputs.push_back(g2::leaf_output(positive(i), negative(i)));
  return to_numpy(std::move(outputs));
}

}  // namespace

void bind_separators(nb::module_& m) {
  m.attr("G2_LARGEST_MU") = g2::largest_mu;
  m.def("g2_step", &g2_step, "signed_weights"_a, "outputs"_a);
  m.def("g2_leaf_outputs", &g2_leaf_outputs, "positive"_a, "negative"_a);
  m.def("grow_separator", &grow_separator, "dataset"_a, "weights"_a, "positive"_a, "n_rounds"_a, "n_threads"_a = 1);
  m.def("grow_boost_odt", &grow_boost_odt, "dataset"_a, "weights"_a, "n_stumps"_a, "max_depth"_a, "max_tests"_a,
        "prune"_a, "confidence"_a, "n_threads"_a = 1);
}

}  // namespace weaklearn::bindings
