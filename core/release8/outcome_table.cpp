#include "release8/outcome_table.hpp"

namespace weaklearn::release8 {

void OutcomeTable::reset(std::size_t n_outcomes, std::size_t n_classes) {
  n_classes_ = n_classes;
  counts_.assign(n_outcomes * n_classes, 0.0F);
  totals.assign(n_outcomes, 0.0F);
  infos.assign(n_outcomes, 0.0F);
}

void OutcomeTable::sum_up(std::size_t outcome, const Information& information) {
  float total = 0.0F;
  for (const float count : classes(outcome)) total += count;
  totals[outcome] = total;
  infos[outcome] = information.total(classes(outcome));
}

}  // namespace weaklearn::release8
