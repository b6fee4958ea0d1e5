// The range of the numbers of a column.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "data/numbers.hpp"

namespace weaklearn::parallel {
class ThreadPool;
}

namespace weaklearn::data {

struct NumberRange {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  std::uint32_t n_known = 0;  // numbers that are not NaN
  bool all_integers = true;   // not reliable beyond 2^51

  // Adds the range of other rows of the column.
  void add(const NumberRange& other);
};

NumberRange range_of(Numbers numbers, std::uint32_t n_rows);

// Return the range of each of several columns, which are read together; without a pool in this thread.
std::vector<NumberRange> ranges_of(std::span<const Numbers> columns, std::uint32_t n_rows, parallel::ThreadPool& pool);
std::vector<NumberRange> ranges_of(std::span<const Numbers> columns, std::uint32_t n_rows);

// Throws std::invalid_argument if a number is infinite or, with `single`, beyond single precision.
void check(const NumberRange& range, bool single);

}  // namespace weaklearn::data
