// The exact sum of numbers, so that it does not depend on their order.
//
// Every finite double is a whole multiple of 2^-1074. The sum of up to 2^36 of them is a whole number of at most 2135
// bits, which is kept in words of 64 bits.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace weaklearn::data {

// The lowest word first, as two's complement.
using ExactSum = std::array<std::uint64_t, 35>;

// Throws std::invalid_argument if a number is not finite.
ExactSum exact_sum(std::span<const double> numbers);

}  // namespace weaklearn::data
