// The share of errors of a leaf, scaled to 1 where all classes are equally heavy: (1 - max p) K / (K - 1).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "criteria/criterion.hpp"

namespace weaklearn::criteria {

struct Error : GeneralCriterion {
  explicit Error(std::uint32_t n_classes) : scale(n_classes > 1 ? n_classes / (n_classes - 1.0) : 0.0) {}

  double of(std::span<const double> weights, double n) const {
    double largest = 0.0;
    for (const double x : weights) largest = std::max(largest, x);
    return scale * std::max(n - largest, 0.0);
  }

  double scale;
};

}  // namespace weaklearn::criteria
