#include "graph/graph.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "graph/shrink_shares.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
using graph::Graph;

// NumPy's description of the elements of an array: a structured dtype for the records of node.hpp.
template <class T>
nb::object dtype_of() {
  const nb::object make_dtype = nb::module_::import_("numpy").attr("dtype");
  if constexpr (std::is_class_v<T>) {
    nb::list fields;
    for (const graph::Field& field : graph::fields_of<T>())
      fields.append(nb::make_tuple(field.name, std::string(1, field.type) + std::to_string(field.size)));
    return make_dtype(fields);
  } else {
    return make_dtype(std::string(1, graph::field_type<T>()) + std::to_string(sizeof(T)));
  }
}

nb::dict array_dtypes() {
  nb::dict result;
  Graph::for_each_array(*std::make_unique<Graph>(),
                        [&]<class T>(const char* name, const std::vector<T>&) { result[name] = dtype_of<T>(); });
  return result;
}

// Returns read-only views of the arrays, which keep the graph alive.
nb::dict arrays(nb::handle_t<Graph> self) {
  nb::dict result;
  Graph::for_each_array(nb::cast<const Graph&>(self), [&]<class T>(const char* name, const std::vector<T>& values) {
    using Bytes = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>>;
    Bytes bytes(values.data(), {values.size() * sizeof(T)}, self);
    result[name] = bytes.cast().attr("view")(dtype_of<T>());
  });
  return result;
}

template <class T>
std::vector<T> values_of(const nb::dict& arrays, const char* name) {
  // Files of graphs without missing branches or shrinkage do not have these arrays.
  if (const std::string_view key = name; !arrays.contains(name) && (key == "missing_branch" || key == "shrinkage"))
    return {};
  if (!arrays.contains(name)) throw std::invalid_argument("its array '" + std::string(name) + "' is missing");
  const nb::object array = arrays[name];
  const nb::object dtype = dtype_of<T>();
  if (!nb::hasattr(array, "dtype") || !array.attr("dtype").equal(dtype) || nb::cast<int>(array.attr("ndim")) != 1)
    throw std::invalid_argument("its array '" + std::string(name) + "' must be a 1D array of " +
                                nb::cast<std::string>(nb::str(dtype)));
  const auto bytes =
      nb::cast<Bytes>(nb::module_::import_("numpy").attr("ascontiguousarray")(array).attr("view")("uint8"));
  std::vector<T> values(array.attr("size").equal(nb::int_(0)) ? 0 : bytes.shape(0) / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.shape(0));
  return values;
}

std::unique_ptr<Graph> from_arrays(std::uint32_t n_classes, const SequenceOf<std::pair<std::uint32_t, bool>>& columns,
                                   const nb::dict& arrays) {
  auto graph = std::make_unique<Graph>();
  graph->n_classes = n_classes;
  graph->columns = column_types(columns);
  Graph::for_each_array(
      *graph, [&]<class T>(const char* name, std::vector<T>& values) { values = values_of<T>(arrays, name); });
  if (const std::string problem = graph->problem(); !problem.empty()) throw std::invalid_argument(problem);
  return graph;
}

auto predicted_shares(const Graph& graph) { return to_numpy(graph::predicted_shares(graph)); }

template <std::size_t n>
nb::tuple tuple_of(const char* const (&names)[n]) {
  nb::list result;
  for (const char* name : names) result.append(name);
  return nb::tuple(result);
}

}  // namespace

void bind_graph(nb::module_& m) {
  nb::class_<Graph>(m, "Graph", "Nodes and branches; node 0 is the root.")
      .def_static("from_arrays", &from_arrays, "n_classes"_a, "columns"_a, "arrays"_a,
                  "Make a graph from its arrays; every index is checked. A column is a pair: the number of its\n"
                  "values, 0 if it is continuous, and whether it is compared in single precision.")
      .def("arrays", &arrays, "Return the arrays of the graph by name, read-only and without a copy.")
      .def("predicted_shares", &predicted_shares, "Return the class shares that each node predicts, node after node.")
      .def_prop_ro("depth", &Graph::depth);
  m.attr("GRAPH_DTYPES") = array_dtypes();
  m.attr("NO_VALUE_ABOVE") = graph::no_value_above;
  m.attr("SPLIT_KINDS") = tuple_of(graph::split_kind_names);
  m.attr("TERM_FORMS") = tuple_of(graph::term_form_names);
}

}  // namespace weaklearn::bindings
