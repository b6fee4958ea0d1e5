#include "criteria/logarithm.hpp"

#include "parallel/simd.hpp"

namespace weaklearn::criteria {

WEAKLEARN_WIDE void x_log2_x(double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] *= log2_of(x[i]);
}

}  // namespace weaklearn::criteria
