#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "bindings.hpp"
#include "data/dataset.hpp"
#include "parallel/thread_pool.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

constexpr std::size_t most_rows = std::size_t{1} << 31;

std::unique_ptr<data::Dataset> make_dataset(const nb::list& columns, const std::vector<std::uint32_t>& n_values,
                                            const Ints& classes, std::uint32_t n_classes, bool single,
                                            std::uint32_t n_threads) {
  const std::size_t n_rows = classes.shape(0);
  if (n_rows >= most_rows)
    throw std::invalid_argument("got " + std::to_string(n_rows) + " rows; at most 2,147,483,647 can be encoded");
  if (nb::len(columns) != n_values.size()) throw std::invalid_argument("one number of values per column is needed");
  if (n_classes == 0) throw std::invalid_argument("at least one class is needed");

  auto dataset = std::make_unique<data::Dataset>();
  dataset->n_rows = static_cast<std::uint32_t>(n_rows);
  dataset->n_classes = n_classes;
  dataset->classes.assign(classes.data(), classes.data() + n_rows);
  for (const std::int32_t k : dataset->classes)
    if (k < 0 || static_cast<std::uint32_t>(k) >= n_classes)
      throw std::invalid_argument("a class code is out of range");

  std::vector<data::Numbers> numbers(n_values.size());
  std::vector<std::span<const std::int32_t>> codes(n_values.size());
  for (std::size_t c = 0; c < n_values.size(); ++c) {
    std::size_t size = 0;
    if (Doubles given; nb::try_cast<Doubles>(columns[c], given, false)) {
      numbers[c] = {given.data(), given.stride(0)};
      size = given.shape(0);
    } else {
      const Ints coded = codes_of(columns[c], c);
      codes[c] = {coded.data(), coded.shape(0)};
      size = coded.shape(0);
    }
    if (size != n_rows)
      throw std::invalid_argument("column " + std::to_string(c) + " has " + std::to_string(size) +
                                  " rows, the classes " + std::to_string(n_rows));
  }
  const nb::gil_scoped_release release;
  dataset->columns.resize(n_values.size());
  parallel::Pool pool(n_threads);
  auto copies = data::contiguous(numbers, dataset->n_rows, pool);
  std::vector<data::EncodingScratch> scratch(pool.n_threads());
  pool.for_each(static_cast<std::uint32_t>(n_values.size()), [&](std::uint32_t c, std::uint32_t thread) {
    try {
      dataset->columns[c] = codes[c].data() != nullptr || numbers[c].first == nullptr
                                ? data::encode_nominal(codes[c], n_values[c])
                                : data::encode_continuous(numbers[c], dataset->n_rows, single, scratch[thread]);
      copies[c].reset();  // the next column can have the memory
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("column " + std::to_string(c) + ": " + error.what());
    }
  });
  return dataset;
}

std::size_t n_bytes(const data::Dataset& dataset) {
  std::size_t total = dataset.classes.size() * sizeof(std::int32_t);
  for (const data::Column& column : dataset.columns) {
    total += std::visit([](const auto& codes) { return codes.size() * sizeof(codes[0]); }, column.codes);
    total += column.values.size() * sizeof(double) + column.order.size() * sizeof(std::uint32_t);
  }
  return total;
}

}  // namespace

void bind_dataset(nb::module_& m) {
  nb::class_<data::Dataset>(m, "Dataset", "Columns encoded once, shared by every fit.")
      .def(nb::new_(&make_dataset), "columns"_a, "n_values"_a, "classes"_a, "n_classes"_a, "single"_a = false,
           "n_threads"_a = 1)
      .def_prop_ro("n_rows", [](const data::Dataset& d) { return d.n_rows; })
      .def_prop_ro("n_classes", [](const data::Dataset& d) { return d.n_classes; })
      .def_prop_ro("nbytes", &n_bytes)
      .def_prop_ro("inseparable",
                   [](const data::Dataset& d) {
                     std::vector<std::uint32_t> found;
                     for (std::uint32_t c = 0; c < d.columns.size(); ++c) {
                       const auto& values = d.columns[c].values;
                       if (values.size() > 1 && !(values.front() < values.back() - 1e-5)) found.push_back(c);
                     }
                     return found;
                   })
      .def_prop_ro("single_precision", [](const data::Dataset& d) {
        std::vector<bool> single;
        for (const data::Column& column : d.columns) single.push_back(column.single_precision);
        return single;
      });
}

}  // namespace weaklearn::bindings
