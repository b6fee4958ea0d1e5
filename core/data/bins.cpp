#include "data/bins.hpp"

#include <cmath>
#include <utility>

namespace weaklearn::data {
namespace {

template <class Code>
void write_codes(const Bins& bins, Numbers numbers, std::size_t n_rows, Code* codes) {
  const double* const tops = bins.tops.data();
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double number = bins.single_precision ? static_cast<double>(static_cast<float>(numbers[row])) : numbers[row];
    std::size_t code = 0;
    std::size_t n = bins.tops.size();
    // A binary search without conditional jumps, which would be predicted wrongly.
    while (n > 1) {
      const std::size_t half = n / 2;
      code += tops[code + half - 1] < number ? half : 0;
      n -= half;
    }
    codes[row] = static_cast<Code>(std::isnan(number) ? bins.tops.size() : code);
  }
}

}  // namespace

bool fits_single(const std::vector<double>& values) {
  float previous = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<float>(values[i]);
    if (std::isinf(value) || (i > 0 && value == previous)) return false;
    previous = value;
  }
  return true;
}

Bins make_bins(std::vector<double> tops, bool single, bool exact) {
  Bins bins{std::move(tops), false};
  bins.single_precision = (single || !exact) && fits_single(bins.tops);
  if (bins.single_precision)
    for (double& top : bins.tops) top = static_cast<float>(top);
  return bins;
}

void find_bins(const Bins& bins, Numbers numbers, std::size_t n_rows, std::uint8_t* codes) {
  write_codes(bins, numbers, n_rows, codes);
}
void find_bins(const Bins& bins, Numbers numbers, std::size_t n_rows, std::uint16_t* codes) {
  write_codes(bins, numbers, n_rows, codes);
}
void find_bins(const Bins& bins, Numbers numbers, std::size_t n_rows, std::uint32_t* codes) {
  write_codes(bins, numbers, n_rows, codes);
}

}  // namespace weaklearn::data
