#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data/bin_summary.hpp"
#include "data/bins.hpp"
#include "data/cut_into_bins.hpp"
#include "data/dataset.hpp"
#include "data/encode_bins.hpp"
#include "parallel/thread_pool.hpp"
#include "random_table.hpp"

namespace weaklearn::tests {
namespace {

using data::Column;

Column with_bins(const std::vector<double>& numbers, bool exact, std::uint32_t max_bins) {
  parallel::ThreadPool pool(2);
  // The other column makes strides, and shows that columns do not disturb each other.
  std::vector<double> table;
  for (const double x : numbers) table.insert(table.end(), {x, -1.0});
  const data::NumbersToBin columns[] = {{{table.data(), 2}, exact, 0}, {{table.data() + 1, 2}, false, 1}};
  std::vector<Column> encoded =
      data::encode_by_bins(columns, static_cast<std::uint32_t>(numbers.size()), false, max_bins, pool);
  CHECK_EQUAL(encoded[1].n_codes, 1U);
  return std::move(encoded[0]);
}

// A column with few values in a large table has bins of these values, not of those that a sample of all rows hits.
void few_known_numbers_have_many_bins() {
  const std::uint32_t n_rows = 20 * data::rows_for_bins;
  std::vector<double> numbers(n_rows, missing_number);
  for (std::uint32_t i = 0; i < 600; ++i) numbers[i * 2000] = i;
  CHECK_EQUAL(with_bins(numbers, false, 200).n_codes, 200U);
  CHECK_EQUAL(with_bins(numbers, false, 600).n_codes, 600U);
}

// Checks what holds for bins of any table, also of one that is larger than the sample they are made from.
void cuts_numbers_into_bins() {
  for (const std::uint32_t n_rows : {3U, 50U, 1000U, 3 * data::rows_for_bins}) {
    for (const std::uint32_t max_bins : {2U, 3U, 17U, 255U, 256U, 1000U}) {
      for (const std::uint32_t n_distinct : {0U, 10U, 300U}) {
        Random random(n_rows + max_bins + n_distinct);
        std::vector<double> numbers(n_rows);
        std::vector<double> distinct;
        for (double& x : numbers) {
          x = n_distinct > 0 ? 0.1 * below(random, n_distinct) : uniform(random) - 0.5;
          if (random() % 20 == 0) x = missing_number;
          if (!std::isnan(x)) distinct.push_back(x);
        }
        std::ranges::sort(distinct);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        if (distinct.empty()) continue;
        const Column column = with_bins(numbers, false, max_bins);
        const auto as_seen = [&](double x) {
          return column.single_precision ? static_cast<double>(static_cast<float>(x)) : x;
        };
        CHECK(column.n_codes <= std::max<std::size_t>(max_bins, 1));
        CHECK_EQUAL(column.n_codes, static_cast<std::uint32_t>(column.values.size()));
        if (distinct.size() <= max_bins) CHECK_EQUAL(column.n_codes, static_cast<std::uint32_t>(distinct.size()));
        if (distinct.size() >= 4 * max_bins && n_rows > 20 * max_bins) CHECK(4 * column.n_codes >= 3 * max_bins);
        CHECK_EQUAL(column.values.back(), as_seen(distinct.back()));
        CHECK_EQUAL(column.shared_bins.n_numbers > 0, distinct.size() > column.n_codes);
        CHECK(column.shared_bins.n_numbers <= distinct.size() && column.shared_bins.share <= 1.0);
        for (const double top : column.values)
          CHECK(std::ranges::any_of(distinct, [&](double x) { return as_seen(x) == top; }));
        for (std::uint32_t row = 0; row < n_rows; ++row) {
          const std::uint32_t code = data::code_of(column, row);
          CHECK_EQUAL(code == column.n_codes, std::isnan(numbers[row]));
          if (code == column.n_codes) continue;
          CHECK(as_seen(numbers[row]) <= column.values[code]);
          CHECK(code == 0 || as_seen(numbers[row]) > column.values[code - 1]);
        }
      }
    }
  }
}

// A column that is read in parts, in any order, has the bins of the whole column.
void summaries_of_parts_give_the_same_bins() {
  for (int trial = 0; trial < 60; ++trial) {
    Random random(trial);
    const std::uint32_t n_rows =
        trial % 6 == 0 ? 2 * data::rows_for_bins + below(random, 1000) : 1 + below(random, 400);
    const std::uint32_t max_bins = trial % 5 == 0 ? 300 : 2 + below(random, 30);
    const std::uint32_t n_distinct = trial % 3 == 0 ? 0 : 1 + below(random, 60);
    const std::uint32_t one_missing_in = trial % 4 == 0 ? 1 + below(random, 3) : 50;
    std::vector<double> numbers(n_rows);
    for (double& x : numbers) {
      x = n_distinct > 0 ? 0.1 * below(random, n_distinct) - 0.1
                         : std::ldexp(uniform(random) - 0.5, trial % 7 * 40 - 120);
      if (x == 0.0 && random() % 2 == 0) x = -0.0;
      if (random() % one_missing_in == 0) x = missing_number;
    }
    const bool exact = trial % 2 == 0;
    const Column column = with_bins(numbers, exact, max_bins);

    std::vector<data::BinSummary> parts;
    for (std::uint32_t first = 0; first < n_rows;) {
      const std::uint32_t n = std::min(n_rows - first, below(random, n_rows / 3 + 2));
      if (parts.empty() || random() % 2 == 0) parts.emplace_back(max_bins);
      parts[below(random, static_cast<std::uint32_t>(parts.size()))].add({numbers.data() + first, 1}, n, first);
      first += n;
    }
    while (parts.size() > 1) {
      const std::uint32_t last = below(random, static_cast<std::uint32_t>(parts.size()));
      std::swap(parts[last], parts.back());
      const data::BinSummary merged = std::move(parts.back());
      parts.pop_back();
      parts[below(random, static_cast<std::uint32_t>(parts.size()))].merge(
          data::BinSummary::from_state(merged.state()));
    }
    const data::BinSummary& summary = parts.front();
    CHECK_EQUAL(summary.n_rows(), std::uint64_t{n_rows});
    CHECK_EQUAL(summary.n_missing(), std::uint64_t{column.n_missing});
    const data::Bins bins = data::make_bins(summary.tops(), false, exact);
    CHECK(column.values == bins.tops);
    CHECK(column.shared_bins == bins.shared);
    CHECK_EQUAL(column.single_precision, bins.single_precision);
    std::vector<std::uint32_t> codes(n_rows);
    data::BinFinder(bins, n_rows).find({numbers.data(), 1}, n_rows, codes.data());
    for (std::uint32_t row = 0; row < n_rows; ++row) CHECK_EQUAL(codes[row], data::code_of(column, row));
  }
}

// Threads share the summaries and write to one list; the thread sanitizer watches them here.
void bins_of_columns_are_those_of_each_column() {
  constexpr std::uint32_t n_columns = 7;
  constexpr std::uint32_t n_rows = 300;
  Random random(5);
  std::vector<data::BinSummary> summaries;
  std::vector<std::vector<const data::BinSummary*>> parts(n_columns);
  std::vector<bool> exact;
  summaries.reserve(2 * n_columns);
  for (std::uint32_t c = 0; c < n_columns; ++c) {
    exact.push_back(c % 2 == 0);
    for (std::uint32_t part = 0; part < 2; ++part) {
      std::vector<double> numbers(n_rows);
      // Float32 rounds such numbers and keeps them apart, so that it matters which columns are exact.
      for (double& number : numbers) number = 0.1 * below(random, 20 * (c + 1));
      summaries.emplace_back(16);
      summaries.back().add({numbers.data(), 1}, n_rows, part * n_rows);
      parts[c].push_back(&summaries.back());
    }
  }
  for (const std::uint32_t n_threads : {1U, 4U}) {
    const std::vector<data::Bins> made = data::BinSummary::bins(parts, exact, n_threads);
    CHECK_EQUAL(made.size(), std::size_t{n_columns});
    for (std::uint32_t c = 0; c < n_columns; ++c) {
      const data::Bins expected = data::make_bins(data::BinSummary::merged(parts[c]).tops(), false, exact[c]);
      CHECK(made[c].tops == expected.tops);
      CHECK(made[c].shared == expected.shared);
      CHECK_EQUAL(made[c].single_precision, expected.single_precision);
    }
  }
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  cuts_numbers_into_bins();
  few_known_numbers_have_many_bins();
  summaries_of_parts_give_the_same_bins();
  bins_of_columns_are_those_of_each_column();
  return report("bins");
}
