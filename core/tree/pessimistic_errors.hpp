// Quinlan's pessimistic estimate of the errors that a leaf will make beyond its training errors.
#pragma once

namespace weaklearn::tree {

class PessimisticErrors {
 public:
  // `confidence` is in (0, 1]. A smaller one is more pessimistic.
  explicit PessimisticErrors(double confidence);

  // Returns the number of errors beyond the e training errors, at a leaf of weight n.
  double extra(double n, double e) const;
  // Returns all errors: e and those beyond.
  double total(double n, double e) const { return e + extra(n, e); }

 private:
  double log_confidence_;
  double coefficient_;  // squared deviation of the normal distribution at that confidence
};

}  // namespace weaklearn::tree
