// Quinlan's pessimistic estimate: how many errors a leaf will make beyond those it made in training.
#pragma once

namespace weaklearn::tree {

class ExtraErrors {
 public:
  // `confidence` in (0, 1]: the smaller, the more pessimistic.
  explicit ExtraErrors(double confidence);

  // Beyond the e errors among n training instances.
  double operator()(double n, double e) const;

 private:
  double log_confidence_;
  double coefficient_;  // squared deviation of the normal distribution at that confidence
};

}  // namespace weaklearn::tree
