#include "data/exact_sum.hpp"

#include <bit>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace weaklearn::data {
namespace {

constexpr std::uint64_t half_bits = 27;  // of 53 digits, so that sums of 2^36 halves fit into 63 bits
constexpr std::uint64_t low_half = (std::uint64_t{1} << half_bits) - 1;

// Adds a number that is shifted to the left by some bits.
void add_shifted(ExactSum& sum, std::int64_t number, std::size_t shift) {
  const std::uint64_t sign = number < 0 ? ~std::uint64_t{0} : 0;
  const auto bits = static_cast<std::uint64_t>(number);
  const std::size_t offset = shift % 64;
  const std::uint64_t low = bits << offset;
  const std::uint64_t high = offset == 0 ? sign : (bits >> (64 - offset)) | (sign << offset);
  std::uint64_t carry = 0;
  for (std::size_t i = shift / 64, first = i; i < sum.size(); ++i) {
    const std::uint64_t word = i == first ? low : i == first + 1 ? high : sign;
    const std::uint64_t partial = sum[i] + word;
    const std::uint64_t total = partial + carry;
    carry = static_cast<std::uint64_t>(partial < word) + static_cast<std::uint64_t>(total < partial);
    sum[i] = total;
  }
}

}  // namespace

ExactSum exact_sum(std::span<const double> numbers) {
  constexpr std::uint64_t n_exponents = 2047;  // the last one is that of infinities
  struct Halves {
    std::int64_t low = 0;
    std::int64_t high = 0;
  };
  std::vector<Halves> of_exponent(n_exponents + 1);
  for (const double number : numbers) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    const std::uint64_t exponent = (bits >> 52) & n_exponents;
    const std::uint64_t implicit = exponent == 0 ? 0 : std::uint64_t{1} << 52;
    const std::uint64_t digits = (bits & ((std::uint64_t{1} << 52) - 1)) | implicit;
    const std::int64_t sign = bits >> 63 == 0 ? 1 : -1;
    of_exponent[exponent].low += sign * static_cast<std::int64_t>(digits & low_half);
    of_exponent[exponent].high += sign * static_cast<std::int64_t>(digits >> half_bits);
  }
  const Halves& infinite = of_exponent[n_exponents];
  if (infinite.low != 0 || infinite.high != 0) throw std::invalid_argument("only finite numbers have an exact sum");
  ExactSum sum{};
  for (std::size_t exponent = 0; exponent < n_exponents; ++exponent) {
    const Halves& halves = of_exponent[exponent];
    if (halves.low == 0 && halves.high == 0) continue;
    const std::size_t shift = exponent == 0 ? 0 : exponent - 1;
    add_shifted(sum, halves.low, shift);
    add_shifted(sum, halves.high, shift + half_bits);
  }
  return sum;
}

}  // namespace weaklearn::data
