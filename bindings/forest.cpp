#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "predict_inputs.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
using graph::Forest;
using graph::Graph;

using DoubleArray = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using IntArray = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

std::unique_ptr<Forest> make_forest(const nb::list& graphs) {
  std::vector<const Graph*> members;
  for (const nb::handle& graph : graphs) members.push_back(nb::cast<const Graph*>(graph));
  if (members.empty()) throw std::invalid_argument("a forest needs at least one graph");
  for (const Graph* member : members)
    if (member->n_classes != members[0]->n_classes || member->columns != members[0]->columns)
      throw std::invalid_argument("the graphs differ in their columns or classes");
  return std::make_unique<Forest>(members);
}

void require_single(const Forest& forest) {
  if (forest.n_members() != 1)
    throw std::invalid_argument("got a forest of " + std::to_string(forest.n_members()) +
                                " graphs, expected a single graph");
}

void check_classes(const Forest& forest, const Ints& classes, std::uint32_t n_rows) {
  if (classes.shape(0) != n_rows) throw std::invalid_argument("one class per row is needed");
  for (std::size_t i = 0; i < n_rows; ++i)
    if (classes(i) < 0 || static_cast<std::uint32_t>(classes(i)) >= forest.n_classes())
      throw std::invalid_argument("row " + std::to_string(i) + ": its class does not exist");
}

graph::Votes votes_of(const Forest& forest, const Contiguous& votes, bool confident) {
  if (votes.shape(0) != forest.n_members()) throw std::invalid_argument("one vote per graph is needed");
  return {{votes.data(), votes.shape(0)}, confident};
}

nb::tuple predict_members(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, bool confidences,
                          std::uint32_t n_threads) {
  const std::size_t size = std::size_t{forest.n_members()} * n_rows;
  std::vector<double> confident(confidences ? size : 0);
  auto classes = predicted<std::int32_t>(forest, columns, n_rows, n_threads, size, [&](const auto& rows, auto* out) {
    forest.predict_members(rows, out, confidences ? confident.data() : nullptr);
  });
  return nb::make_tuple(classes, to_numpy(std::move(confident)));
}

DoubleArray count_votes(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, const Contiguous& votes,
                        bool confident, std::uint32_t n_threads) {
  const graph::Votes counted = votes_of(forest, votes, confident);
  return predicted<double>(forest, columns, n_rows, n_threads, std::size_t{n_rows} * forest.n_classes(),
                           [&](const auto& rows, auto* out) { forest.count_votes(rows, counted, out); });
}

IntArray predict(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, const Contiguous& votes,
                 bool confident, const Unsigned& priority, std::uint32_t n_threads) {
  const graph::Votes counted = votes_of(forest, votes, confident);
  std::vector<bool> listed(forest.n_classes(), false);
  for (std::size_t i = 0; i < priority.shape(0); ++i)
    if (priority(i) < listed.size()) listed[priority(i)] = true;
  if (priority.shape(0) != listed.size() || std::ranges::find(listed, false) != listed.end())
    throw std::invalid_argument("the priority must list every class once");
  return predicted<std::int32_t>(forest, columns, n_rows, n_threads, n_rows, [&](const auto& rows, auto* out) {
    forest.predict(rows, counted, {priority.data(), priority.shape(0)}, out);
  });
}

DoubleArray margins(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, const Contiguous& votes,
                    bool confident, const Ints& classes, std::uint32_t n_threads) {
  const graph::Votes counted = votes_of(forest, votes, confident);
  check_classes(forest, classes, n_rows);
  return predicted<double>(forest, columns, n_rows, n_threads, n_rows, [&](const auto& rows, auto* out) {
    forest.margins(rows, counted, {classes.data(), classes.shape(0)}, out);
  });
}

IntArray apply(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, std::uint32_t n_threads) {
  return predicted<std::int32_t>(forest, columns, n_rows, n_threads, std::size_t{n_rows} * forest.n_members(),
                                 [&](const auto& rows, auto* out) { forest.apply(rows, out); });
}

nb::tuple decision_path(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, std::uint32_t n_threads) {
  graph::Paths paths;
  with_rows(forest, columns, n_rows, n_threads, [&](const auto& rows) { paths = forest.decision_path(rows); });
  return nb::make_tuple(to_numpy(std::move(paths.shares)), to_numpy(std::move(paths.nodes)),
                        to_numpy(std::move(paths.row_start)));
}

DoubleArray class_shares(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, std::uint32_t n_threads) {
  require_single(forest);
  return predicted<double>(forest, columns, n_rows, n_threads, std::size_t{n_rows} * forest.n_classes(),
                           [&](const auto& rows, auto* out) { forest.class_shares(rows, out); });
}

DoubleArray excess(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, std::uint32_t n_threads) {
  require_single(forest);
  if (!forest.has_oblique_root()) throw std::invalid_argument("the root is not an oblique split");
  return predicted<double>(forest, columns, n_rows, n_threads, n_rows,
                           [&](const auto& rows, auto* out) { forest.excess(rows, out); });
}

DoubleArray branch_class_weights(const Forest& forest, const nb::list& columns, std::uint32_t n_rows,
                                 const Ints& classes, const Contiguous& weights) {
  require_single(forest);
  check_classes(forest, classes, n_rows);
  if (weights.shape(0) != n_rows) throw std::invalid_argument("one weight per row is needed");
  return predicted<double>(forest, columns, n_rows, 1, forest.n_branches() * forest.n_classes(),
                           [&](const auto& rows, auto* out) {
                             forest.branch_class_weights(rows, {classes.data(), n_rows}, {weights.data(), n_rows}, out);
                           });
}

}  // namespace

void bind_forest(nb::module_& m) {
  nb::class_<Forest>(m, "Forest", "The nodes of one or several graphs in one array, for prediction.")
      .def(nb::new_(&make_forest), "graphs"_a)
      .def_prop_ro("nbytes", &Forest::nbytes)
      .def_prop_ro("n_nodes", &Forest::n_nodes)
      .def("predict_members", &predict_members, "columns"_a, "n_rows"_a, "confidences"_a = false, "n_threads"_a = 1)
      .def("count_votes", &count_votes, "columns"_a, "n_rows"_a, "votes"_a, "confident"_a = false, "n_threads"_a = 1)
      .def("predict", &predict, "columns"_a, "n_rows"_a, "votes"_a, "confident"_a, "priority"_a, "n_threads"_a = 1)
      .def("margins", &margins, "columns"_a, "n_rows"_a, "votes"_a, "confident"_a, "classes"_a, "n_threads"_a = 1)
      .def("apply", &apply, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("decision_path", &decision_path, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("class_shares", &class_shares, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("excess", &excess, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("branch_class_weights", &branch_class_weights, "columns"_a, "n_rows"_a, "classes"_a, "weights"_a);
}

}  // namespace weaklearn::bindings
