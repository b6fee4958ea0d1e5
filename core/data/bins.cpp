#include "data/bins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace weaklearn::data {

// A grid of equal cells over the tops of bins. The cell of a number says how many tops are certainly below it; those in
// the cell itself are compared. That takes less time than a binary search as long as no cell has many tops.
class BinFinder::Grid {
 public:
  // What a search needs.
  struct View {
    double first;
    double scale;
    const double* tops;  // and then infinity, so that no comparison goes beyond the end
    const std::uint32_t* below;  // per cell: the number of tops in the cells before it

    // A greater number never has a lower cell: subtraction and multiplication keep the order when they round.
    std::size_t cell_of(double number) const {
      const double cell = (number - first) * scale;
      const double at_least_0 = cell > 0.0 ? cell : 0.0;
      return static_cast<std::size_t>(at_least_0 < n_cells - 1 ? at_least_0 : n_cells - 1);
    }
    // Returns the number of tops that are below a number, which must not be NaN.
    template <std::size_t most_in_cell>
    std::size_t n_below(double number) const {
      std::size_t n = below[cell_of(number)];
      for (std::size_t i = 0; i < most_in_cell; ++i) n += tops[n] < number;
      return n;
    }
  };

  explicit Grid(const std::vector<double>& tops) : tops_(tops), below_(n_cells + 1, 0) {
    tops_.insert(tops_.end(), 4, std::numeric_limits<double>::infinity());
    view_ = {tops.front(), n_cells / (tops.back() - tops.front()), tops_.data(), below_.data()};
    for (const double top : tops) ++below_[view_.cell_of(top) + 1];
    most_in_cell_ = std::ranges::max(below_);
    for (std::size_t c = 0; c < n_cells; ++c) below_[c + 1] += below_[c];
  }

  bool pays() const { return most_in_cell_ <= 4; }
  std::size_t most_in_cell() const { return most_in_cell_; }
  const View& view() const { return view_; }

 private:
  static constexpr std::size_t n_cells = 4096;

  std::vector<double> tops_;
  std::vector<std::uint32_t> below_;
  std::uint32_t most_in_cell_ = 0;
  View view_;
};

bool fits_single(const std::vector<double>& values) {
  float previous = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<float>(values[i]);
    if (std::isinf(value) || (i > 0 && value == previous)) return false;
    previous = value;
  }
  return true;
}

Bins make_bins(BinTops tops, bool single, bool exact) {
  Bins bins{std::move(tops.numbers), false, tops.shared};
  bins.single_precision = (single || !exact) && fits_single(bins.tops);
  if (bins.single_precision)
    for (double& top : bins.tops) top = static_cast<float>(top);
  return bins;
}

BinFinder::BinFinder(const Bins& bins, std::size_t n_rows) : bins_(bins) {
  constexpr std::size_t rows_worth_a_grid = 1U << 14;
  if (n_rows < rows_worth_a_grid || bins.tops.empty()) return;
  auto grid = std::make_unique<const Grid>(bins.tops);
  if (grid->pays()) grid_ = std::move(grid);
}

BinFinder::~BinFinder() = default;
BinFinder::BinFinder(BinFinder&&) noexcept = default;

template <class Code>
void BinFinder::find(Numbers numbers, std::size_t n_rows, Code* codes) const {
  if (grid_ == nullptr)
    find_by_search(numbers, n_rows, codes);
  else if (grid_->most_in_cell() <= 2)
    find_by_grid<2>(numbers, n_rows, codes);
  else
    find_by_grid<4>(numbers, n_rows, codes);
}

template <std::size_t most_in_cell, class Code>
void BinFinder::find_by_grid(Numbers numbers, std::size_t n_rows, Code* codes) const {
  // Local copies: to the compiler, a byte that is written may be a part of anything behind a reference.
  const typename Grid::View grid = grid_->view();
  const std::size_t n_codes = bins_.tops.size();
  const auto write = [&](const auto& as_compared) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      const double number = as_compared(numbers[row]);
      const std::size_t code = std::min(grid.n_below<most_in_cell>(number), n_codes - 1);
      codes[row] = static_cast<Code>(std::isnan(number) ? n_codes : code);
    }
  };
  if (bins_.single_precision)
    write([](double number) { return static_cast<double>(static_cast<float>(number)); });
  else
    write([](double number) { return number; });
}

template <class Code>
void BinFinder::find_by_search(Numbers numbers, std::size_t n_rows, Code* codes) const {
  const double* const tops = bins_.tops.data();
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double number = as_compared(numbers[row]);
    std::size_t code = 0;
    std::size_t n = bins_.tops.size();
    // A binary search without conditional jumps, which would be predicted wrongly.
    while (n > 1) {
      const std::size_t half = n / 2;
      code += tops[code + half - 1] < number ? half : 0;
      n -= half;
    }
    codes[row] = static_cast<Code>(std::isnan(number) ? bins_.tops.size() : code);
  }
}

template void BinFinder::find(Numbers, std::size_t, std::uint8_t*) const;
template void BinFinder::find(Numbers, std::size_t, std::uint16_t*) const;
template void BinFinder::find(Numbers, std::size_t, std::uint32_t*) const;

}  // namespace weaklearn::data
