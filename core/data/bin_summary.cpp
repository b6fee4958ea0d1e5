#include "data/bin_summary.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "data/cut_into_bins.hpp"

namespace weaklearn::data {
namespace {

constexpr std::size_t most_sampled = rows_for_bins + rows_for_bins / 2;

}  // namespace

BinSummary::BinSummary(std::uint32_t max_bins) : max_bins_(max_bins) {
  if (max_bins < 2) throw std::invalid_argument("max_bins must be 2 or more");
}

void BinSummary::add(Numbers numbers, std::size_t n_rows, std::uint64_t first_row) {
  n_rows_ += n_rows;
  for (std::size_t row = 0; row < n_rows; ++row) n_missing_ += std::isnan(numbers[row]);
  // Further rows can only lower the limit, so a row above it is never needed.
  const HashLimit limit(n_known());
  double last = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double number = numbers[row] + 0.0;  // -0 becomes 0
    if (std::isnan(number)) continue;
    if (std::isinf(number)) throw std::invalid_argument("infinite value");
    highest_ = std::max(highest_, number);
    if (number != last && !has_many()) add_distinct(number);
    last = number;
    const std::uint64_t hash = hash_of_row(first_row + row);
    if (limit.includes(hash)) sample_.push_back({hash, number});
  }
  drop_unneeded();
}

void BinSummary::merge(const BinSummary& other) {
  if (&other == this) throw std::invalid_argument("a summary cannot be merged with itself");
  if (other.max_bins_ != max_bins_) throw std::invalid_argument("summaries with different max_bins cannot be merged");
  n_rows_ += other.n_rows_;
  n_missing_ += other.n_missing_;
  highest_ = std::max(highest_, other.highest_);
  for (const double number : other.distinct_)
    if (!has_many()) add_distinct(number);
  sample_.insert(sample_.end(), other.sample_.begin(), other.sample_.end());
  drop_unneeded();
}

void BinSummary::add_distinct(double number) {
  const auto place = std::ranges::lower_bound(distinct_, number);
  if (place == distinct_.end() || *place != number) distinct_.insert(place, number);
}

void BinSummary::drop_unneeded() {
  if (sample_.size() <= most_sampled) return;
  const HashLimit limit(n_known());
  std::erase_if(sample_, [&](const Sampled& row) { return !limit.includes(row.hash); });
}

std::vector<double> BinSummary::tops() const {
  if (!has_many()) return distinct_;
  const HashLimit limit(n_known());
  std::vector<double> drawn;
  for (const Sampled& row : sample_)
    if (limit.includes(row.hash)) drawn.push_back(row.number);
  std::ranges::sort(drawn);
  return tops_of_bins(drawn, highest_, max_bins_);
}

BinSummary::State BinSummary::state() const {
  State state{max_bins_, n_rows_, n_missing_, highest_, distinct_, {}, {}};
  for (const Sampled& row : sample_) {
    state.hashes.push_back(row.hash);
    state.numbers.push_back(row.number);
  }
  return state;
}

BinSummary BinSummary::from_state(const State& state) {
  const auto is_finite = [](double number) { return std::isfinite(number); };
  if (state.n_missing > state.n_rows || state.hashes.size() != state.numbers.size() ||
      state.distinct.size() > std::size_t{state.max_bins} + 1 || !std::ranges::is_sorted(state.distinct) ||
      !std::ranges::all_of(state.distinct, is_finite) || !std::ranges::all_of(state.numbers, is_finite))
    throw std::invalid_argument("this is not the state of a summary of bins");
  BinSummary summary(state.max_bins);
  summary.n_rows_ = state.n_rows;
  summary.n_missing_ = state.n_missing;
  summary.highest_ = state.highest;
  summary.distinct_ = state.distinct;
  for (std::size_t i = 0; i < state.hashes.size(); ++i) summary.sample_.push_back({state.hashes[i], state.numbers[i]});
  return summary;
}

}  // namespace weaklearn::data
