// The names of the criteria. This is the only place where they are listed: the bindings hand the names to Python, and
// with_criterion() and with_two_sided_impurity() turn a name into a type, once per fit.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "criteria/entropy.hpp"
#include "criteria/error.hpp"
#include "criteria/gini.hpp"
#include "criteria/kearns_mansour.hpp"
#include "criteria/tabulated.hpp"
#include "criteria/two_sided_impurities.hpp"

namespace weaklearn::criteria {

template <class Type>
struct Named {
  std::string_view name;
};

constexpr std::tuple impurities{
    Named<Entropy>{"entropy"}, Named<Gini>{"gini"},           Named<KearnsMansour>{"km"},
    Named<Error>{"error"},     Named<Tabulated>{"tabulated"},
};

// The impurities of both sides of a split, for OC1 and SADT.
constexpr std::tuple two_sided_impurities{
    Named<InverseTwoing>{"twoing"},     Named<InverseGain>{"gain"},         Named<WeightedGini>{"gini"},
    Named<MaxMinority>{"max_minority"}, Named<SumMinority>{"sum_minority"}, Named<Variance>{"variance"},
};

// A criterion as a fit names it. Only a criterion that is constructed from parameters reads them.
struct CriterionName {
  std::string name;
  std::vector<double> parameters;
};

std::vector<std::string> criterion_names();           // those that need no parameters
std::vector<std::string> additive_criterion_names();
std::vector<std::string> two_sided_impurity_names();

// Returns use(Type) for the type of this name in a registry. Throws std::invalid_argument for any other name.
template <class First, class... Rest, class Use>
auto with_named(const std::tuple<Named<First>, Named<Rest>...>& registry, std::string_view name, const Use& use) {
  std::optional<std::invoke_result_t<const Use&, std::type_identity<First>>> result;
  const auto matches = [&]<class Type>(const Named<Type>& entry) {
    if (entry.name != name) return false;
    result.emplace(use(std::type_identity<Type>{}));
    return true;
  };
  if (!std::apply([&](const auto&... entry) { return (matches(entry) || ...); }, registry))
    throw std::invalid_argument("unknown criterion '" + std::string(name) + "'");
  return std::move(*result);
}

// Returns use(criterion) for the criterion of this name. Throws std::invalid_argument where there is none, or where the
// criterion refuses its parameters.
template <class Use>
auto with_criterion(const CriterionName& criterion, std::uint32_t n_classes, const Use& use) {
  return with_named(impurities, criterion.name, [&]<class C>(std::type_identity<C>) {
    if constexpr (std::constructible_from<C, std::uint32_t, std::vector<double>>)
      return use(C(n_classes, criterion.parameters));
    else
      return use(C(n_classes));
  });
}

// The same for the impurities of both sides of a split.
template <class Use>
auto with_two_sided_impurity(std::string_view name, std::uint32_t n_classes, const Use& use) {
  return with_named(two_sided_impurities, name,
                    [&]<class Impurity>(std::type_identity<Impurity>) { return use(Impurity(n_classes)); });
}

// Returns the impurity of a split, from the class weights of its sides. Unlike OC1 it does not ask first whether the
// split is perfect.
double two_sided_impurity(std::string_view name, std::span<const double> left, std::span<const double> right);

}  // namespace weaklearn::criteria
