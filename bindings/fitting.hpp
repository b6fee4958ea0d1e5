// What the bindings of the learners have in common.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "graph/graph.hpp"

namespace weaklearn::bindings {

inline std::span<const double> span_of(const Contiguous& numbers) { return {numbers.data(), numbers.shape(0)}; }

inline std::vector<double> vector_of(const Contiguous& numbers) {
  return {numbers.data(), numbers.data() + numbers.shape(0)};
}

// Returns fit() as an object that Python can own. Other threads of Python run meanwhile.
template <class Fit>
std::unique_ptr<graph::Graph> fit_unlocked(const Fit& fit) {
  const nb::gil_scoped_release release;
  return std::make_unique<graph::Graph>(fit());
}

}  // namespace weaklearn::bindings
