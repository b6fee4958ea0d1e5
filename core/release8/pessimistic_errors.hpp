// The pessimistic error estimate of C4.5 Release 8, rounded to float32 where the original rounds.
#pragma once

namespace weaklearn::release8 {

// Returns a share as the percentage that the original takes. It is rounded, so that 0.25 becomes exactly 25.
float percent_of(double share);

class PessimisticErrors {
 public:
  // `percent` is the confidence as for option -c of the original, from 0 to 100.
  explicit PessimisticErrors(float percent);

  // Returns what to add to the `errors` observed among rows of total `weight`.
  float operator()(float weight, float errors) const;

 private:
  float without_errors(float weight) const;

  float confidence_;   // from 0 to 1
  float coefficient_;  // the squared number of standard deviations at that confidence
};

}  // namespace weaklearn::release8
