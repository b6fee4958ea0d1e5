#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace weaklearn::bindings {

namespace nb = nanobind;

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;  // any stride
using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Unsigned = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bools = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Contiguous = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Returns the codes of one column. The error of a column that has none says which column it is.
inline Ints codes_of(const nb::handle& column, std::size_t index) {
  Ints codes;
  if (!nb::try_cast<Ints>(column, codes, false))
    throw std::invalid_argument("column " + std::to_string(index) +
                                ": expected a contiguous int32 array of codes or a float64 array of numbers");
  return codes;
}

// A list or another sequence of Python. nanobind converts such arguments to vectors as well, but ends the process if
// there is no memory for them.
template <class T>
using SequenceOf = nb::typed<nb::sequence, T>;

template <class T>
std::vector<T> vector_of(const SequenceOf<T>& sequence) {
  std::vector<T> values;
  for (const nb::handle element : nb::iter(sequence)) {
    T value;
    if (!nb::try_cast<T>(element, value)) throw nb::type_error("a sequence holds a value of another type");
    values.push_back(std::move(value));
  }
  return values;
}

// What columns hold: pairs of the number of values and whether they are compared in single precision.
inline std::vector<graph::ColumnType> column_types(const SequenceOf<std::pair<std::uint32_t, bool>>& columns) {
  std::vector<graph::ColumnType> types;
  for (const auto& [n_values, single_precision] : vector_of(columns)) types.push_back({n_values, single_precision});
  return types;
}

// Moves a vector to NumPy without a copy.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(std::vector<T> values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  const nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  std::vector<T>* const kept = owned.release();
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
}

void bind_dataset(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_compact_graphs(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_trees(nb::module_& m);
void bind_program(nb::module_& m);
void bind_agreement(nb::module_& m);
void bind_oblique(nb::module_& m);
void bind_separators(nb::module_& m);
void bind_rules(nb::module_& m);
void bind_explain(nb::module_& m);
void bind_parts_of_rows(nb::module_& m);

}  // namespace weaklearn::bindings
