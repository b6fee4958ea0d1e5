// Probabilities from the votes of a committee, with operations that every machine and language rounds alike. Exported
// models compute the same bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weaklearn::graph {

// How shares of votes become probabilities: powers of them (powers.hpp), scaled to sum to one, times `total`, plus the
// base rate of each class, divided by `total` + 1.
struct Calibration {
  std::uint32_t whole = 1;
  std::vector<bool> digits;
  double total = 0.0;
  std::vector<double> base_rates;
};

// The following functions take one number per row and class, and throw std::invalid_argument if the sizes do not fit.

// Returns the shares of all votes in a row, which are added from left to right; equal shares in a row without votes.
std::vector<double> vote_shares(std::span<const double> votes, std::size_t n_classes);

// Returns probabilities from shares of votes.
std::vector<double> calibrated(std::span<const double> shares, const Calibration& calibration);

// Returns probabilities from votes: shares, calibrated if there is a calibration. `winning` has the class that is
// predicted for each row. Where another class has more, all probabilities are lowered by the same factor in favour of
// the predicted class, until it has as much as that class, and a rounding unit more.
std::vector<double> vote_probabilities(std::span<const double> votes, std::size_t n_classes,
                                       std::span<const std::int32_t> winning,
                                       const std::optional<Calibration>& calibration);

}  // namespace weaklearn::graph
