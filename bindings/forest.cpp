#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
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
using graph::VoteForm;

using DoubleArray = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using IntArray = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

std::unique_ptr<Forest> make_forest(const nb::list& graphs) {
  std::vector<const Graph*> members;
  for (const nb::handle& graph : graphs) members.push_back(nb::cast<const Graph*>(graph));
  return std::make_unique<Forest>(members);
}

VoteForm vote_form(const std::string& name) {
  if (name == "label") return VoteForm::label;
  if (name == "confidence") return VoteForm::confidence;
  if (name == "shares") return VoteForm::shares;
  throw std::invalid_argument("got the form of vote '" + name + "', expected label, confidence or shares");
}

// Returns the predicted classes and what a unit of a member's vote counts: nothing for labels, which count 1, the
// confidences, or the shares of all classes. Only the rows at `positions` are predicted, if they are given.
nb::tuple predict_members(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, const std::string& form,
                          std::uint32_t n_threads, const std::optional<Unsigned>& positions) {
  std::span<const std::uint32_t> chosen;
  if (positions) chosen = {positions->data(), positions->shape(0)};
  if (std::ranges::any_of(chosen, [=](std::uint32_t row) { return row >= n_rows; }))
    throw std::invalid_argument("a position is beyond the last row");
  const auto n_predicted = positions ? static_cast<std::uint32_t>(chosen.size()) : n_rows;
  const std::size_t size = std::size_t{forest.n_members()} * n_predicted;
  const VoteForm counted = vote_form(form);
  std::vector<double> confidences(counted == VoteForm::confidence ? size : 0);
  std::vector<double> shares(counted == VoteForm::shares ? size * forest.n_classes() : 0);
  auto classes = predicted<std::int32_t>(forest, columns, n_rows, n_threads, size, [&](auto rows, auto* out) {
    rows.n_rows = n_predicted;
    rows.chosen = chosen;
    forest.predict_members(rows, out, confidences.empty() ? nullptr : confidences.data(),
                           shares.empty() ? nullptr : shares.data());
  });
  return nb::make_tuple(classes, to_numpy(std::move(shares.empty() ? confidences : shares)));
}

DoubleArray count_votes(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, const Contiguous& votes,
                        const std::string& form, std::uint32_t n_threads) {
  const graph::Votes counted{{votes.data(), votes.shape(0)}, vote_form(form)};
  return predicted<double>(forest, columns, n_rows, n_threads, std::size_t{n_rows} * forest.n_classes(),
                           [&](const auto& rows, auto* out) { forest.count_votes(rows, counted, out); });
}

IntArray predict(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, const Contiguous& votes,
                 const std::string& form, const Unsigned& priority, std::uint32_t n_threads) {
  const graph::Votes counted{{votes.data(), votes.shape(0)}, vote_form(form)};
  return predicted<std::int32_t>(forest, columns, n_rows, n_threads, n_rows, [&](const auto& rows, auto* out) {
    forest.predict(rows, counted, {priority.data(), priority.shape(0)}, out);
  });
}

DoubleArray margins(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, const Contiguous& votes,
                    const std::string& form, const Ints& classes, std::uint32_t n_threads) {
  const graph::Votes counted{{votes.data(), votes.shape(0)}, vote_form(form)};
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
  return predicted<double>(forest, columns, n_rows, n_threads, std::size_t{n_rows} * forest.n_classes(),
                           [&](const auto& rows, auto* out) { forest.class_shares(rows, out); });
}

DoubleArray excess(const Forest& forest, const nb::list& columns, std::uint32_t n_rows, std::uint32_t n_threads) {
  return predicted<double>(forest, columns, n_rows, n_threads, n_rows,
                           [&](const auto& rows, auto* out) { forest.excess(rows, out); });
}

DoubleArray branch_class_weights(const Forest& forest, const nb::list& columns, std::uint32_t n_rows,
                                 const Ints& classes, const Contiguous& weights) {
  return predicted<double>(
      forest, columns, n_rows, 1, forest.n_branches() * forest.n_classes(), [&](const auto& rows, auto* out) {
        forest.branch_class_weights(rows, {classes.data(), classes.shape(0)}, {weights.data(), weights.shape(0)}, out);
      });
}

IntArray winners(const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& scores,
                 const Unsigned& priority) {
  std::vector<std::int32_t> result;
  {
    const nb::gil_scoped_release released;
    result = graph::winners({scores.data(), scores.size()}, {priority.data(), priority.shape(0)});
  }
  return to_numpy(std::move(result));
}

}  // namespace

void bind_forest(nb::module_& m) {
  nb::class_<Forest>(m, "Forest", "The nodes of one or several graphs in one array, for prediction.")
      .def(nb::new_(&make_forest), "graphs"_a)
      .def_prop_ro("nbytes", &Forest::nbytes)
      .def_prop_ro("n_nodes", &Forest::n_nodes)
      .def("predict_members", &predict_members, "columns"_a, "n_rows"_a, "form"_a = "label", "n_threads"_a = 1,
           "positions"_a = nb::none())
      .def("count_votes", &count_votes, "columns"_a, "n_rows"_a, "votes"_a, "form"_a = "label", "n_threads"_a = 1)
      .def("predict", &predict, "columns"_a, "n_rows"_a, "votes"_a, "form"_a, "priority"_a, "n_threads"_a = 1)
      .def("margins", &margins, "columns"_a, "n_rows"_a, "votes"_a, "form"_a, "classes"_a, "n_threads"_a = 1)
      .def("apply", &apply, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("decision_path", &decision_path, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("class_shares", &class_shares, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("excess", &excess, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("branch_class_weights", &branch_class_weights, "columns"_a, "n_rows"_a, "classes"_a, "weights"_a);
  m.def("winners", &winners, "scores"_a, "priority"_a,
        "Return the class with most votes of each row; ties go to the first in the priority.");
}

}  // namespace weaklearn::bindings
