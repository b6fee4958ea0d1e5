#include "release8/pessimistic_errors.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace weaklearn::release8 {
namespace {

constexpr std::array shares{0.0F, 0.001F, 0.005F, 0.01F, 0.05F, 0.10F, 0.20F, 0.40F, 1.00F};
constexpr std::array deviations{4.0F, 3.09F, 2.58F, 2.33F, 1.65F, 1.28F, 0.84F, 0.25F, 0.00F};

float interpolated_deviation(float confidence) {
  std::size_t i = 1;  // a confidence of 0 belongs to the first interval
  while (confidence > shares[i]) ++i;  // the last share is the greatest confidence
  return deviations[i - 1] +
         (deviations[i] - deviations[i - 1]) * (confidence - shares[i - 1]) / (shares[i] - shares[i - 1]);
}

}  // namespace

float percent_of(double share) {
  constexpr double steps = 1e6;
  return static_cast<float>(std::round(share * 100.0 * steps) / steps);
}

PessimisticErrors::PessimisticErrors(float percent) : confidence_(percent / 100.0F) {
  const float deviation = interpolated_deviation(confidence_);
  coefficient_ = deviation * deviation;
}

// Without errors the estimate is exact: the error rate p with (1 - p)^weight = confidence.
float PessimisticErrors::without_errors(float weight) const {
  const double log_confidence = std::log(static_cast<double>(confidence_));
  return static_cast<float>(weight * (1.0 - std::exp(log_confidence / weight)));
}

float PessimisticErrors::operator()(float weight, float errors) const {
  // Errors of about 1e-7 are rounding errors of drifting weights and count as none.
  if (errors < 1e-6) return without_errors(weight);
  if (errors < 0.9999) {
    // For a weight below 1 the estimate at one error is negative, as in the original.
    const float at_none = without_errors(weight);
    return at_none + errors * ((*this)(weight, 1.0F) - at_none);
  }
  const double corrected = errors + 0.5;  // continuity correction
  if (corrected >= weight) return static_cast<float>(0.67 * (weight - errors));

  const float k = coefficient_;
  const double variance = k * (corrected * (1.0 - corrected / weight) + k / 4.0F);
  const float rate = static_cast<float>((corrected + k / 2.0F + std::sqrt(variance)) / (weight + k));
  return weight * rate - errors;
}

}  // namespace weaklearn::release8
