#include "release8/frequency_table.hpp"

#include <algorithm>

namespace weaklearn::release8 {

void Table::reset(std::size_t n_outcomes, std::size_t n_classes) {
  n_classes_ = n_classes;
  counts_.assign(n_outcomes * n_classes, 0.0F);
  totals.assign(n_outcomes, 0.0F);
  infos.assign(n_outcomes, 0.0F);
}

void Table::sum_up(std::size_t outcome, const Information& information) {
  float total = 0.0F;
  for (const float count : classes(outcome)) total += count;
  totals[outcome] = total;
  infos[outcome] = information.total(classes(outcome));
}

Base discrete_base(const Table& table, float weight, float recount, const Information& information) {
  Base base;
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

float gain_of(const Base& base, std::span<const float> totals, std::span<const float> infos, float min_objects) {
  const auto large_enough = [min_objects](float total) { return total >= min_objects; };
  if (std::ranges::count_if(totals, large_enough) < 2) return unusable;
  float info = 0.0F;
  for (const float branch : infos) info += branch;
  return (1.0F - base.missing_share) * (base.info - info / base.known);
}

}  // namespace weaklearn::release8
