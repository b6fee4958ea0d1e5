#include "criteria/registry.hpp"

#include <numeric>

namespace weaklearn::criteria {

double two_sided_impurity(std::string_view name, std::span<const double> left, std::span<const double> right) {
  if (left.size() != right.size()) throw std::invalid_argument("the sides differ in their number of classes");
  const double n_left = std::accumulate(left.begin(), left.end(), 0.0);
  const double n_right = std::accumulate(right.begin(), right.end(), 0.0);
  return with_two_sided_impurity(name, static_cast<std::uint32_t>(left.size()), [&](auto impurity) {
    return left.size() == 2 ? impurity.of(TwoSides<2>{left.first<2>(), right.first<2>(), n_left, n_right})
                            : impurity.of(TwoSides<std::dynamic_extent>{left, right, n_left, n_right});
  });
}

}  // namespace weaklearn::criteria
