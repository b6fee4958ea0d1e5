#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "predict_inputs.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
using graph::Forest;
using graph::Graph;

std::unique_ptr<Forest> make_forest(const nb::list& graphs) {
  std::vector<const Graph*> members;
  for (const nb::handle& graph : graphs) members.push_back(nb::cast<const Graph*>(graph));
  if (members.empty()) throw std::invalid_argument("a forest needs at least one graph");
  for (const Graph* member : members) {
    bool same =
        member->n_classes == members[0]->n_classes && member->attributes.size() == members[0]->attributes.size();
    for (std::size_t a = 0; same && a < member->attributes.size(); ++a)
      same = member->attributes[a].n_values == members[0]->attributes[a].n_values &&
             member->attributes[a].single_precision == members[0]->attributes[a].single_precision;
    if (!same) throw std::invalid_argument("the graphs differ in their attributes or classes");
  }
  return std::make_unique<Forest>(members);
}

graph::Votes votes_of(const Forest& forest, const Contiguous& votes, bool confident) {
  if (votes.shape(0) != forest.n_members()) throw std::invalid_argument("one vote per graph is needed");
  return {{votes.data(), votes.shape(0)}, confident};
}

nb::tuple answers(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, bool confidences,
                  std::uint32_t n_threads) {
  const std::size_t size = std::size_t{forest.n_members()} * n_rows;
  std::vector<double> confident(confidences ? size : 0);
  auto classes =
      answered<std::int32_t>(forest, columns, n_rows, n_threads, size, [&](const auto& questions, auto* out) {
        forest.answers(questions, out, confidences ? confident.data() : nullptr);
      });
  return nb::make_tuple(classes, to_numpy(std::move(confident)));
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> tally(const Forest& forest, const nb::list& columns, std::uint32_t n_rows,
                                                  const Contiguous& votes, bool confident, std::uint32_t n_threads) {
  const graph::Votes counted = votes_of(forest, votes, confident);
  return answered<double>(forest, columns, n_rows, n_threads, std::size_t{n_rows} * forest.n_classes(),
                          [&](const auto& questions, auto* out) { forest.tally(questions, counted, out); });
}

nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>> predict(const Forest& forest, const nb::list& columns,
                                                          std::uint32_t n_rows, const Contiguous& votes, bool confident,
                                                          const Unsigned& priority, std::uint32_t n_threads) {
  const graph::Votes counted = votes_of(forest, votes, confident);
  std::vector<bool> listed(forest.n_classes(), false);
  for (std::size_t i = 0; i < priority.shape(0); ++i)
    if (priority(i) < listed.size()) listed[priority(i)] = true;
  if (priority.shape(0) != listed.size() || std::ranges::find(listed, false) != listed.end())
    throw std::invalid_argument("the priority must list every class once");
  return answered<std::int32_t>(forest, columns, n_rows, n_threads, n_rows, [&](const auto& questions, auto* out) {
    forest.predict(questions, counted, {priority.data(), priority.shape(0)}, out);
  });
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> margins(const Forest& forest, const nb::list& columns, std::uint32_t n_rows,
                                                    const Contiguous& votes, bool confident, const Ints& classes,
                                                    std::uint32_t n_threads) {
  const graph::Votes counted = votes_of(forest, votes, confident);
  if (classes.shape(0) != n_rows) throw std::invalid_argument("one class per row is needed");
  for (std::size_t i = 0; i < classes.shape(0); ++i)
    if (classes(i) < 0 || static_cast<std::uint32_t>(classes(i)) >= forest.n_classes())
      throw std::invalid_argument("a class is out of range");
  return answered<double>(forest, columns, n_rows, n_threads, n_rows, [&](const auto& questions, auto* out) {
    forest.margins(questions, counted, {classes.data(), classes.shape(0)}, out);
  });
}

}  // namespace

void bind_forest(nb::module_& m) {
  nb::class_<Forest>(m, "Forest", "The nodes of several graphs in one array, for answering.")
      .def(nb::new_(&make_forest), "graphs"_a)
      .def_prop_ro("nbytes", &Forest::nbytes)
      .def("answers", &answers, "columns"_a, "n_rows"_a, "confidences"_a = false, "n_threads"_a = 1)
      .def("tally", &tally, "columns"_a, "n_rows"_a, "votes"_a, "confident"_a = false, "n_threads"_a = 1)
      .def("predict", &predict, "columns"_a, "n_rows"_a, "votes"_a, "confident"_a, "priority"_a, "n_threads"_a = 1)
      .def("margins", &margins, "columns"_a, "n_rows"_a, "votes"_a, "confident"_a, "classes"_a, "n_threads"_a = 1);
}

}  // namespace weaklearn::bindings
