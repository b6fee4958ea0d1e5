#include "graph/vote_probabilities.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "graph/powers.hpp"

namespace weaklearn::graph {
namespace {

double sum_of(std::span<const double> numbers) {
  double sum = 0.0;
  for (const double number : numbers) sum += number;
  return sum;
}

void check_sizes(std::size_t size, std::size_t n_classes) {
  if (n_classes == 0 || size % n_classes != 0) throw std::invalid_argument("expected one number per row and class");
}

// Makes the probability of the predicted class the largest of a row.
void raise_winner(std::int32_t predicted, std::span<double> probabilities) {
  const auto winner = static_cast<std::size_t>(predicted);
  if (winner >= probabilities.size()) throw std::invalid_argument("a predicted class does not exist");
  const auto greatest = std::ranges::max_element(probabilities);
  if (static_cast<std::size_t>(greatest - probabilities.begin()) == winner) return;
  const double factor = 1.0 + (*greatest - probabilities[winner]);
  for (double& probability : probabilities) probability /= factor;
  probabilities[winner] =
      *std::ranges::max_element(probabilities) * (1.0 + 2.0 * std::numeric_limits<double>::epsilon());
}

}  // namespace

std::vector<double> vote_shares(std::span<const double> votes, std::size_t n_classes) {
  check_sizes(votes.size(), n_classes);
  std::vector<double> shares(votes.size(), 1.0 / static_cast<double>(n_classes));
  for (std::size_t row = 0; row < votes.size(); row += n_classes) {
    const double total = sum_of(votes.subspan(row, n_classes));
    if (!(total > 0.0)) continue;
    for (std::size_t k = row; k < row + n_classes; ++k) shares[k] = votes[k] / total;
  }
  return shares;
}

std::vector<double> calibrated(std::span<const double> shares, const Calibration& calibration) {
  const std::size_t n_classes = calibration.base_rates.size();
  check_sizes(shares.size(), n_classes);
  std::vector<double> result = powers(shares, calibration.whole, calibration.digits);
  for (std::size_t row = 0; row < result.size(); row += n_classes) {
    const std::span of_row(result.data() + row, n_classes);
    const double sum = sum_of(of_row);
    for (std::size_t k = 0; k < n_classes; ++k)
      of_row[k] = (of_row[k] / sum * calibration.total + calibration.base_rates[k]) / (calibration.total + 1.0);
  }
  return result;
}

std::vector<double> vote_probabilities(std::span<const double> votes, std::size_t n_classes,
                                       std::span<const std::int32_t> winning,
                                       const std::optional<Calibration>& calibration) {
  std::vector<double> result = vote_shares(votes, n_classes);
  if (winning.size() != votes.size() / n_classes) throw std::invalid_argument("expected one predicted class per row");
  if (calibration && calibration->base_rates.size() != n_classes)
    throw std::invalid_argument("expected one base rate per class");
  if (calibration) result = calibrated(result, *calibration);
  for (std::size_t row = 0; row < winning.size(); ++row)
    raise_winner(winning[row], {result.data() + row * n_classes, n_classes});
  return result;
}

}  // namespace weaklearn::graph
