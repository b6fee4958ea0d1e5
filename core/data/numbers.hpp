// The numbers of a column as the caller passed them.
#pragma once

#include <cstddef>

namespace weaklearn::data {

// A strided view. NaN means missing.
struct Numbers {
  const double* first = nullptr;
  std::ptrdiff_t stride = 1;
  double operator[](std::size_t row) const { return first[static_cast<std::ptrdiff_t>(row) * stride]; }
};

}  // namespace weaklearn::data
