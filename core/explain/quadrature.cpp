#include "explain/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace weaklearn::explain {

Quadrature::Quadrature(std::uint32_t size) : t(size), rest(size), weight(size) {
  const double n = size;
  for (std::uint32_t i = 0; i < (size + 1) / 2; ++i) {
    // Newton's method finds the i-th largest root x of the Legendre polynomial of degree n.
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    double slope = 1.0;
    for (int step = 0; step < 100; ++step) {
      double p = 1.0;
      double before = 0.0;
      for (std::uint32_t k = 1; k <= size; ++k) {
        const double next = ((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k;
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1.0);
      const double change = p / slope;
      x -= change;
      if (std::abs(change) < 1e-16) break;
    }
    const std::uint32_t mirrored = size - 1 - i;
    t[i] = rest[mirrored] = 0.5 * (1.0 - x);
    rest[i] = t[mirrored] = 0.5 * (1.0 + x);
    weight[i] = weight[mirrored] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
}

}  // namespace weaklearn::explain
