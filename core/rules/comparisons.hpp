// Comparisons of numbers in the two arithmetics: as they are in float, as in the original program, and in double so
// that numbers that are equal in real arithmetic count as equal.
#pragma once

#include "criteria/tolerance.hpp"

namespace weaklearn::rules {

inline bool is_more(float a, float b) { return a > b; }
inline bool is_more(double a, double b) { return criteria::more(a, b); }
inline bool is_less(float a, float b) { return a < b; }
inline bool is_less(double a, double b) { return criteria::less(a, b); }

}  // namespace weaklearn::rules
