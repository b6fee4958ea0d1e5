#include "splits/float_screen.hpp"

#include "parallel/simd.hpp"

namespace weaklearn::splits {
namespace {

// Inlined into functions that are compiled for several processors.
template <class C>
[[gnu::always_inline]] inline void screen_cuts(const C& criterion, const double* first, const double* second,
                                               std::size_t n, const double (&all)[2], float* parts) {
  const double scale = 1.0 / (all[0] + all[1]);
  const double all_first = all[0] * scale;
  const double all_second = all[1] * scale;
  const C own = criterion;
  const std::size_t n_rounds = (n + screened_at_once - 1) / screened_at_once;
  for (std::size_t i = 0; i < n_rounds * screened_at_once; ++i) {
    const double a = first[i] * scale;
    const double b = second[i] * scale;
    const auto low_a = static_cast<float>(a);
    const auto low_b = static_cast<float>(b);
    // Subtracted before they are rounded: of what little is left above, little may be wrong.
    const auto high_a = static_cast<float>(all_first > a ? all_first - a : 0.0);
    const auto high_b = static_cast<float>(all_second > b ? all_second - b : 0.0);
    parts[i] = own.impurity(C::term(low_a) + C::term(low_b), low_a + low_b) +
               own.impurity(C::term(high_a) + C::term(high_b), high_a + high_b);
  }
}

}  // namespace

WEAKLEARN_WIDE void screen(const criteria::Entropy& criterion, const double* first, const double* second, std::size_t n,
                           const double (&all)[2], float* parts) {
  screen_cuts(criterion, first, second, n, all, parts);
}

WEAKLEARN_WIDE void screen(const criteria::Gini& criterion, const double* first, const double* second, std::size_t n,
                           const double (&all)[2], float* parts) {
  screen_cuts(criterion, first, second, n, all, parts);
}

WEAKLEARN_WIDE void screen(const criteria::KearnsMansour& criterion, const double* first, const double* second,
                           std::size_t n, const double (&all)[2], float* parts) {
  screen_cuts(criterion, first, second, n, all, parts);
}

}  // namespace weaklearn::splits
