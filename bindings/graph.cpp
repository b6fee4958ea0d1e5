#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "bindings.hpp"
#include "graph/forest.hpp"
#include "graph/graph.hpp"
#include "predict_inputs.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
using graph::Graph;
using graph::Node;
using graph::Term;

template <class T, class Record, class Member>
nb::ndarray<nb::numpy, T, nb::ndim<1>> each(const std::vector<Record>& records, Member Record::* member) {
  std::vector<T> values;
  values.reserve(records.size());
  for (const Record& record : records) values.push_back(static_cast<T>(record.*member));
  return to_numpy(std::move(values));
}

template <class T, class Member>
nb::ndarray<nb::numpy, T, nb::ndim<1>> per_node(const Graph& graph, Member Node::* member) {
  return each<T>(graph.nodes, member);
}

template <class T, class Member>
nb::ndarray<nb::numpy, T, nb::ndim<1>> per_term(const Graph& graph, Member Term::* member) {
  return each<T>(graph.terms, member);
}

nb::dict arrays(const Graph& graph) {
  nb::dict result;
  result["test"] = per_node<std::uint8_t>(graph, &Node::test);
  result["attribute"] = per_node<std::int32_t>(graph, &Node::attribute);
  result["label"] = per_node<std::int32_t>(graph, &Node::label);
  result["threshold"] = per_node<double>(graph, &Node::threshold);
  result["weight"] = per_node<double>(graph, &Node::weight);
  result["errors"] = per_node<double>(graph, &Node::errors);
  result["first_branch"] = per_node<std::uint32_t>(graph, &Node::first_branch);
  result["n_branches"] = per_node<std::uint32_t>(graph, &Node::n_branches);
  result["first_value"] = per_node<std::uint32_t>(graph, &Node::first_value);
  result["n_values"] = per_node<std::uint32_t>(graph, &Node::n_values);
  result["first_class"] = per_node<std::uint32_t>(graph, &Node::first_class);
  result["n_classes"] = per_node<std::uint32_t>(graph, &Node::n_classes);
  result["first_term"] = per_node<std::uint32_t>(graph, &Node::first_term);
  result["n_terms"] = per_node<std::uint32_t>(graph, &Node::n_terms);
  result["branches"] = to_numpy(graph.branches);
  result["flow"] = to_numpy(graph.flow);
  result["value_branch"] = to_numpy(graph.value_branch);
  result["term_attribute"] = per_term<std::int32_t>(graph, &Term::attribute);
  result["term_form"] = per_term<std::uint8_t>(graph, &Term::form);
  result["term_unknown"] = per_term<double>(graph, &Term::unknown);
  result["term_influence"] = per_term<double>(graph, &Term::influence);
  result["term_first_number"] = per_term<std::uint32_t>(graph, &Term::first_number);
  result["term_n_numbers"] = per_term<std::uint32_t>(graph, &Term::n_numbers);
  result["term_numbers"] = to_numpy(graph.term_numbers);
  result["class_index"] = to_numpy(graph.class_index);
  result["class_weight"] = to_numpy(graph.class_weight);
  return result;
}

template <class T, class Array>
std::vector<T> vector_of(const Array& array) {
  return std::vector<T>(array.data(), array.data() + array.shape(0));
}

std::unique_ptr<Graph> from_arrays(std::uint32_t class_count, const Unsigned& attribute_n_values,
                                   const Bools& attribute_single, const Bytes& test, const Ints& attribute,
                                   const Ints& label, const Contiguous& threshold, const Contiguous& weight,
                                   const Contiguous& errors, const Unsigned& first_branch, const Unsigned& n_branches,
                                   const Unsigned& first_value, const Unsigned& n_values, const Unsigned& first_class,
                                   const Unsigned& n_classes, const Unsigned& first_term, const Unsigned& n_terms,
                                   const Unsigned& branches, const Contiguous& flow, const Ints& value_branch,
                                   const Ints& term_attribute, const Bytes& term_form, const Contiguous& term_unknown,
                                   const Contiguous& term_influence, const Unsigned& term_first_number,
                                   const Unsigned& term_n_numbers, const Contiguous& term_numbers,
                                   const Ints& class_index, const Contiguous& class_weight) {
  const std::size_t n = test.shape(0);
  for (const std::size_t size :
       {attribute.shape(0), label.shape(0), threshold.shape(0), weight.shape(0), errors.shape(0), first_branch.shape(0),
        n_branches.shape(0), first_value.shape(0), n_values.shape(0), first_class.shape(0), n_classes.shape(0),
        first_term.shape(0), n_terms.shape(0)})
    if (size != n) throw std::invalid_argument("the arrays of nodes differ in length");
  const std::size_t term_count = term_attribute.shape(0);
  for (const std::size_t size : {term_form.shape(0), term_unknown.shape(0), term_influence.shape(0),
                                 term_first_number.shape(0), term_n_numbers.shape(0)})
    if (size != term_count) throw std::invalid_argument("the arrays of terms differ in length");
  if (attribute_n_values.shape(0) != attribute_single.shape(0))
    throw std::invalid_argument("the arrays of attributes differ in length");

  auto result = std::make_unique<Graph>();
  result->n_classes = class_count;
  for (std::size_t a = 0; a < attribute_n_values.shape(0); ++a)
    result->attributes.push_back({attribute_n_values(a), attribute_single(a)});
  result->nodes.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (test(i) > static_cast<std::uint8_t>(graph::Test::oblique))
      throw std::invalid_argument("node " + std::to_string(i) + ": an unknown kind of test");
    result->nodes[i] = {static_cast<graph::Test>(test(i)), attribute(i), label(i), threshold(i), weight(i), errors(i),
                        first_branch(i), n_branches(i), first_value(i), n_values(i), first_class(i),
                        n_classes(i), first_term(i), n_terms(i)};
  }
  for (std::size_t t = 0; t < term_count; ++t)
    result->terms.push_back({term_attribute(t), static_cast<graph::Form>(term_form(t)), term_unknown(t),
                             term_influence(t), term_first_number(t), term_n_numbers(t)});
  result->term_numbers = vector_of<double>(term_numbers);
  result->branches = vector_of<std::uint32_t>(branches);
  result->flow = vector_of<double>(flow);
  result->value_branch = vector_of<std::int32_t>(value_branch);
  result->class_index = vector_of<std::int32_t>(class_index);
  result->class_weight = vector_of<double>(class_weight);
  if (const std::string problem = result->problem(); !problem.empty()) throw std::invalid_argument(problem);
  return result;
}

nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>> predict(const Graph& graph, const nb::list& columns,
                                                          std::uint32_t n_rows, std::uint32_t n_threads) {
  const Graph* const only = &graph;
  const graph::Forest forest({&only, 1});
  return answered<std::int32_t>(forest, columns, n_rows, n_threads, n_rows, [&](const auto& questions, auto* out) {
    forest.answers(questions, out, nullptr);
  });
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> predict_proba(const Graph& graph, const nb::list& columns,
                                                          std::uint32_t n_rows, std::uint32_t n_threads) {
  const Graph* const only = &graph;
  const graph::Forest forest({&only, 1});
  return answered<double>(forest, columns, n_rows, n_threads, std::size_t{n_rows} * graph.n_classes,
                          [&](const auto& questions, auto* out) { forest.predict_proba(questions, out); });
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> excess(const Graph& graph, const nb::list& columns, std::uint32_t n_rows,
                                                   std::uint32_t n_threads) {
  if (graph.nodes[0].test != graph::Test::oblique) throw std::invalid_argument("the root is no oblique test");
  const Graph* const only = &graph;
  const graph::Forest forest({&only, 1});
  return answered<double>(forest, columns, n_rows, n_threads, n_rows,
                          [&](const auto& questions, auto* out) { forest.excess(questions, out); });
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> flow(const Graph& graph, const nb::list& columns, std::uint32_t n_rows,
                                                 const Ints& classes, const Contiguous& weights) {
  if (classes.shape(0) != n_rows || weights.shape(0) != n_rows)
    throw std::invalid_argument("one class and one weight per row are needed");
  for (std::size_t i = 0; i < n_rows; ++i)
    if (classes(i) < 0 || static_cast<std::uint32_t>(classes(i)) >= graph.n_classes)
      throw std::invalid_argument("row " + std::to_string(i) + ": its class does not exist");
  std::size_t n_branches = 0;
  for (const Node& node : graph.nodes) n_branches += node.n_branches;
  const Graph* const only = &graph;
  const graph::Forest forest({&only, 1});
  return answered<double>(forest, columns, n_rows, 1, n_branches * graph.n_classes,
                          [&](const auto& questions, auto* out) {
                            forest.flow(questions, {classes.data(), n_rows}, {weights.data(), n_rows}, out);
                          });
}

}  // namespace

void bind_graph(nb::module_& m) {
  nb::class_<Graph>(m, "Graph", "Nodes and branches; node 0 is the root.")
      .def_static("from_arrays", &from_arrays, "class_count"_a, "attribute_n_values"_a, "attribute_single"_a, "test"_a,
                  "attribute"_a, "label"_a, "threshold"_a, "weight"_a, "errors"_a, "first_branch"_a, "n_branches"_a,
                  "first_value"_a, "n_values"_a, "first_class"_a, "n_classes"_a, "first_term"_a, "n_terms"_a,
                  "branches"_a, "flow"_a, "value_branch"_a, "term_attribute"_a, "term_form"_a, "term_unknown"_a,
                  "term_influence"_a, "term_first_number"_a, "term_n_numbers"_a, "term_numbers"_a, "class_index"_a,
                  "class_weight"_a)
      .def("arrays", &arrays)
      .def_prop_ro("depth", &Graph::depth)
      .def("predict", &predict, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("predict_proba", &predict_proba, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("excess", &excess, "columns"_a, "n_rows"_a, "n_threads"_a = 1)
      .def("flow", &flow, "columns"_a, "n_rows"_a, "classes"_a, "weights"_a);
}

}  // namespace weaklearn::bindings
