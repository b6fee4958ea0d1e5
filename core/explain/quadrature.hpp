// Gauss-Legendre quadrature between 0 and 1.
#pragma once

#include <cstdint>
#include <vector>

namespace weaklearn::explain {

// Points t and weights with which sums are integrals, exactly for polynomials of degree 2 size - 1.
struct Quadrature {
  explicit Quadrature(std::uint32_t size);

  std::vector<double> t;
  std::vector<double> rest;  // 1 - t, without loss of digits
  std::vector<double> weight;
};

}  // namespace weaklearn::explain
