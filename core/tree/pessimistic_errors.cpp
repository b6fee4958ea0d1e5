#include "tree/pessimistic_errors.hpp"

#include <cmath>
#include <cstddef>
#include <iterator>

#include "criteria/tolerance.hpp"

namespace weaklearn::tree {
namespace {

constexpr double levels[] = {0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00};
constexpr double deviations[] = {4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00};

double squared_deviation(double confidence) {
  std::size_t i = 1;
  while (i + 1 < std::size(levels) && confidence > levels[i]) ++i;
  const double share = (confidence - levels[i - 1]) / (levels[i] - levels[i - 1]);
  const double deviation = deviations[i - 1] + share * (deviations[i] - deviations[i - 1]);
  return deviation * deviation;
}

}  // namespace

PessimisticErrors::PessimisticErrors(double confidence)
    : log_confidence_(std::log(confidence)), coefficient_(squared_deviation(confidence)) {}

double PessimisticErrors::extra(double n, double e) const {
  if (e < 1e-6) return n * (1.0 - std::exp(log_confidence_ / n));
  if (e < 0.9999) {
    const double none = extra(n, 0.0);
    return none + e * (extra(n, 1.0) - none);
  }
  if (criteria::at_least(e + 0.5, n)) return 0.67 * (n - e);
  const double half = e + 0.5;
  const double limit =
      (half + coefficient_ / 2 + std::sqrt(coefficient_ * (half * (1 - half / n) + coefficient_ / 4))) /
      (n + coefficient_);
  return n * limit - e;
}

}  // namespace weaklearn::tree
