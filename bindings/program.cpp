#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>

#include "fit/fit_program.hpp"
#include "fitting.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
using program::Level;
using program::Stop;

const char* name_of(Stop stop) {
  switch (stop) {
    case Stop::no_open_node:
      return "no node left";
    case Stop::no_gain:
      return "no gain";
    case Stop::max_levels:
      return "max_levels";
    case Stop::max_nodes:
      return "max_nodes";
    default:
      return "repeated";
  }
}

template <class To, class From>
auto column(const std::vector<Level>& levels, From Level::* member) {
  std::vector<To> values;
  for (const Level& level : levels) values.push_back(static_cast<To>(level.*member));
  return to_numpy(std::move(values));
}

nb::dict arrays_of(const std::vector<Level>& levels) {
  nb::dict arrays;
  arrays["nodes"] = column<std::int64_t>(levels, &Level::nodes);
  arrays["children"] = column<std::int64_t>(levels, &Level::children);
  arrays["next_nodes"] = column<std::int64_t>(levels, &Level::next_nodes);
  arrays["grid_width"] = column<double>(levels, &Level::width);
  arrays["before"] = column<double>(levels, &Level::before);
  arrays["after"] = column<double>(levels, &Level::after);
  arrays["merged"] = column<double>(levels, &Level::merged);
  arrays["forced"] = column<std::uint8_t>(levels, &Level::forced);
  std::vector<double> advantages;
  for (const Level& level : levels)
    advantages.insert(advantages.end(), level.advantages.begin(), level.advantages.end());
  arrays["advantages"] = to_numpy(std::move(advantages));
  return arrays;
}

nb::tuple fit_program(const data::Dataset& dataset, const Contiguous& weights, std::string criterion,
                      const Contiguous& impurities, std::string merge, double merge_share, std::uint64_t max_width,
                      std::uint64_t max_levels, std::uint64_t max_nodes, bool split_without_gain, double min_objects,
                      bool prune, double confidence, bool missing_takes_branch, const criteria::ClassFactors& classes,
                      std::uint32_t n_threads) {
  const program::ProgramOptions options{.criterion = {std::move(criterion), vector_of(impurities)},
                                        .merge_rule = std::move(merge),
                                        .merging = {merge_share, max_width},
                                        .max_levels = max_levels,
                                        .max_nodes = max_nodes,
                                        .split_without_gain = split_without_gain,
                                        .min_objects = min_objects,
                                        .missing_takes_branch = missing_takes_branch,
                                        .n_threads = n_threads,
                                        .classes = classes};
  std::vector<Level> levels;
  Stop stopped{};
  auto graph = fit_unlocked([&] {
    fit::FittedProgram fitted = fit::fit_program(dataset, span_of(weights), options, {prune, confidence});
    levels = std::move(fitted.levels);
    stopped = fitted.stopped;
    return std::move(fitted.graph);
  });
  return nb::make_tuple(std::move(graph), arrays_of(levels), name_of(stopped));
}

}  // namespace

void bind_program(nb::module_& m) {
  m.def("merge_rules", &fit::merge_rule_names, "Return the names of the merge rules.");
  m.def("fit_program", &fit_program, "dataset"_a, "weights"_a, "criterion"_a, "impurities"_a, "merge"_a,
        "merge_share"_a, "max_width"_a, "max_levels"_a, "max_nodes"_a, "split_without_gain"_a, "min_objects"_a,
        "prune"_a, "confidence"_a, "missing_takes_branch"_a = false, "classes"_a = criteria::ClassFactors{},
        "n_threads"_a = 1);
}

}  // namespace weaklearn::bindings
