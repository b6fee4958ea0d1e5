// What the bindings of the learners have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "data/dataset.hpp"
#include "graph/graph.hpp"

namespace weaklearn::bindings {

inline std::span<const double> span_of(const Contiguous& numbers) { return {numbers.data(), numbers.shape(0)}; }

// The weights of rows in an array of Python. If its elements are one number in memory, as np.broadcast_to makes them,
// and this is 1, the core needs no weights.
class GivenWeights {
 public:
  // There are no rows if they are counted elsewhere.
  GivenWeights(const data::Dataset& dataset, const Doubles& array, bool has_rows) {
    const std::size_t n = array.shape(0);
    if (has_rows && n != dataset.n_rows) throw std::invalid_argument("one weight per row is needed");
    if (n > 0 && array.stride(0) == 0 && *array.data() == 1.0) return;
    weights_ = {array.data(), n};
    if (n <= 1 || array.stride(0) == 1) return;
    for (std::size_t row = 0; row < n; ++row)
      copy_.push_back(array.data()[static_cast<std::int64_t>(row) * array.stride(0)]);
    weights_ = copy_;
  }
  GivenWeights(const GivenWeights&) = delete;
  GivenWeights& operator=(const GivenWeights&) = delete;

  std::span<const double> get() const { return weights_; }

 private:
  std::vector<double> copy_;  // of an array that is not contiguous
  std::span<const double> weights_;
};

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
