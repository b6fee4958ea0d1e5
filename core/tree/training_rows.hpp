// A dataset with the weights of one fit: which rows are present, and what follows from that once for
// the whole tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::tree {

struct TrainingSet {
  TrainingSet(const data::Dataset& dataset, std::span<const double> weights);

  const data::Dataset& dataset;
  std::vector<double> weights;          // per row
  std::vector<std::uint32_t> present;   // rows of weight > 0, ascending
  double total = 0.0;
  bool unit = true;                     // all present rows weigh 1
  bool may_be_fractional = false;       // some weight is not 1, or an unknown value may make it so

  // The greatest count that rows of weight 1 can add up to.
  std::uint32_t largest_count() const { return unit ? static_cast<std::uint32_t>(present.size()) : 0; }

  // C4.5's threshold for a cut between two codes: the greatest value of the whole training set that does
  // not exceed the midpoint, as a code.
  std::uint32_t cut_between(std::size_t column, std::uint32_t low_code, std::uint32_t high_code) const;

 private:
  std::vector<std::vector<bool>> occurs_;  // per column and code, where not all rows are present
};

}  // namespace weaklearn::tree
