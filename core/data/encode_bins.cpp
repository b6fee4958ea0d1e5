#include "data/encode_bins.hpp"

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "data/bins.hpp"
#include "data/cut_into_bins.hpp"
#include "data/encode_column.hpp"
#include "data/number_range.hpp"
#include "data/row_blocks.hpp"
#include "parallel/thread_pool.hpp"

namespace weaklearn::data {
namespace {

CodeVector room_for_codes(std::uint32_t n_rows, std::uint32_t n_codes) {
  if (n_codes <= std::numeric_limits<std::uint8_t>::max()) return std::vector<std::uint8_t>(n_rows);
  if (n_codes <= std::numeric_limits<std::uint16_t>::max()) return std::vector<std::uint16_t>(n_rows);
  return std::vector<std::uint32_t>(n_rows);
}

}  // namespace

std::vector<CodeVector> codes_by_bins(std::span<const Numbers> columns, std::span<const Bins> bins,
                                      std::uint32_t n_rows, parallel::ThreadPool& pool) {
  std::vector<CodeVector> codes(columns.size());
  pool.for_each(static_cast<std::uint32_t>(columns.size()),
                [&](std::uint32_t c, std::uint32_t) { codes[c] = room_for_codes(n_rows, bins[c].n_codes()); });
  std::vector<BinFinder> finders;
  for (const Bins& of_column : bins) finders.emplace_back(of_column, n_rows);
  for_each_block(n_rows, pool, [&](std::uint32_t first, std::uint32_t n, std::uint32_t) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (bins[c].n_codes() > 0)  // otherwise all codes are 0, the code of a missing value
        std::visit([&](auto& of_column) { finders[c].find(from_row(columns[c], first), n, of_column.data() + first); },
                   codes[c]);
  });
  return codes;
}

std::vector<CodeVector> codes_by_bins(std::span<const Numbers> columns, std::span<const Bins> bins,
                                      std::uint32_t n_rows) {
  parallel::ThreadPool this_thread(1);
  return codes_by_bins(columns, bins, n_rows, this_thread);
}

std::vector<Column> encode_by_bins(std::span<const NumbersToBin> columns, std::uint32_t n_rows, bool single,
                                   std::uint32_t max_bins, parallel::ThreadPool& pool) {
  std::vector<Numbers> numbers;
  for (const NumbersToBin& column : columns) numbers.push_back(column.numbers);
  const std::vector<NumberRange> ranges = ranges_of(numbers, n_rows, pool);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    try {
      check(ranges[c], single);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("column " + std::to_string(columns[c].index) + ": " + error.what());
    }
  }
  std::vector<Bins> bins(columns.size());
  std::vector<SortScratch> scratch(pool.n_threads());
  const std::vector<std::uint32_t> all_known = sampled_rows(n_rows);
  pool.for_each(static_cast<std::uint32_t>(columns.size()), [&](std::uint32_t c, std::uint32_t thread) {
    const NumbersToBin& column = columns[c];
    const bool some_missing = ranges[c].n_known < n_rows;
    if (ranges[c].n_known > 0)
      bins[c] =
          make_bins(cut_into_bins(column.numbers, n_rows,
                                  some_missing ? sampled_rows(column.numbers, n_rows, ranges[c].n_known) : all_known,
                                  ranges[c].highest, single, max_bins, scratch[thread]),
                    single, column.exact);
    else
      bins[c].single_precision = single || !column.exact;
  });
  std::vector<CodeVector> codes = codes_by_bins(numbers, bins, n_rows, pool);
  std::vector<Column> encoded(columns.size());
  pool.for_each(static_cast<std::uint32_t>(columns.size()), [&](std::uint32_t c, std::uint32_t) {
    Column& column = encoded[c];
    column.n_missing = n_rows - ranges[c].n_known;
    std::visit([&](auto& of_column) { column.codes = std::move(of_column); }, codes[c]);
    finish_bins(column, std::move(bins[c]));
  });
  return encoded;
}

}  // namespace weaklearn::data
