// The gain and the split information of a split, from a table of weights by outcome and class.
#pragma once

#include <span>

#include "release8/information.hpp"
#include "release8/outcome_table.hpp"

namespace weaklearn::release8 {

// The gain of a split that cannot be used.
inline constexpr float unusable = static_cast<float>(-epsilon);

// The quantities from which gains are computed. They are the same for every split of one column at one node.
struct GainBase {
  float weight = 0.0F;         // of all rows at the node
  float known = 0.0F;          // of the rows whose value is known
  float missing_share = 0.0F;
  float info = 0.0F;           // per unit of known weight, before the split
};

// Returns the base of a nominal column. The sum over classes stays in double here, but not for continuous columns, so
// the results can differ in the last bit. `recount` is the weight of the node summed again, which may differ after rows
// have moved. The original divides only the weight of missing values by it.
GainBase discrete_base(const OutcomeTable& table, float weight, float recount, const Information& information);

// Returns the gain, or `unusable` unless two branches weigh at least `min_objects`. `totals` and `infos` start at the
// first branch.
float gain_of(const GainBase& base, std::span<const float> totals, std::span<const float> infos, float min_objects);

// `totals` starts with missing values, which count as one more outcome.
inline float split_info_of(const GainBase& base, std::span<const float> totals, const Information& information) {
  return information.total(totals) / base.weight;
}

}  // namespace weaklearn::release8
