#include "release8/gain.hpp"

#include <algorithm>
#include <cstddef>

namespace weaklearn::release8 {

GainBase discrete_base(const OutcomeTable& table, float weight, float recount, const Information& information) {
  GainBase base;
  base.weight = weight;
  base.known = weight - table.totals[0];
  base.missing_share = table.totals[0] / recount;
  double sum = 0.0;
  for (std::size_t c = 0; c < table.n_classes(); ++c) {
    float count = 0.0F;
    for (std::size_t outcome = 1; outcome < table.n_outcomes(); ++outcome) count += table.classes(outcome)[c];
    sum += information.x_log2_x(count);
  }
  base.info = rounded((information.x_log2_x(base.known) - sum) / base.known);
  return base;
}

float gain_of(const GainBase& base, std::span<const float> totals, std::span<const float> infos, float min_objects) {
  const auto large_enough = [min_objects](float total) { return total >= min_objects; };
  if (std::ranges::count_if(totals, large_enough) < 2) return unusable;
  float info = 0.0F;
  for (const float branch : infos) info += branch;
  return (1.0F - base.missing_share) * (base.info - info / base.known);
}

}  // namespace weaklearn::release8
