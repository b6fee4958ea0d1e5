// Weights by outcome of a test and class, and the gain of a test computed from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "release8/information.hpp"

namespace weaklearn::release8 {

// Outcome 0 is "unknown"; the branches of the test are outcomes 1, 2, ...
class Table {
 public:
  void reset(std::size_t n_outcomes, std::size_t n_classes);

  std::span<float> classes(std::size_t outcome) {
    return {counts_.data() + outcome * n_classes_, n_classes_};
  }
  std::span<const float> classes(std::size_t outcome) const {
    return {counts_.data() + outcome * n_classes_, n_classes_};
  }
  std::size_t n_outcomes() const { return totals.size(); }
  std::size_t n_classes() const { return n_classes_; }

  // Total weight and I(classes) of an outcome, from its class weights.
  void sum_up(std::size_t outcome, const Information& information);

  std::vector<float> totals;  // per outcome
  std::vector<float> infos;   // per outcome; that of "unknown" is never used

 private:
  std::size_t n_classes_ = 0;
  std::vector<float> counts_;
};

// What a gain is measured against, the same for every test on one attribute at one node.
struct Base {
  float weight = 0.0F;         // of all items at the node
  float known = 0.0F;          // weight of those whose value is known
  float unknown_share = 0.0F;
  float info = 0.0F;           // per unit of known weight, before the test
};

// Of discrete attributes. The sum over classes stays in double here but not for continuous ones:
// they can differ in the last bit. `recount` is the weight of the node summed anew, which is another
// number once items have moved; the original divides by it for the share of unknowns only.
Base discrete_base(const Table& table, float weight, float recount, const Information& information);

// `unusable` unless two branches weigh at least `min_objects`. `totals` and `infos` start at the
// first branch.
float gain_of(const Base& base, std::span<const float> totals, std::span<const float> infos,
              float min_objects);

// `totals` starts with "unknown", which counts as one more outcome.
inline float split_info_of(const Base& base, std::span<const float> totals,
                           const Information& information) {
  return information.total(totals) / base.weight;
}

}  // namespace weaklearn::release8
