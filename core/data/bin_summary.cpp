#include "data/bin_summary.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "data/row_blocks.hpp"
#include "parallel/thread_pool.hpp"

namespace weaklearn::data {
namespace {

constexpr std::size_t most_sampled = rows_for_bins + rows_for_bins / 2;

}  // namespace

BinSummary::BinSummary(std::uint32_t max_bins, std::uint64_t n_known) : max_bins_(max_bins), n_known_in_all_(n_known) {
  if (max_bins < 2) throw std::invalid_argument("max_bins must be 2 or more");
}

void BinSummary::add(Numbers numbers, std::size_t n_rows, std::uint64_t first_row) {
  BinSummary* const summary = this;
  add({&summary, 1}, {&numbers, 1}, n_rows, first_row);
}

void BinSummary::add(std::span<BinSummary* const> summaries, std::span<const Numbers> columns, std::size_t n_rows,
                     std::uint64_t first_row, std::span<const NumberRange> ranges) {
  if (summaries.size() != columns.size() || (!ranges.empty() && ranges.size() != columns.size()))
    throw std::invalid_argument("one summary, and no range or one, are needed per column");
  for (std::size_t c = 0; c < ranges.size(); ++c) summaries[c]->count(ranges[c], n_rows);
  struct Row {
    std::uint32_t index;
    std::uint64_t hash;
  };
  std::vector<Row> rows;
  for (std::size_t first = 0; first < n_rows; first += block_rows) {
    const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(block_rows, n_rows - first));
    HashLimit loosest(std::numeric_limits<std::uint64_t>::max());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (ranges.empty()) summaries[c]->count(range_of(from_row(columns[c], first), n), n);
      summaries[c]->note_distinct(from_row(columns[c], first), n);
      loosest = HashLimit::looser(loosest, summaries[c]->limit());
    }
    // The rows that some column needs. Their hashes are computed once for all columns.
    rows.clear();
    for (std::uint32_t i = 0; i < n; ++i)
      if (const std::uint64_t hash = hash_of_row(first_row + first + i); loosest.includes(hash))
        rows.push_back({i, hash});
    for (std::size_t c = 0; c < columns.size(); ++c) {
      // Further rows can only lower the limit, so a row above it is never needed.
      BinSummary& summary = *summaries[c];
      const HashLimit limit = summary.limit();
      const Numbers numbers = from_row(columns[c], first);
      for (const Row& row : rows) {
        const double number = numbers[row.index] + 0.0;  // -0 becomes 0
        if (!limit.includes(row.hash) || std::isnan(number)) continue;
        summary.numbers_.push_back(number);
        if (!summary.knows_limit()) summary.hashes_.push_back(row.hash);
      }
      summary.drop_unneeded();
    }
  }
}

void BinSummary::count(const NumberRange& range, std::size_t n_rows) {
  check(range, false);
  n_rows_ += n_rows;
  n_missing_ += n_rows - range.n_known;
  highest_ = std::max(highest_, range.highest + 0.0);
}

// Notes the numbers of a block as far as all distinct ones are kept.
void BinSummary::note_distinct(Numbers numbers, std::uint32_t n_rows) {
  double last = std::numeric_limits<double>::quiet_NaN();
  for (std::uint32_t row = 0; row < n_rows && !has_many(); ++row) {
    const double number = numbers[row] + 0.0;
    if (number != last && !std::isnan(number)) add_distinct(number);
    last = number;
  }
}

void BinSummary::merge(const BinSummary& other) {
  if (&other == this) throw std::invalid_argument("a summary cannot be merged with itself");
  if (other.max_bins_ != max_bins_ || other.n_known_in_all_ != n_known_in_all_)
    throw std::invalid_argument("summaries with different max_bins or n_known cannot be merged");
  n_rows_ += other.n_rows_;
  n_missing_ += other.n_missing_;
  highest_ = std::max(highest_, other.highest_);
  for (const double number : other.distinct_)
    if (!has_many()) add_distinct(number);
  hashes_.insert(hashes_.end(), other.hashes_.begin(), other.hashes_.end());
  numbers_.insert(numbers_.end(), other.numbers_.begin(), other.numbers_.end());
  drop_unneeded();
}

BinSummary BinSummary::merged(std::span<const BinSummary* const> parts) {
  if (parts.empty()) throw std::invalid_argument("there is no summary to merge");
  BinSummary result(parts.front()->max_bins_, parts.front()->n_known_in_all_);
  std::size_t n_sampled = 0;
  for (const BinSummary* part : parts) n_sampled += part->numbers_.size();
  result.numbers_.reserve(n_sampled);
  for (const BinSummary* part : parts) result.merge(*part);
  return result;
}

void BinSummary::add_distinct(double number) {
  const auto place = std::ranges::lower_bound(distinct_, number);
  if (place == distinct_.end() || *place != number) distinct_.insert(place, number);
}

void BinSummary::drop_unneeded() {
  if (hashes_.size() <= most_sampled) return;
  const HashLimit limit = this->limit();
  std::size_t n_kept = 0;
  for (std::size_t i = 0; i < hashes_.size(); ++i) {
    if (!limit.includes(hashes_[i])) continue;
    hashes_[n_kept] = hashes_[i];
    numbers_[n_kept++] = numbers_[i];
  }
  hashes_.resize(n_kept);
  numbers_.resize(n_kept);
}

BinTops BinSummary::tops() const {
  SortScratch scratch;
  return tops(scratch);
}

BinTops BinSummary::tops(SortScratch& scratch) const {
  if (knows_limit() && n_known() != n_known_in_all_)
    throw std::invalid_argument("the column has another number of rows with a value than n_known");
  if (!has_many()) return {distinct_, {}};
  std::vector<double>& sampled = scratch.numbers;
  sampled.assign(numbers_.begin(), numbers_.end());
  if (!knows_limit()) {
    const HashLimit limit = this->limit();
    std::size_t n_kept = 0;
    for (std::size_t i = 0; i < hashes_.size(); ++i)
      if (limit.includes(hashes_[i])) sampled[n_kept++] = numbers_[i];
    sampled.resize(n_kept);
  }
  sort_numbers(sampled, scratch);
  return tops_of_bins(sampled, highest_, max_bins_);
}

std::vector<Bins> BinSummary::bins(std::span<const std::vector<const BinSummary*>> parts,
                                   const std::vector<bool>& exact, std::uint32_t n_threads) {
  parallel::ThreadPool pool(n_threads);
  std::vector<SortScratch> scratch(pool.n_threads());
  std::vector<Bins> result(parts.size());
  pool.for_each(static_cast<std::uint32_t>(parts.size()), [&](std::uint32_t c, std::uint32_t thread) {
    result[c] = make_bins(merged(parts[c]).tops(scratch[thread]), false, exact[c]);
  });
  return result;
}

BinSummary::State BinSummary::state() const {
  return {max_bins_, n_known_in_all_, n_rows_, n_missing_, highest_, distinct_, hashes_, numbers_};
}

BinSummary BinSummary::from_state(State state) {
  const auto is_finite = [](double number) { return std::isfinite(number); };
  if (state.n_missing > state.n_rows || state.hashes.size() != (state.n_known > 0 ? 0 : state.numbers.size()) ||
      state.distinct.size() > std::size_t{state.max_bins} + 1 || !std::ranges::is_sorted(state.distinct) ||
      !std::ranges::all_of(state.distinct, is_finite) || !std::ranges::all_of(state.numbers, is_finite))
    throw std::invalid_argument("this is not the state of a summary of bins");
  BinSummary summary(state.max_bins, state.n_known);
  summary.n_rows_ = state.n_rows;
  summary.n_missing_ = state.n_missing;
  summary.highest_ = state.highest;
  summary.distinct_ = std::move(state.distinct);
  summary.hashes_ = std::move(state.hashes);
  summary.numbers_ = std::move(state.numbers);
  return summary;
}

}  // namespace weaklearn::data
