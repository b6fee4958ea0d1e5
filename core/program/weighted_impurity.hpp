// The weighted impurity of the nodes of a level (the index of the papers).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "criteria/logarithm.hpp"
#include "criteria/tolerance.hpp"

namespace weaklearn::program {

using criteria::impurity_noise;

using ClassWeights = std::vector<double>;

// Class weights are scaled so that those of the whole level sum to 1. The weighted impurity of a level is then 1 if all
// classes are equally heavy in every node.
template <criteria::Criterion C>
class WeightedImpurity {
 public:
  WeightedImpurity(const C& criterion, std::uint32_t n_classes) : criterion_(criterion) {
    // An impurity in bits is log2 K for K equally heavy classes.
    if constexpr (C::in_bits) scale_ = n_classes > 1 ? 1.0 / criteria::log2_of_count(n_classes) : 0.0;
  }

  double of(std::span<const double> weights) const {
    double n = 0.0;
    double largest = 0.0;
    for (const double x : weights) {
      n += x;
      largest = std::max(largest, x);
    }
    return largest == n ? 0.0 : scale_ * criteria::impurity_of(criterion_, weights, n);
  }

  // Returns by how much merging two nodes raises it. `of_both` is the sum of their weighted impurities.
  double rise(std::span<const double> a, std::span<const double> b, double of_both) const {
    ClassWeights& sum = scratch_;
    sum.assign(a.begin(), a.end());
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += b[k];
    return of(sum) - of_both;
  }

 private:
  const C& criterion_;
  double scale_ = 1.0;
  mutable ClassWeights scratch_;
};

}  // namespace weaklearn::program
