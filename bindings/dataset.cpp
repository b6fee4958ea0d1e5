#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "bindings.hpp"
#include "data/encode_dataset.hpp"
#include "fit/fit_c45.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

// A column of a table is a float64 array of numbers, or an int32 array of codes.
data::RawColumn raw_column(const nb::handle& column, std::size_t index, std::uint32_t n_values) {
  if (Doubles numbers; nb::try_cast<Doubles>(column, numbers, false))
    return {
        .numbers = {numbers.data(), numbers.stride(0)}, .codes = {}, .n_values = n_values, .n_rows = numbers.shape(0)};
  const Ints codes = codes_of(column, index);
  return {.numbers = {},
          .codes = {codes.data(), codes.shape(0)},
          .n_values = n_values,
          .n_rows = codes.shape(0),
          .nominal = true};
}

std::unique_ptr<data::Dataset> make_dataset(const nb::list& columns, const std::vector<std::uint32_t>& n_values,
                                            const Ints& classes, std::uint32_t n_classes, bool single,
                                            std::uint32_t n_threads, const std::vector<std::uint32_t>& exact,
                                            std::uint32_t max_bins) {
  if (nb::len(columns) != n_values.size()) throw std::invalid_argument("one number of values per column is needed");
  std::vector<data::RawColumn> raw;
  for (std::size_t c = 0; c < n_values.size(); ++c) raw.push_back(raw_column(columns[c], c, n_values[c]));
  for (const std::uint32_t c : exact) raw.at(c).exact = true;
  const nb::gil_scoped_release release;
  return std::make_unique<data::Dataset>(
      data::encode_dataset(raw, {classes.data(), classes.shape(0)}, n_classes,
                           {.single = single, .max_bins = max_bins, .n_threads = n_threads}));
}

std::unique_ptr<data::Dataset> select_columns(const data::Dataset& dataset, const std::vector<std::uint32_t>& columns) {
  const nb::gil_scoped_release release;
  return std::make_unique<data::Dataset>(data::select_columns(dataset, columns));
}

std::vector<bool> single_precision(const data::Dataset& dataset) {
  std::vector<bool> single;
  for (const data::Column& column : dataset.columns) single.push_back(column.single_precision);
  return single;
}

}  // namespace

void bind_dataset(nb::module_& m) {
  nb::class_<data::Dataset>(m, "Dataset", "Columns encoded once, shared by every fit.")
      .def(nb::new_(&make_dataset), "columns"_a, "n_values"_a, "classes"_a, "n_classes"_a, "single"_a = false,
           "n_threads"_a = 1, "exact"_a = std::vector<std::uint32_t>{}, "max_bins"_a = 0)
      .def("select_columns", &select_columns, "columns"_a, "Return a copy with some of the columns, in this order.")
      .def_prop_ro("n_rows", [](const data::Dataset& d) { return d.n_rows; })
      .def_prop_ro("n_classes", [](const data::Dataset& d) { return d.n_classes; })
      .def_prop_ro("nbytes", &data::n_bytes)
      .def_prop_ro("inseparable", &fit::inseparable_columns)
      .def_prop_ro("single_precision", &single_precision);
}

}  // namespace weaklearn::bindings
