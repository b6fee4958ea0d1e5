#include "graph/agreement.hpp"

#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "bindings.hpp"
#include "graph/powers.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

nb::ndarray<nb::numpy, double, nb::ndim<1>> count_agreements(const Ints& classes, std::uint32_t n_members,
                                                             const Contiguous& weights, std::uint32_t n_threads) {
  std::vector<double> result;
  {
    const nb::gil_scoped_release release;
    result = graph::count_agreements({classes.data(), classes.shape(0)}, n_members, {weights.data(), weights.shape(0)},
                                     n_threads);
  }
  return to_numpy(std::move(result));
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> powers(const Contiguous& numbers, std::uint32_t whole,
                                                   const SequenceOf<bool>& digits) {
  const std::vector<bool> binary = vector_of(digits);
  std::vector<double> result;
  {
    const nb::gil_scoped_release release;
    result = graph::powers({numbers.data(), numbers.shape(0)}, whole, binary);
  }
  return to_numpy(std::move(result));
}

}  // namespace

void bind_agreement(nb::module_& m) {
  m.def("count_agreements", &count_agreements, "classes"_a, "n_members"_a, "weights"_a, "n_threads"_a = 1,
        "The weight of the rows on which each two members agree; without weights their number.");
  m.def("powers", &powers, "numbers"_a, "whole"_a, "digits"_a,
        "The numbers to the power of an exponent: its whole part, and its binary digits, the last first.");
}

}  // namespace weaklearn::bindings
