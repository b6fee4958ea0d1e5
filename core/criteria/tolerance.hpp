// Comparisons in which what is equal in real arithmetic counts as equal, however it was summed.
#pragma once

#include <algorithm>
#include <cmath>

namespace weaklearn::criteria {

constexpr double slack = 1e-9;

inline double slack_at(double bound) { return slack * std::max(1.0, std::abs(bound)); }
inline bool more(double a, double bound) { return a > bound + slack_at(bound); }
inline bool less(double a, double bound) { return a < bound - slack_at(bound); }
inline bool at_least(double a, double bound) { return !less(a, bound); }
inline bool at_most(double a, double bound) { return !more(a, bound); }

}  // namespace weaklearn::criteria
