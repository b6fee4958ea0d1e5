// Criteria: impurity functions of class weights.
//
// Terms used in this folder:
//   class weights  the weight of each class at a node; a criterion sees these and never a row
//   n              the total weight of the node
//   impurity       n times the impurity of the node, so that the impurities of two children can be added
//   term           what one class adds to the sum of an additive criterion
//
// Entry points: registry.hpp finds a criterion by name. impurity_of() computes one impurity. tolerance.hpp decides
// which results count as equal.
//
// A criterion is one file and one line in registry.hpp. It is a class that is constructed from the number of classes,
// or from the number of classes and a vector of parameters, and it is one of two kinds.
//
// An additive criterion is a function of a sum of terms, one per class, so that moving one row from one side of a cut
// to the other changes one term. It derives from AdditiveCriterion and has
//   static double term(double x)                     the term of a class of weight x; 0 for x = 0
//   static void terms(double* x, std::size_t count)  the same for many weights, in place
//   double impurity(double sum, double n) const      from the sum of the terms
// A general criterion looks at all class weights at once. It derives from GeneralCriterion and has
//   double of(std::span<const double> weights, double n) const
//
// Every criterion must be concave: no split of a node makes the sum of the impurities larger. The search for
// thresholds relies on it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weaklearn::criteria {

// What is assumed of an additive criterion unless its file says otherwise. The defaults are safe for every formula;
// the other values make the search faster.
struct AdditiveCriterion {
  // The impurity is an entropy in bits: the terms are x log2 x. C4.5 charges a threshold log2 of the number of
  // candidate cuts in bits, so only such a criterion pays the charge.
  static constexpr bool in_bits = false;
  // impurity(sum, n) is term(n) - sum, so that terms that are computed in bulk or looked up serve for n, too.
  static constexpr bool total_is_term = false;
  // The sum of terms may be updated as weight moves. Otherwise the terms are added again after each move, because
  // the rounding errors of large terms would hide small ones.
  static constexpr bool carries_sums = false;
  // The small weight that rounding may leave of a class that is gone has an equally small term. Otherwise the rows of
  // each class are counted, so that a class without rows has exactly no weight.
  static constexpr bool forgives_rounding = false;
  // A criterion whose term() and impurity() also accept float may define `static constexpr float screening_error`, the
  // largest error of an impurity per unit of weight in single precision. See splits/float_screen.hpp.
};

struct GeneralCriterion {
  static constexpr bool in_bits = false;
};

template <class C>
concept Additive = std::derived_from<C, AdditiveCriterion> && requires(const C criterion, double x) {
  { C::term(x) } -> std::same_as<double>;
  C::terms(&x, std::size_t{1});
  { criterion.impurity(x, x) } -> std::same_as<double>;
};

template <class C>
concept General =
    std::derived_from<C, GeneralCriterion> && requires(const C criterion, std::span<const double> weights) {
      { criterion.of(weights, 1.0) } -> std::same_as<double>;
    };

template <class C>
concept Criterion = Additive<C> || General<C>;

// An additive criterion that can be estimated in single precision.
template <class C>
concept Screened = Additive<C> && requires(const C criterion, float x) {
  { C::screening_error } -> std::convertible_to<float>;
  { C::term(x) } -> std::same_as<float>;
  { criterion.impurity(x, x) } -> std::same_as<float>;
};

// The impurity of a node, times its weight n, from its class weights.
template <Criterion C>
double impurity_of(const C& criterion, std::span<const double> weights, double n) {
  if constexpr (General<C>) {
    return criterion.of(weights, n);
  } else {
    double sum = 0.0;
    for (const double x : weights) sum += C::term(x);
    return criterion.impurity(sum, n);
  }
}

// The terms of whole counts, computed once: rows of weight 1 then need no logarithm. Terms beyond the table are
// computed when they are asked for.
template <Additive C>
class TermTable {
 public:
  // The terms of counts up to `largest` are in the table.
  explicit TermTable(std::uint32_t largest) : terms_(std::size_t{largest} + 1), steps_(largest) {
    for (std::uint32_t x = 0; x <= largest; ++x) terms_[x] = x;
    C::terms(terms_.data(), terms_.size());
    for (std::uint32_t x = 0; x < largest; ++x) steps_[x] = terms_[x + 1] - terms_[x];
  }

  double term(std::uint32_t x) const { return x < terms_.size() ? terms_[x] : C::term(static_cast<double>(x)); }
  // Returns the terms by count, if all up to `largest` are in the table, and null otherwise.
  const double* terms_up_to(std::uint32_t largest) const { return largest < terms_.size() ? terms_.data() : nullptr; }
  // Returns term(x + 1) - term(x).
  double step(std::uint32_t x) const { return x < steps_.size() ? steps_[x] : term(x + 1) - term(x); }

 private:
  std::vector<double> terms_;  // per count
  std::vector<double> steps_;  // per count
};

}  // namespace weaklearn::criteria
