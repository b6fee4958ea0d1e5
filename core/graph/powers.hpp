// Powers by multiplications and square roots, which every machine and language rounds alike; pow() differs between
// them. Exported models compute the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weaklearn::graph {

// Returns each number to the power of an exponent, given by its whole part and its binary digits after the point, the
// last digit first. The power starts at 1. For each digit it becomes its square root, times the square root of the
// number if the digit is set. Then it is multiplied by the number `whole` times. No number is negative.
std::vector<double> powers(std::span<const double> numbers, std::uint32_t whole, const std::vector<bool>& digits);

}  // namespace weaklearn::graph
