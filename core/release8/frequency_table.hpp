// A table of weights by outcome and class, and the gain of a split computed from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "release8/information.hpp"

namespace weaklearn::release8 {

// Outcome 0 is a missing value. The branches of the split are outcomes 1, 2, ...
class Table {
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

// The quantities from which gains are computed. They are the same for every split of one column at one node.
struct Base {
  float weight = 0.0F;         // of all rows at the node
  float known = 0.0F;          // of the rows whose value is known
  float missing_share = 0.0F;
  float info = 0.0F;           // per unit of known weight, before the split
};

// Returns the base of a nominal column. The sum over classes stays in double here, but not for continuous columns, so
// the results can differ in the last bit. `recount` is the weight of the node summed again, which may differ after rows
// have moved. The original divides only the weight of missing values by it.
Base discrete_base(const Table& table, float weight, float recount, const Information& information);

// Returns the gain, or `unusable` unless two branches weigh at least `min_objects`. `totals` and `infos` start at the
// first branch.
float gain_of(const Base& base, std::span<const float> totals, std::span<const float> infos, float min_objects);

// `totals` starts with missing values, which count as one more outcome.
inline float split_info_of(const Base& base, std::span<const float> totals, const Information& information) {
  return information.total(totals) / base.weight;
}

}  // namespace weaklearn::release8
