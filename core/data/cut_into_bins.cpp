#include "data/cut_into_bins.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weaklearn::data {
namespace {

double rounded(double number, bool single) {
  return (single ? static_cast<double>(static_cast<float>(number)) : number) + 0.0;  // -0 becomes 0
}

// Returns the numbers of some rows, ascending.
std::vector<double> sorted_numbers_of(Numbers numbers, std::span<const std::uint32_t> rows, bool single,
                                      SortScratch& scratch) {
  std::vector<double> drawn;
  drawn.reserve(rows.size());
  for (const std::uint32_t row : rows) drawn.push_back(rounded(numbers[row], single));
  sort_numbers(drawn, scratch);
  return drawn;
}

template <class IsKnown>
std::vector<std::uint32_t> rows_below_limit(std::uint32_t n_rows, std::uint32_t n_known, const IsKnown& is_known) {
  const HashLimit limit(n_known);
  std::vector<std::uint32_t> rows;
  rows.reserve(std::min<std::size_t>(n_known, rows_for_bins + rows_for_bins / 16));
  for (std::uint32_t row = 0; row < n_rows; ++row)
    if (limit.includes(hash_of_row(row)) && is_known(row)) rows.push_back(row);
  return rows;
}

// Returns the distinct numbers of all rows, ascending, or some if they are more than `most`. Those of the sample are
// among them.
std::vector<double> all_distinct(std::vector<double> values, Numbers numbers, std::uint32_t n_rows, bool single,
                                 std::size_t most) {
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (std::uint32_t row = 0; row < n_rows && values.size() <= most; ++row) {
    if (std::isnan(numbers[row])) continue;
    const double value = rounded(numbers[row], single);
    const auto place = std::ranges::lower_bound(values, value);
    if (place == values.end() || *place != value) values.insert(place, value);
  }
  return values;
}

}  // namespace

// A row takes part if its hash, as a share of the largest one, is at most the share of the rows that are wanted.
HashLimit::HashLimit(std::uint64_t n_known) : all_(n_known <= rows_for_bins) {
  if (all_) return;
  const double share = static_cast<double>(rows_for_bins) / static_cast<double>(n_known);
  limit_ = static_cast<std::uint64_t>(std::ldexp(share, 32)) << 32;
}

std::vector<std::uint32_t> sampled_rows(std::uint32_t n_rows) {
  return rows_below_limit(n_rows, n_rows, [](std::uint32_t) { return true; });
}

std::vector<std::uint32_t> sampled_rows(Numbers numbers, std::uint32_t n_rows, std::uint32_t n_known) {
  return rows_below_limit(n_rows, n_known, [=](std::uint32_t row) { return !std::isnan(numbers[row]); });
}

BinTops tops_of_bins(std::span<const double> sampled, double highest, std::uint32_t max_bins) {
  if (sampled.empty()) return {{highest}, {}};
  std::uint64_t remaining = sampled.size();
  BinTops tops;
  std::uint64_t n_rows_sharing = 0;
  std::uint64_t in_bin = 0;
  std::uint32_t numbers_in_bin = 0;
  const auto end_bin = [&](double top) {
    tops.numbers.push_back(top);
    if (numbers_in_bin > 1) {
      tops.shared.n_numbers += numbers_in_bin;
      n_rows_sharing += in_bin;
    }
    remaining -= in_bin;
    in_bin = 0;
    numbers_in_bin = 0;
  };
  for (std::size_t i = 0, end = 0; i < sampled.size(); i = end) {
    end = i + 1;
    while (end < sampled.size() && sampled[end] == sampled[i]) ++end;
    const std::uint64_t count = end - i;
    const std::uint64_t n_bins_left = max_bins - tops.numbers.size();
    const double wanted = static_cast<double>(remaining) / static_cast<double>(n_bins_left);
    // A frequent number does not share its bin with the numbers before it.
    if (in_bin > 0 && n_bins_left > 1 && static_cast<double>(count) >= wanted) end_bin(sampled[i - 1]);
    in_bin += count;
    ++numbers_in_bin;
    if (tops.numbers.size() + 1 < max_bins && static_cast<double>(in_bin) >= wanted) end_bin(sampled[i]);
  }
  if (in_bin > 0) end_bin(sampled.back());
  tops.numbers.back() = std::max(tops.numbers.back(), highest);
  tops.shared.share = static_cast<double>(n_rows_sharing) / static_cast<double>(sampled.size());
  return tops;
}

BinTops cut_into_bins(Numbers numbers, std::uint32_t n_rows, std::span<const std::uint32_t> sampled, double highest,
                      bool single, std::uint32_t max_bins, SortScratch& scratch) {
  const std::vector<double> drawn = sorted_numbers_of(numbers, sampled, single, scratch);
  std::vector<double> all = all_distinct(drawn, numbers, n_rows, single, max_bins);
  if (all.size() <= max_bins) return {std::move(all), {}};
  return tops_of_bins(drawn, rounded(highest, single), max_bins);
}

}  // namespace weaklearn::data
