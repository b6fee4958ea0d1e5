#include "graph/compact_graphs.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "graph/forest.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
using graph::CompactGraphs;
using graph::CompactView;
using graph::Graph;

nb::dict compact_dtypes() {
  const nb::object make_dtype = nb::module_::import_("numpy").attr("dtype");
  nb::dict result;
  const CompactGraphs empty;
  CompactGraphs::for_each_list(empty, [&]<class T>(const char* name, const std::vector<T>&) {
    result[name] = make_dtype(std::string(1, graph::field_type<T>()) + std::to_string(sizeof(T)));
  });
  return result;
}

nb::dict compact_graphs(const nb::list& graphs) {
  std::vector<const Graph*> members;
  for (const nb::handle& graph : graphs) members.push_back(nb::cast<const Graph*>(graph));
  CompactGraphs form = [&] {
    const nb::gil_scoped_release released;
    return graph::compact(members);
  }();
  nb::dict result;
  CompactGraphs::for_each_list(
      form, [&]<class T>(const char* name, std::vector<T>& values) { result[name] = to_numpy(std::move(values)); });
  return result;
}

using Columns = SequenceOf<std::pair<std::uint32_t, bool>>;

// Calls use(form, n_classes, columns) without the GIL.
template <class Use>
auto with_form(std::uint32_t n_classes, const Columns& columns, const nb::dict& arrays, const Use& use) {
  const std::vector<graph::ColumnType> types = column_types(columns);
  CompactView form;
  std::vector<nb::object> kept;  // the arrays that the views refer to
  CompactView::for_each_list(form, [&]<class T>(const char* name, std::span<const T>& values) {
    if (!arrays.contains(name)) return;
    nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu> array;
    kept.emplace_back(arrays[name]);
    if (!nb::try_cast(kept.back(), array, false))
      throw std::invalid_argument("its \"" + std::string(name) + "\" is not a 1D array of the expected type");
    values = {array.data(), array.shape(0)};
  });
  const nb::gil_scoped_release released;
  return use(form, n_classes, types);
}

nb::list expand_graphs(std::uint32_t n_classes, const Columns& columns, const nb::dict& arrays) {
  nb::list result;
  for (Graph& graph : with_form(n_classes, columns, arrays, graph::expand))
    result.append(nb::cast(std::make_unique<Graph>(std::move(graph))));
  return result;
}

void check_graphs(std::uint32_t n_classes, const Columns& columns, const nb::dict& arrays) {
  with_form(n_classes, columns, arrays, [](const auto&... form) { graph::expand_each(form..., [](const Graph&) {}); });
}

std::unique_ptr<graph::Forest> expand_forest(std::uint32_t n_classes, const Columns& columns, const nb::dict& arrays) {
  return with_form(n_classes, columns, arrays,
                   [](const auto&... form) { return std::make_unique<graph::Forest>(form...); });
}

}  // namespace

void bind_compact_graphs(nb::module_& m) {
  m.def("compact_graphs", &compact_graphs, "graphs"_a, "Return the arrays of the compact form of graphs, by name.");
  m.def("expand_graphs", &expand_graphs, "n_classes"_a, "columns"_a, "arrays"_a,
        "Return the graphs of a compact form; every index is checked. A list that is absent is empty.\n"
        "Columns are described as for Graph.from_arrays.");
  m.def("check_graphs", &check_graphs, "n_classes"_a, "columns"_a, "arrays"_a,
        "Raise a ValueError if expand_graphs would.");
  m.def("expand_forest", &expand_forest, "n_classes"_a, "columns"_a, "arrays"_a,
        "Return the forest of the graphs of a compact form, without keeping the graphs.");
  m.attr("COMPACT_DTYPES") = compact_dtypes();
}

}  // namespace weaklearn::bindings
