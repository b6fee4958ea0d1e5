// The numeric features of a hyperplane. A continuous column is one feature. A nominal column is one feature of 0 or 1
// for each of its values, or a single feature if it has two values. A missing value is replaced by the mean.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::oblique {

struct Feature {
  std::uint32_t column = 0;
  std::int32_t value = -1;  // nominal column: the feature is 1 for this value, otherwise 0
  double missing = 0.0;     // the mean, which replaces a missing value
  double scale = 1.0;       // a power of two that makes very large values smaller, so that sums do not overflow
};

// A hyperplane: one coefficient per feature, and a constant. A point is on the left if its sum is below 0.
struct Plane {
  std::vector<double> coefficients;
  double constant = 0.0;
};

// A plane as the split of a graph: a row goes left if the sum of its terms is at most `threshold`.
struct LinearSplit {
  std::vector<graph::DraftTerm> terms;
  double threshold = 0.0;
};

class Features {
 public:
  // Means are taken over the given rows. A column that has the same value in all of them has no feature.
  Features(const data::Dataset& dataset, std::span<const double> weights, std::span<const std::uint32_t> rows);

  std::size_t size() const { return features_.size(); }
  const Feature& operator[](std::size_t f) const { return features_[f]; }
  const data::Dataset& dataset() const { return *dataset_; }

  double number(std::size_t f, std::uint32_t row) const;

  LinearSplit split_of(const Plane& plane) const;

 private:
  const data::Dataset* dataset_;
  std::vector<Feature> features_;
};

}  // namespace weaklearn::oblique
