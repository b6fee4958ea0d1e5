// Impurity criteria. A criterion sees class weights, never a row. The additive ones, all in this file, are a
// sum of terms, one per class, and a function of that sum, so that moving one row from side to side costs one
// term; a general one looks at all class weights, of(weights, n).
//
//   term(x)            of the weight x of one class
//   terms(x, count)    the same of many weights, in place
//   impurity(sum, n)   of the sum of terms and the total weight n: n times the impurity of the node
//
// In single precision, too, for those who only want to know about how much it is.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/logarithm.hpp"

namespace weaklearn::criteria {

template <class C>
concept Additive = requires(const C criterion, double x) {
  { C::term(x) } -> std::same_as<double>;
  C::terms(&x, std::size_t{1});
  { criterion.impurity(x, x) } -> std::same_as<double>;
};

template <class C>
concept General = requires(const C criterion, std::span<const double> weights) {
  { criterion.of(weights, 1.0) } -> std::same_as<double>;
};

template <class C>
concept Criterion = Additive<C> || General<C>;

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

// Entropy in bits, not divided by log2 K: C4.5's information.
struct Entropy {
  explicit Entropy(std::uint32_t) {}
  template <std::floating_point T>
  static T term(T x) { return x_log2_x(x); }
  static void terms(double* x, std::size_t count) { x_log2_x(x, count); }
  template <std::floating_point T>
  T impurity(T sum, T n) const { return x_log2_x(n) - sum; }
};

// (1 - sum p^2) K / (K - 1)
struct Gini {
  explicit Gini(std::uint32_t n_classes) : scale(n_classes > 1 ? n_classes / (n_classes - 1.0) : 0.0) {}
  template <std::floating_point T>
  static T term(T x) { return x * x; }
  static void terms(double* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] *= x[i];
  }
  template <std::floating_point T>
  T impurity(T sum, T n) const { return n > T{0} ? static_cast<T>(scale) * (n - sum / n) : T{0}; }
  double scale;
};

// Kearns and Mansour: ((sum sqrt p)^2 - 1) / (K - 1)
struct KearnsMansour {
  explicit KearnsMansour(std::uint32_t n_classes) : scale(n_classes > 1 ? 1.0 / (n_classes - 1.0) : 0.0) {}
  template <std::floating_point T>
  static T term(T x) { return x > T{0} ? std::sqrt(x) : T{0}; }
  static void terms(double* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] = std::sqrt(x[i]);
  }
  template <std::floating_point T>
  T impurity(T sum, T n) const { return static_cast<T>(scale) * (sum * sum - n); }
  double scale;
};

// Terms of whole counts, looked up: rows of weight one need no logarithm.
template <Additive C>
struct TermTable {
  explicit TermTable(std::uint32_t largest) : term(std::size_t{largest} + 1), step(largest) {
    for (std::uint32_t x = 0; x <= largest; ++x) term[x] = x;
    C::terms(term.data(), term.size());
    for (std::uint32_t x = 0; x < largest; ++x) step[x] = term[x + 1] - term[x];
  }
  std::vector<double> term;  // term[x] of a count x
  std::vector<double> step;  // step[x] = term[x + 1] - term[x]
};

}  // namespace weaklearn::criteria
