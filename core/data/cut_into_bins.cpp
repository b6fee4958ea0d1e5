#include "data/cut_into_bins.hpp"

#include <algorithm>
#include <cmath>

#include "parallel/seeded_random.hpp"

namespace weaklearn::data {
namespace {

// The distinct numbers of some rows, ascending, and how often each occurs.
struct DistinctNumbers {
  std::vector<double> values;
  std::vector<std::uint64_t> counts;
};

double rounded(double number, bool single) {
  return (single ? static_cast<double>(static_cast<float>(number)) : number) + 0.0;  // -0 becomes 0
}

DistinctNumbers sample(Numbers numbers, std::uint32_t n_rows, bool single, SortScratch& scratch) {
  // A row takes part if its hash, as a share of the largest one, is at most the share of the rows that are wanted.
  const double share = static_cast<double>(rows_for_bins) / n_rows;
  const auto limit = share >= 1.0 ? UINT64_MAX : static_cast<std::uint64_t>(std::ldexp(share, 32)) << 32;
  std::vector<double> drawn;
  for (std::uint32_t row = 0; row < n_rows; ++row)
    if (!std::isnan(numbers[row]) && (share >= 1.0 || parallel::SeededRandom::seed_of(0, row) < limit))
      drawn.push_back(rounded(numbers[row], single));
  const auto n_drawn = static_cast<std::uint32_t>(drawn.size());
  DistinctNumbers distinct;
  for (const double value : sorted_numbers({drawn.data(), 1}, n_drawn, n_drawn, single, scratch).numbers) {
    if (distinct.values.empty() || distinct.values.back() != value) {
      distinct.values.push_back(value);
      distinct.counts.push_back(0);
    }
    ++distinct.counts.back();
  }
  return distinct;
}

// Adds the numbers of all rows to those of the sample, as long as there are at most `most`.
void add_others(std::vector<double>& values, Numbers numbers, std::uint32_t n_rows, bool single, std::size_t most) {
  for (std::uint32_t row = 0; row < n_rows && values.size() <= most; ++row) {
    if (std::isnan(numbers[row])) continue;
    const double value = rounded(numbers[row], single);
    const auto place = std::ranges::lower_bound(values, value);
    if (place == values.end() || *place != value) values.insert(place, value);
  }
}

std::vector<double> tops_of_bins(const DistinctNumbers& distinct, std::uint32_t max_bins) {
  std::uint64_t remaining = 0;
  for (const std::uint64_t count : distinct.counts) remaining += count;
  std::vector<double> tops;
  std::uint64_t in_bin = 0;
  for (std::size_t i = 0; i < distinct.values.size(); ++i) {
    const std::uint64_t n_bins_left = max_bins - tops.size();
    const double wanted = static_cast<double>(remaining) / static_cast<double>(n_bins_left);
    // A frequent number does not share its bin with the numbers before it.
    if (in_bin > 0 && n_bins_left > 1 && static_cast<double>(distinct.counts[i]) >= wanted) {
      tops.push_back(distinct.values[i - 1]);
      remaining -= in_bin;
      in_bin = 0;
    }
    in_bin += distinct.counts[i];
    if (tops.size() + 1 < max_bins && static_cast<double>(in_bin) >= wanted) {
      tops.push_back(distinct.values[i]);
      remaining -= in_bin;
      in_bin = 0;
    }
  }
  if (in_bin > 0) tops.push_back(distinct.values.back());
  return tops;
}

}  // namespace

std::vector<double> cut_into_bins(Numbers numbers, std::uint32_t n_rows, double highest, bool single,
                                  std::uint32_t max_bins, SortScratch& scratch) {
  DistinctNumbers distinct = sample(numbers, n_rows, single, scratch);
  if (distinct.values.size() <= max_bins) {
    std::vector<double> all = distinct.values;
    add_others(all, numbers, n_rows, single, max_bins);
    if (all.size() <= max_bins) return all;
    if (distinct.values.empty()) distinct = {{all.front()}, {1}};
  }
  std::vector<double> tops = tops_of_bins(distinct, max_bins);
  tops.back() = std::max(tops.back(), rounded(highest, single));
  return tops;
}

}  // namespace weaklearn::data
