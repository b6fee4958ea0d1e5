#include "data/bins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace weaklearn::data {
namespace {

// A grid of equal cells over the tops of bins. The cell of a number says how many tops are certainly below it; those in
// the cell itself are compared. That takes less time than a binary search as long as no cell has many tops.
class Grid {
 public:
  explicit Grid(const std::vector<double>& tops)
      : first_(tops.front()), scale_(n_cells / (tops.back() - tops.front())), tops_(tops), below_(n_cells + 1, 0) {
    for (const double top : tops) ++below_[cell_of(top) + 1];
    most_in_cell_ = std::ranges::max(below_);
    for (std::size_t c = 0; c < n_cells; ++c) below_[c + 1] += below_[c];
    tops_.insert(tops_.end(), 4, std::numeric_limits<double>::infinity());
  }

  bool pays() const { return most_in_cell_ <= 4; }

  // Returns the number of tops that are below a number, which must not be NaN.
  template <std::size_t most_in_cell>
  std::size_t n_below(double number) const {
    std::size_t n = below_[cell_of(number)];
    for (std::size_t i = 0; i < most_in_cell; ++i) n += tops_[n] < number;
    return n;
  }

  std::size_t most_in_cell() const { return most_in_cell_; }

 private:
  static constexpr std::size_t n_cells = 4096;

  // A greater number never has a lower cell: subtraction and multiplication keep the order when they round.
  std::size_t cell_of(double number) const {
    const double cell = (number - first_) * scale_;
    const double at_least_0 = cell > 0.0 ? cell : 0.0;
    return static_cast<std::size_t>(at_least_0 < n_cells - 1 ? at_least_0 : n_cells - 1);
  }

  double first_;
  double scale_;
  std::vector<double> tops_;  // and then infinity, so that no comparison goes beyond the end
  std::vector<std::uint32_t> below_;  // per cell: the number of tops in the cells before it
  std::uint32_t most_in_cell_ = 0;
};

template <class Code>
void write_codes_by_grid(const Grid& grid, const Bins& bins, Numbers numbers, std::size_t n_rows, Code* codes) {
  const auto write = [&]<std::size_t most_in_cell>(std::integral_constant<std::size_t, most_in_cell>) {
    const std::size_t last = bins.tops.size() - 1;
    for (std::size_t row = 0; row < n_rows; ++row) {
      const double number =
          bins.single_precision ? static_cast<double>(static_cast<float>(numbers[row])) : numbers[row];
      const std::size_t code = std::min(grid.n_below<most_in_cell>(number), last);
      codes[row] = static_cast<Code>(std::isnan(number) ? bins.tops.size() : code);
    }
  };
  if (grid.most_in_cell() <= 2)
    write(std::integral_constant<std::size_t, 2>{});
  else
    write(std::integral_constant<std::size_t, 4>{});
}

template <class Code>
void write_codes(const Bins& bins, Numbers numbers, std::size_t n_rows, Code* codes) {
  constexpr std::size_t rows_worth_a_grid = 1U << 14;
  if (n_rows >= rows_worth_a_grid)
    if (const Grid grid(bins.tops); grid.pays()) return write_codes_by_grid(grid, bins, numbers, n_rows, codes);
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
