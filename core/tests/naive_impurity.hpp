// The impurity of class weights, computed directly from the definition.
#pragma once

#include <vector>

#include "criteria/criterion.hpp"

namespace weaklearn::tests {

// Returns the impurity of a group of rows, times its weight, from its class weights.
template <criteria::Additive C>
double impurity(const C& criterion, const std::vector<double>& classes) {
  double sum = 0.0;
  double total = 0.0;
  for (const double x : classes) {
    sum += C::term(x);
    total += x;
  }
  return criterion.impurity(sum, total);
}

}  // namespace weaklearn::tests
