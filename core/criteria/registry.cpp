#include "criteria/registry.hpp"

#include <numeric>

namespace weaklearn::criteria {
namespace {

// Returns the names of the entries of a registry for which wanted(entry) holds, in order.
template <class Registry, class Wanted>
std::vector<std::string> names_of(const Registry& registry, const Wanted& wanted) {
  std::vector<std::string> names;
  const auto add = [&](const auto& entry) {
    if (wanted(entry)) names.emplace_back(entry.name);
  };
  std::apply([&](const auto&... entry) { (add(entry), ...); }, registry);
  return names;
}

}  // namespace

std::vector<std::string> criterion_names() {
  return names_of(impurities, []<class C>(const Named<C>&) { return std::constructible_from<C, std::uint32_t>; });
}

std::vector<std::string> additive_criterion_names() {
  return names_of(impurities, []<class C>(const Named<C>&) { return Additive<C>; });
}

std::vector<std::string> two_sided_impurity_names() {
  return names_of(two_sided_impurities, [](const auto&) { return true; });
}

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
