// The pessimistic error estimate of C4.5 Release 8, rounded to float32 where the original rounds.
#pragma once

namespace weaklearn::release8 {

class ExtraErrorsRelease8 {
 public:
  // `percent` is the confidence as given to the original's option -c, from 0 to 100.
  explicit ExtraErrorsRelease8(float percent);

  // What to add to `errors` observed among instances of total `weight`.
  float operator()(float weight, float errors) const;

 private:
  float without_errors(float weight) const;

  float confidence_;   // a share
  float coefficient_;  // the squared deviation of the normal distribution at that confidence
};

}  // namespace weaklearn::release8
