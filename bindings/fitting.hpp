// What the bindings of the learners have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "data/dataset.hpp"
#include "data/weight_view.hpp"
#include "graph/graph.hpp"

namespace weaklearn::bindings {

inline std::span<const double> span_of(const Contiguous& numbers) { return {numbers.data(), numbers.shape(0)}; }

// The weights of rows in an array of Python: numbers that are multiplied by a scale, or counts. If its elements are one
// number in memory, as np.broadcast_to makes them, and this is 1, the core needs no weights.
class GivenWeights {
 public:
  // There are no rows if they are counted elsewhere.
  GivenWeights(const data::Dataset& dataset, const std::variant<Doubles, Bytes>& array, bool has_rows,
               double scale = 1.0) {
    if (const auto* counts = std::get_if<Bytes>(&array)) {
      require_rows(dataset, counts->shape(0), has_rows);
      if (scale != 1.0) throw std::invalid_argument("counts have no scale");
      weights_ = std::span(counts->data(), counts->shape(0));
      return;
    }
    const Doubles& numbers = std::get<Doubles>(array);
    const std::size_t n = numbers.shape(0);
    require_rows(dataset, n, has_rows);
    if (n > 0 && numbers.stride(0) == 0 && *numbers.data() * scale == 1.0) return;
    weights_ = data::WeightView::product({numbers.data(), n}, scale);
    if (n <= 1 || numbers.stride(0) == 1) return;
    for (std::size_t row = 0; row < n; ++row)
      copy_.push_back(numbers.data()[static_cast<std::int64_t>(row) * numbers.stride(0)]);
    weights_ = data::WeightView::product(copy_, scale);
  }
  GivenWeights(const GivenWeights&) = delete;
  GivenWeights& operator=(const GivenWeights&) = delete;

  data::WeightView get() const { return weights_; }

 private:
  static void require_rows(const data::Dataset& dataset, std::size_t n, bool has_rows) {
    if (has_rows && n != dataset.n_rows) throw std::invalid_argument("one weight per row is needed");
  }

  std::vector<double> copy_;  // of an array that is not contiguous
  data::WeightView weights_;
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
