#include "data/encode_column.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "data/bins.hpp"
#include "data/number_range.hpp"
#include "data/sort_column.hpp"
#include "parallel/prefetch.hpp"

namespace weaklearn::data {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

template <class Code, class Fill>
Codes filled_codes(std::uint32_t n_rows, Fill& fill) {
  std::vector<Code> codes(n_rows);
  fill(codes);
  return codes;
}

template <class Fill>
Codes make_codes(std::uint32_t n_rows, std::uint32_t n_codes, Fill&& fill) {
  if (n_codes <= std::numeric_limits<std::uint8_t>::max()) return filled_codes<std::uint8_t>(n_rows, fill);
  if (n_codes <= std::numeric_limits<std::uint16_t>::max()) return filled_codes<std::uint16_t>(n_rows, fill);
  return filled_codes<std::uint32_t>(n_rows, fill);
}

Codes narrow_codes(std::vector<std::uint32_t> codes, std::uint32_t n_codes) {
  if (n_codes > std::numeric_limits<std::uint16_t>::max()) return codes;
  return make_codes(static_cast<std::uint32_t>(codes.size()), n_codes, [&](auto& narrow) {
    std::ranges::transform(codes, narrow.begin(), [](std::uint32_t code) {
      return static_cast<typename std::remove_reference_t<decltype(narrow)>::value_type>(code);
    });
  });
}

// Integers in a narrow range need no sorting: a table of the numbers that occur gives their ranks.
void encode_integers(Column& column, Numbers numbers, std::uint32_t n_rows, const NumberRange& range) {
  const auto width = static_cast<std::size_t>(range.highest - range.lowest) + 1;
  const bool all_known = range.n_known == n_rows;
  const auto place = [&](std::uint32_t row) { return static_cast<std::int64_t>(numbers[row] - range.lowest); };
  std::vector<std::uint32_t> rank(width, none);
  for (std::uint32_t row = 0; row < n_rows; ++row)
    if (all_known || !std::isnan(numbers[row])) rank[place(row)] = 0;
  std::vector<double> values;
  for (std::size_t i = 0; i < width; ++i) {
    if (rank[i] == none) continue;
    rank[i] = column.n_codes++;
    values.push_back(range.lowest + static_cast<double>(i));
  }
  column.values = std::move(values);
  column.codes = make_codes(n_rows, column.n_codes, [&](auto& codes) {
    using Code = typename std::remove_reference_t<decltype(codes)>::value_type;
    for (std::uint32_t row = 0; row < n_rows; ++row)
      codes[row] = static_cast<Code>(all_known || !std::isnan(numbers[row]) ? rank[place(row)] : column.n_codes);
  });
}

void encode_by_sorting(Column& column, Numbers numbers, std::uint32_t n_rows, const NumberRange& range, bool single,
                       bool exact, SortScratch& scratch) {
  auto [order, values] = sorted_numbers(numbers, n_rows, range.n_known, single, scratch);
  std::vector<std::uint32_t> codes(n_rows);
  std::size_t n_codes = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    parallel::prefetch_ahead(codes.data(), order, i);
    if (n_codes == 0 || values[n_codes - 1] != values[i]) values[n_codes++] = values[i];
    codes[order[i]] = static_cast<std::uint32_t>(n_codes - 1);
  }
  values.resize(n_codes);
  values.shrink_to_fit();
  column.n_codes = static_cast<std::uint32_t>(n_codes);
  column.single_precision = (single || !exact) && fits_single(values);
  if (column.single_precision)
    for (double& value : values) value = static_cast<float>(value);
  column.values = std::move(values);
  if (range.n_known < n_rows)
    for (std::uint32_t row = 0; row < n_rows; ++row)
      if (std::isnan(numbers[row])) codes[row] = column.n_codes;
  column.codes = narrow_codes(std::move(codes), column.n_codes);
  if (!std::holds_alternative<CodeArray<std::uint8_t>>(column.codes)) column.order = std::move(order);
}

void order_by_counting(Column& column, std::uint32_t n_rows) {
  std::visit(
      [&](const auto& codes) {
        std::vector<std::uint32_t> starts(std::size_t{column.n_codes} + 2, 0);
        for (const auto code : codes) ++starts[std::size_t{code} + 1];
        for (std::size_t c = 0; c <= column.n_codes; ++c) starts[c + 1] += starts[c];
        column.order.resize(starts[column.n_codes]);
        for (std::uint32_t row = 0; row < n_rows; ++row)
          if (codes[row] < column.n_codes) column.order[starts[codes[row]]++] = row;
      },
      column.codes);
}

// Checks codes and counts the missing values.
void take_codes(Column& column, Codes codes, std::uint32_t n_codes) {
  std::visit(
      [&]<class Code>(const CodeArray<Code>& array) {
        const bool fits = n_codes <= std::numeric_limits<Code>::max();
        const bool is_narrowest =
            sizeof(Code) == 1 || n_codes > (sizeof(Code) == 2 ? std::numeric_limits<std::uint8_t>::max()
                                                              : std::numeric_limits<std::uint16_t>::max());
        if (!fits || !is_narrowest) throw std::invalid_argument("codes of the wrong width");
        for (const Code code : array) {
          if (code > n_codes) throw std::invalid_argument("a code is out of range");
          column.n_missing += code == n_codes;
        }
      },
      codes);
  column.n_codes = n_codes;
  column.codes = std::move(codes);
}

}  // namespace

void finish_bins(Column& column, Bins bins) {
  column.single_precision = bins.single_precision;
  column.n_codes = bins.n_codes();
  column.shared_bins = bins.shared;
  column.least_gap = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < bins.tops.size(); ++i)
    column.least_gap = std::min(column.least_gap, bins.tops[i] - bins.tops[i - 1]);
  column.values = std::move(bins.tops);
  if (std::holds_alternative<CodeArray<std::uint8_t>>(column.codes)) return;
  const std::size_t n_rows = std::visit([](const auto& codes) { return codes.size(); }, column.codes);
  order_by_counting(column, static_cast<std::uint32_t>(n_rows));
}

Column encode_continuous(Numbers numbers, std::uint32_t n_rows, bool single, SortScratch& scratch, bool exact) {
  const NumberRange range = range_of(numbers, n_rows);
  check(range, single);
  Column column;
  column.n_missing = n_rows - range.n_known;
  constexpr double exact_in_single = 1 << 24;
  const bool narrow = range.n_known > 0 && range.all_integers && range.highest - range.lowest < 4.0 * n_rows + 64 &&
                      std::max(-range.lowest, range.highest) <= exact_in_single;
  if (!narrow) {
    encode_by_sorting(column, numbers, n_rows, range, single, exact, scratch);
    return column;
  }
  encode_integers(column, numbers, n_rows, range);
  if (!std::holds_alternative<CodeArray<std::uint8_t>>(column.codes)) order_by_counting(column, n_rows);
  return column;
}

Column encode_nominal(std::span<const std::int32_t> given, std::uint32_t n_values) {
  Column column;
  column.nominal = true;
  column.n_codes = n_values;
  const auto n_rows = static_cast<std::uint32_t>(given.size());
  column.codes = make_codes(n_rows, n_values, [&](auto& codes) {
    using Code = typename std::remove_reference_t<decltype(codes)>::value_type;
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      const bool known = given[row] >= 0 && static_cast<std::uint32_t>(given[row]) < n_values;
      column.n_missing += !known;
      codes[row] = static_cast<Code>(known ? static_cast<std::uint32_t>(given[row]) : n_values);
    }
  });
  return column;
}

Column take_bin_codes(Codes codes, Bins bins) {
  Column column;
  take_codes(column, std::move(codes), bins.n_codes());
  finish_bins(column, std::move(bins));
  return column;
}

Column take_nominal_codes(Codes codes, std::uint32_t n_values) {
  Column column;
  column.nominal = true;
  take_codes(column, std::move(codes), n_values);
  return column;
}

}  // namespace weaklearn::data
