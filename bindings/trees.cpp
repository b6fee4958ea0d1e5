// C4.5, TopDown and stumps.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "criteria/registry.hpp"
#include "fit/fit_c45.hpp"
#include "fit/fit_stump.hpp"
#include "fit/fit_topdown.hpp"
#include "fit/parts_of_rows.hpp"
#include "fitting.hpp"
#include "release8/pessimistic_errors.hpp"
#include "tree/pessimistic_errors.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

std::unique_ptr<graph::Graph> fit_c45(const data::Dataset& dataset, const std::variant<Doubles, Bytes>& weights,
                                      std::string criterion, bool use_gain_ratio, double min_objects, double confidence,
                                      bool prune, bool subset, bool threshold_penalty, std::uint32_t max_depth,
                                      std::uint64_t max_leaves, double min_impurity_decrease, double ccp_alpha,
                                      double shrinkage, bool release8, bool missing_takes_branch, bool random_splits,
                                      std::uint32_t max_features, std::uint64_t seed,
                                      const criteria::ClassFactors& classes, std::uint32_t n_threads,
                                      tree::CountedRows* counted, double scale) {
  fit::C45FitOptions options;
  options.tree.classes = classes;
  options.tree.counted = counted;
  options.tree.criterion.name = std::move(criterion);
  options.tree.search = {.min_objects = min_objects,
                         .use_gain_ratio = use_gain_ratio,
                         .subset = subset,
                         .random_splits = random_splits,
                         .threshold_penalty = threshold_penalty,
                         .missing_takes_branch = missing_takes_branch,
                         .max_features = max_features,
                         .seed = seed};
  options.tree.max_depth = max_depth;
  options.tree.n_threads = n_threads;
  options.limits = {min_impurity_decrease, max_leaves, ccp_alpha};
  options.pruning = {prune, confidence};
  options.shrinkage = shrinkage;
  options.release8 = release8;
  const GivenWeights given(dataset, weights, counted == nullptr, scale);
  return fit_unlocked([&] { return fit::fit_c45(dataset, given.get(), options); });
}

std::vector<std::pair<double, double>> c45_pruning_path(
    const data::Dataset& dataset, const Contiguous& weights, std::string criterion, bool use_gain_ratio,
    double min_objects, bool subset, bool threshold_penalty, std::uint32_t max_depth, std::uint64_t max_leaves,
    double min_impurity_decrease, bool missing_takes_branch, bool random_splits, std::uint32_t max_features,
    std::uint64_t seed, const criteria::ClassFactors& classes, std::uint32_t n_threads) {
  fit::C45FitOptions options;
  options.tree.classes = classes;
  options.tree.criterion.name = std::move(criterion);
  options.tree.search = {.min_objects = min_objects,
                         .use_gain_ratio = use_gain_ratio,
                         .subset = subset,
                         .random_splits = random_splits,
                         .threshold_penalty = threshold_penalty,
                         .missing_takes_branch = missing_takes_branch,
                         .max_features = max_features,
                         .seed = seed};
  options.tree.max_depth = max_depth;
  options.tree.n_threads = n_threads;
  options.limits = {.min_impurity_decrease = min_impurity_decrease, .max_leaves = max_leaves};
  const nb::gil_scoped_release unlocked;
  std::vector<std::pair<double, double>> steps;
  for (const tree::PruningStep& step : fit::c45_pruning_path(dataset, span_of(weights), options))
    steps.emplace_back(step.ccp_alpha, step.impurity);
  return steps;
}

template <class Index>
using LeafArray = nb::ndarray<Index, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using LeafArrays = std::variant<LeafArray<std::int32_t>, LeafArray<std::uint8_t>>;

std::unique_ptr<graph::Graph> fit_topdown(const data::Dataset& dataset, const std::variant<Doubles, Bytes>& weights,
                                          std::string criterion, const Contiguous& impurities, std::uint64_t n_rounds,
                                          std::uint32_t max_depth, double min_objects, bool grouping, bool prune,
                                          double confidence, double shrinkage, bool missing_takes_branch,
                                          std::uint32_t max_features, std::uint64_t seed,
                                          const criteria::ClassFactors& classes, std::uint32_t n_threads,
                                          tree::CountedRows* counted, const std::optional<LeafArrays>& leaves,
                                          double scale) {
  const tree::TopDownOptions options{.criterion = {std::move(criterion), vector_of(impurities)},
                                     .n_rounds = n_rounds,
                                     .max_depth = max_depth,
                                     .min_objects = min_objects,
                                     .two_groups = grouping,
                                     .missing_takes_branch = missing_takes_branch,
                                     .max_features = max_features,
                                     .seed = seed,
                                     .n_threads = n_threads,
                                     .classes = classes,
                                     .counted = counted};
  const GivenWeights given(dataset, weights, counted == nullptr, scale);
  tree::LeafOfRow leaf_of;
  if (leaves) std::visit([&](const auto& array) { leaf_of = std::span(array.data(), array.size()); }, *leaves);
  return fit_unlocked(
      [&] { return fit::fit_topdown(dataset, given.get(), options, {prune, confidence}, shrinkage, leaf_of); });
}

std::unique_ptr<graph::Graph> fit_stump(const data::Dataset& dataset, const Contiguous& weights,
                                        const criteria::ClassFactors& classes, std::uint32_t n_threads) {
  return fit_unlocked([&] { return fit::fit_stump(dataset, span_of(weights), n_threads, classes); });
}

double extra_errors(double confidence, double n, double e) {
  if (!(confidence > 0.0 && confidence <= 1.0 && n > 0.0 && e >= 0.0 && e <= n))
    throw std::invalid_argument("expected confidence in (0, 1], n > 0 and 0 <= e <= n");
  return tree::PessimisticErrors(confidence).extra(n, e);
}

double extra_errors_release8(double percent, double n, double e) {
  if (!(percent >= 0.0 && percent <= 100.0 && n > 0.0 && e >= 0.0 && e <= n))
    throw std::invalid_argument("expected percent in [0, 100], n > 0 and 0 <= e <= n");
  return release8::PessimisticErrors(static_cast<float>(percent))(static_cast<float>(n), static_cast<float>(e));
}

}  // namespace

void bind_trees(nb::module_& m) {
  nb::class_<criteria::ClassFactors>(m, "ClassFactors",
                                     "Relative weights of classes, and relative costs of errors, row by row.")
      .def(
          "__init__",
          [](criteria::ClassFactors* self, const Contiguous& factors, const Contiguous& costs) {
            new (self) criteria::ClassFactors{vector_of(factors), vector_of(costs)};
          },
          "factors"_a, "costs"_a);
  m.def("criteria", &criteria::criterion_names, "Return the names of the criteria that need no parameters.");
  m.def("additive_criteria", &criteria::additive_criterion_names,
        "Return the names of the criteria that are sums of terms, one per class.");
  m.attr("MOST_SUBSET_VALUES") = tree::most_subset_values;
  m.def("fit_c45", &fit_c45, "dataset"_a, "weights"_a, "criterion"_a = "entropy", "use_gain_ratio"_a = true,
        "min_objects"_a = 2.0, "confidence"_a = 0.25, "prune"_a = true, "subset"_a = false,
        "threshold_penalty"_a = true, "max_depth"_a = UINT32_MAX, "max_leaves"_a = UINT64_MAX,
        "min_impurity_decrease"_a = 0.0, "ccp_alpha"_a = 0.0, "shrinkage"_a = 0.0, "release8"_a = false,
        "missing_takes_branch"_a = false, "random_splits"_a = false, "max_features"_a = UINT32_MAX, "seed"_a = 0,
        "classes"_a = criteria::ClassFactors{}, "n_threads"_a = 1, "counted"_a = nb::none(), "scale"_a = 1.0,
        "Fit C4.5 to weights times `scale`, or to counts that are bytes.");
  m.def("c45_pruning_path", &c45_pruning_path, "dataset"_a, "weights"_a, "criterion"_a, "use_gain_ratio"_a,
        "min_objects"_a, "subset"_a, "threshold_penalty"_a, "max_depth"_a, "max_leaves"_a, "min_impurity_decrease"_a,
        "missing_takes_branch"_a, "random_splits"_a, "max_features"_a, "seed"_a, "classes"_a, "n_threads"_a,
        "Return the costs of a leaf at which pruning cuts the tree, and the impurity from there on.");
  m.def("fit_topdown", &fit_topdown, "dataset"_a, "weights"_a, "criterion"_a, "impurities"_a, "n_rounds"_a,
        "max_depth"_a, "min_objects"_a, "grouping"_a, "prune"_a, "confidence"_a, "shrinkage"_a = 0.0,
        "missing_takes_branch"_a = false, "max_features"_a = UINT32_MAX, "seed"_a = 0,
        "classes"_a = criteria::ClassFactors{}, "n_threads"_a = 1, "counted"_a = nb::none(), "leaves"_a = nb::none(),
        "scale"_a = 1.0,
        "Fit a tree best first to weights times `scale`; `leaves` takes leaves, or -1 (255 as a byte).");
  m.def("leaves_fit_in_bytes", &tree::leaves_fit_in_bytes, "dataset"_a, "n_rounds"_a, "grouping"_a,
        "Return whether `leaves` may be bytes.");
  m.def("fit_stump", &fit_stump, "dataset"_a, "weights"_a, "classes"_a = criteria::ClassFactors{}, "n_threads"_a = 1);
  m.def("extra_errors", &extra_errors, "confidence"_a, "n"_a, "e"_a,
        "Return the pessimistic errors beyond e training errors at a leaf of weight n.");
  m.def("extra_errors_release8", &extra_errors_release8, "percent"_a, "n"_a, "e"_a,
        "Return the same as the original program rounds it; percent is its option -c.");
}

}  // namespace weaklearn::bindings
