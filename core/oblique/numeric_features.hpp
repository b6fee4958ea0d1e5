// A table as the numbers that a hyperplane needs: a continuous attribute is one of them, a nominal one is a 0 or 1
// for each of its values, or a single one where it has two. What is unknown is the mean.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "graph/draft.hpp"

namespace weaklearn::oblique {

struct Feature {
  std::uint32_t attribute = 0;
  std::int32_t value = -1;  // of a nominal attribute: 1 where it is this one, else 0
  double unknown = 0.0;     // the mean of what is known
  double scale = 1.0;       // a power of two: numbers so large that their sums overflow are made smaller
};

// A hyperplane, by its coefficients per feature and its constant: a point where the sum is below 0 lies left.
struct Plane {
  std::vector<double> coefficients;
  double constant = 0.0;
};

// The test that a plane is: the sum of its terms is at most `threshold` on the left.
struct LinearTest {
  std::vector<graph::DraftTerm> terms;
  double threshold = 0.0;
};

class Features {
 public:
  // Means are those of the rows given. Attributes that are the same for all of them have no feature.
  Features(const data::Dataset& dataset, std::span<const double> weights, std::span<const std::uint32_t> rows);

  std::size_t size() const { return features_.size(); }
  const Feature& operator[](std::size_t f) const { return features_[f]; }
  const data::Dataset& dataset() const { return *dataset_; }

  double number(std::size_t f, std::uint32_t row) const;

  LinearTest test_of(const Plane& plane) const;

 private:
  const data::Dataset* dataset_;
  std::vector<Feature> features_;
};

}  // namespace weaklearn::oblique
