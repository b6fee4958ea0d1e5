// Rows in several parts, for fits that are distributed over processes.
#include "fit/parts_of_rows.hpp"

#include <nanobind/stl/unique_ptr.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "bindings.hpp"
#include "data/dataset.hpp"
#include "data/exact_sum.hpp"
#include "fitting.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

std::span<const std::byte> bytes_of(const nb::bytes& bytes) {
  return {static_cast<const std::byte*>(bytes.data()), bytes.size()};
}

nb::bytes to_python(const tree::Routing& tree) {
  const std::vector<std::byte> bytes = tree.to_bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

std::vector<tree::RowsAndSubtree> requests_of(const Unsigned& numbers) {
  std::vector<tree::RowsAndSubtree> requests;
  for (std::size_t i = 0; i + 1 < numbers.shape(0); i += 2)
    requests.push_back({numbers.data()[i], numbers.data()[i + 1]});
  return requests;
}

tree::WeightUnit unit_from_sum(double first_unit, std::int64_t sum) {
  return tree::WeightUnit::from_sum(first_unit, sum);
}

// Asks a Python object for the sums over all parts.
class PythonCountedRows : public tree::CountedRows {
 public:
  PythonCountedRows(nb::object counter, const tree::WeightUnit& weight_unit, bool only_ones)
      : CountedRows(weight_unit, only_ones), counter_(std::move(counter)) {}

  std::vector<double> tables(const tree::Routing& tree, std::span<const std::uint32_t> nodes) override {
    const nb::gil_scoped_acquire locked;
    return vector_of(nb::cast<Contiguous>(
        counter_.attr("tables")(to_python(tree), to_numpy(std::vector(nodes.begin(), nodes.end())))));
  }

  std::vector<double> node_sums(const tree::Routing& tree, std::span<const tree::RowsAndSubtree> requests) override {
    const nb::gil_scoped_acquire locked;
    std::vector<std::uint32_t> numbers;
    for (const auto& [node, subtree] : requests) {
      numbers.push_back(node);
      numbers.push_back(subtree);
    }
    return vector_of(nb::cast<Contiguous>(counter_.attr("node_sums")(to_python(tree), to_numpy(std::move(numbers)))));
  }

 private:
  nb::object counter_;
};

auto tables(tree::PartOfRows& part, const nb::bytes& tree, std::uint64_t name_of_tree, const Unsigned& nodes) {
  std::vector<double> sums;
  {
    const auto bytes = bytes_of(tree);
    const nb::gil_scoped_release unlocked;
    sums = part.tables(tree::Routing(bytes), name_of_tree, {nodes.data(), nodes.shape(0)});
  }
  return to_numpy(std::move(sums));
}

auto node_sums(const tree::PartOfRows& part, const nb::bytes& tree, const Unsigned& requests) {
  std::vector<double> sums;
  {
    const auto bytes = bytes_of(tree);
    const nb::gil_scoped_release unlocked;
    sums = part.node_sums(tree::Routing(bytes), requests_of(requests));
  }
  return to_numpy(std::move(sums));
}

nb::bytes exact_sum(const Contiguous& numbers) {
  data::ExactSum words{};
  {
    const nb::gil_scoped_release unlocked;
    words = data::exact_sum(span_of(numbers));
  }
  std::array<std::uint8_t, sizeof words> bytes{};  // the lowest first, on every machine
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(words[i / 8] >> (i % 8 * 8));
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_parts_of_rows(nb::module_& m) {
  m.def("exact_sum", &exact_sum, "numbers"_a,
        "Return the exact sum of numbers in units of 2^-1074, as a signed whole number.");
  nb::class_<tree::WeightUnit>(m, "WeightUnit", "The power of two of which all weights of a fit are multiples.")
      .def_static("first_unit", &tree::WeightUnit::first_unit, "largest"_a, "n_rows"_a)
      .def_static(
          "sum_in",
          [](double unit, const Contiguous& weights) { return tree::WeightUnit::sum_in(unit, span_of(weights)); },
          "first_unit"_a, "weights"_a)
      .def_static("from_sum", &unit_from_sum, "first_unit"_a, "sum"_a)
      .def_prop_ro("value", &tree::WeightUnit::value);
  nb::class_<tree::PartOfRows>(m, "PartOfRows", "Some rows of a fit, and the sums that a tree needs of them.")
      .def(
          "__init__",
          [](tree::PartOfRows* self, const data::Dataset& dataset, const Contiguous& weights,
             const tree::WeightUnit& unit) { new (self) tree::PartOfRows(dataset, span_of(weights), unit); },
          "dataset"_a, "weights"_a, "unit"_a, nb::keep_alive<1, 2>())
      .def("tables", &tables, "tree"_a, "name_of_tree"_a, "nodes"_a)
      .def("node_sums", &node_sums, "tree"_a, "requests"_a);
  nb::class_<tree::CountedRows>(m, "CountedRows", "The sums over all parts, asked for from Python.")
      .def(nb::new_([](nb::object counter, const tree::WeightUnit& unit,
                       bool all_weigh_one) -> std::unique_ptr<tree::CountedRows> {
             return std::make_unique<PythonCountedRows>(std::move(counter), unit, all_weigh_one);
           }),
           "counter"_a, "unit"_a, "all_weigh_one"_a);
}

}  // namespace weaklearn::bindings
