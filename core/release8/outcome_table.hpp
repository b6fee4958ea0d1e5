// A table of weights by outcome and class.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "release8/information.hpp"

namespace weaklearn::release8 {

// Outcome 0 is a missing value. The branches of the split are outcomes 1, 2, ...
class OutcomeTable {
 public:
  void reset(std::size_t n_outcomes, std::size_t n_classes);

  std::span<float> classes(std::size_t outcome) { return {counts_.data() + outcome * n_classes_, n_classes_}; }
  std::span<const float> classes(std::size_t outcome) const {
    return {counts_.data() + outcome * n_classes_, n_classes_};
  }
  std::size_t n_outcomes() const { return totals.size(); }
  std::size_t n_classes() const { return n_classes_; }

  // Computes the total weight and I(classes) of an outcome from its class weights.
  void sum_up(std::size_t outcome, const Information& information);

  std::vector<float> totals;  // per outcome
  std::vector<float> infos;   // per outcome; the one of missing values is never used

 private:
  std::size_t n_classes_ = 0;
  std::vector<float> counts_;
};

}  // namespace weaklearn::release8
