#include "graph/agreement.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bindings.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

nb::ndarray<nb::numpy, double, nb::ndim<1>> count_agreements(const Ints& classes, std::uint32_t n_members,
                                                             const Contiguous& weights, std::uint32_t n_threads) {
  if (n_members == 0 || classes.shape(0) % n_members != 0)
    throw std::invalid_argument("every member must have a class for each row");
  const graph::MemberClasses given{
      {classes.data(), classes.shape(0)}, n_members, static_cast<std::uint32_t>(classes.shape(0) / n_members)};
  if (std::ranges::any_of(given.classes, [](std::int32_t number) { return number < 0; }))
    throw std::invalid_argument("a class is out of range");
  if (weights.shape(0) != 0 && weights.shape(0) != given.n_rows)
    throw std::invalid_argument("one weight per row is needed, or none");
  std::vector<double> result(std::size_t{n_members} * n_members);
  {
    const nb::gil_scoped_release release;
    graph::count_agreements(given, {weights.data(), weights.shape(0)}, n_threads, result.data());
  }
  return to_numpy(std::move(result));
}

}  // namespace

void bind_agreement(nb::module_& m) {
  m.def("count_agreements", &count_agreements, "classes"_a, "n_members"_a, "weights"_a, "n_threads"_a = 1,
        "The weight of the rows on which each two members agree; without weights their number.");
}

}  // namespace weaklearn::bindings
