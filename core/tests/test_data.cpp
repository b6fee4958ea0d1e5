#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data/dataset.hpp"
#include "data/encode_column.hpp"
#include "data/node_rows.hpp"
#include "data/presorted_rows.hpp"
#include "data/row_codes.hpp"
#include "parallel/thread_pool.hpp"
#include "random_table.hpp"

namespace weaklearn::tests {
namespace {

using data::Column;
using data::Entry;
using data::NodeRows;
using data::PresortedColumn;
using data::PresortedRows;

constexpr double infinity = std::numeric_limits<double>::infinity();

Column encode(const std::vector<double>& numbers, bool single = false) {
  data::SortScratch scratch;
  return data::encode_continuous({numbers.data(), 1}, static_cast<std::uint32_t>(numbers.size()), single, scratch);
}

// Checks what holds for every encoded continuous column.
void check_column(const std::vector<double>& numbers, const Column& column, bool single) {
  std::vector<double> known;
  for (const double x : numbers)
    if (!std::isnan(x)) known.push_back(x);
  CHECK(!column.nominal);
  CHECK_EQUAL(column.n_missing, static_cast<std::uint32_t>(numbers.size() - known.size()));
  CHECK_EQUAL(column.n_codes, static_cast<std::uint32_t>(column.values.size()));
  CHECK(std::adjacent_find(column.values.begin(), column.values.end(), std::greater_equal<>()) == column.values.end());
  for (const double value : column.values) {
    CHECK(!std::signbit(value) || value != 0.0);
    if (column.single_precision) CHECK_EQUAL(static_cast<double>(static_cast<float>(value)), value);
  }
  if (single) CHECK(column.single_precision);
  for (std::uint32_t row = 0; row < numbers.size(); ++row) {
    const std::uint32_t code = data::code_of(column, row);
    CHECK_EQUAL(code == column.n_codes, std::isnan(numbers[row]));
    if (code >= column.n_codes) continue;
    const double seen = column.single_precision ? static_cast<double>(static_cast<float>(numbers[row])) : numbers[row];
    CHECK_EQUAL(column.values[code], seen);
  }
  const bool listed = column.n_codes > 255;
  CHECK_EQUAL(column.order.size(), listed ? known.size() : 0);
  for (std::size_t i = 1; i < column.order.size(); ++i) {
    const std::uint32_t a = data::code_of(column, column.order[i - 1]);
    const std::uint32_t b = data::code_of(column, column.order[i]);
    CHECK(a < b || (a == b && column.order[i - 1] < column.order[i]));
  }
  if (single) return;
  std::sort(known.begin(), known.end());
  const auto n_distinct = std::unique(known.begin(), known.end()) - known.begin();
  CHECK_EQUAL(static_cast<std::ptrdiff_t>(column.n_codes), n_distinct);
}

void encodes_numbers() {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double tiny_float = std::numeric_limits<float>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  const std::vector<std::vector<double>> columns = {
      {},
      {missing_number, missing_number},
      {3},
      {3, 1, 2, 1, missing_number, 3},
      {-5, -7, 0, -0.0, 5},
      {-0.0, -0.0},
      {0.5, -0.0, 0.0, -0.5},
      {tiny, 0, 2 * tiny},
      {tiny_float, 0, -tiny_float},
      {huge, -huge, 0, huge / 2},
      {1, 1 + 1e-12, 1 - 1e-12, 1, missing_number},
      {16777216, 16777217, 16777218},
      {1e9, 1e9 + 1, 1e9 + 2},
      {0.1, 0.2, 0.3},
  };
  for (const auto& numbers : columns) {
    check_column(numbers, encode(numbers), false);
    if (std::ranges::none_of(numbers, [](double x) { return std::abs(x) > 1e38; }))
      check_column(numbers, encode(numbers, true), true);
  }
  check_column({-tiny, 0, tiny}, encode({-tiny, 0, tiny}), false);
  CHECK(encode({0.1, 0.2}).single_precision);
  CHECK(!encode({1, 1 + 1e-12}).single_precision);
  CHECK(!encode({tiny, 0}).single_precision);
  CHECK(!encode({1e300, 1.0}).single_precision);
  CHECK_EQUAL(encode({1, 1 + 1e-12}, true).n_codes, 1U);
  CHECK_EQUAL(encode({16777216, 16777217}, true).n_codes, 1U);
}

void refuses_infinity() {
  CHECK_THROWS(encode({1, infinity}), std::invalid_argument);
  CHECK_THROWS(encode({-infinity}), std::invalid_argument);
  CHECK_THROWS(encode({1, -infinity, 2}), std::invalid_argument);
  CHECK_THROWS(encode({infinity}, true), std::invalid_argument);
  CHECK_THROWS(encode({1e39}, true), std::invalid_argument);
  CHECK_THROWS(encode({-1e39}, true), std::invalid_argument);
}

// Tests integers and other numbers, few and many values, below and above the size at which the sort changes.
void encodes_random_numbers() {
  Random random(1);
  for (const std::uint32_t n_rows : {1U, 10U, 200U, 255U, 256U, 257U, 1023U, 1500U, 3000U, 70000U, 150000U})
    for (int kind = 0; kind < 6; ++kind) {
      std::vector<double> numbers(n_rows);
      for (double& x : numbers) {
        switch (kind) {
          case 0:
            x = below(random, 200) - 100.0;
            break;
          case 1:
            x = below(random, 3 * n_rows);
            break;
          case 2:
            x = uniform(random) * 1e6 - 5e5;
            break;
          case 3:
            x = 1 + uniform(random) * 1e-9;
            break;                          // collides in float32
          case 4:
            x = std::ldexp(uniform(random) - 0.5, int(random() % 2000) - 1000);
            break;
          default:
            x = below(random, 40) * 0.25;
            break;
        }
        if (below(random, 10) == 0) x = missing_number;
      }
      check_column(numbers, encode(numbers), false);
      if (kind != 4) check_column(numbers, encode(numbers, true), true);
    }
}

void reads_strided_numbers() {
  const std::vector<double> both = {1, 10, 2, 20, 3, 30};
  data::SortScratch scratch;  // the same for both, as for the columns of a table
  const Column forward = data::encode_continuous({both.data() + 1, 2}, 3, false, scratch);
  CHECK_EQUAL(forward.values, (std::vector<double>{10, 20, 30}));
  const Column backward = data::encode_continuous({both.data() + 4, -2}, 3, false, scratch);
  CHECK_EQUAL(data::code_of(backward, 0), 2U);
  CHECK_EQUAL(data::code_of(backward, 2), 0U);
}

void encodes_nominal() {
  for (const std::uint32_t n_values : {0U, 1U, 255U, 256U, 65535U, 65536U, 100000U}) {
    const auto last = static_cast<std::int32_t>(n_values) - 1;
    const std::vector<std::int32_t> given = {0, last, last + 1, -1, INT32_MIN, INT32_MAX};
    const Column column = data::encode_nominal(given, n_values);
    CHECK(column.nominal);
    CHECK_EQUAL(column.n_codes, n_values);
    std::uint32_t n_missing = 0;
    for (std::uint32_t row = 0; row < given.size(); ++row) {
      const bool known = given[row] >= 0 && static_cast<std::uint32_t>(given[row]) < n_values;
      n_missing += !known;
      CHECK_EQUAL(data::code_of(column, row), known ? static_cast<std::uint32_t>(given[row]) : n_values);
    }
    CHECK_EQUAL(column.n_missing, n_missing);
  }
  CHECK(std::holds_alternative<data::CodeArray<std::uint8_t>>(data::encode_nominal({}, 255).codes));
  CHECK(std::holds_alternative<data::CodeArray<std::uint16_t>>(data::encode_nominal({}, 256).codes));
  CHECK(std::holds_alternative<data::CodeArray<std::uint32_t>>(data::encode_nominal({}, 65536).codes));
}

// Codes have one, two and four bytes. They are those of the columns, or copies of some rows, side by side.
void row_codes_are_the_codes_of_the_columns() {
  Random random(4);
  for (const std::uint32_t n_rows : {300U, 70000U}) {
    RandomTable table = random_table(random, {.n_rows = n_rows, .n_continuous = 4, .missing = 0.1});
    for (double& x : table.numbers[1]) x = std::round(x * 100);
    table.encode();
    const std::vector<bool> wanted = {true, true, false, true, false, true};
    const data::RowCodes codes(table.dataset);
    for (std::size_t c = 0; c < wanted.size(); ++c)
      for (std::uint32_t row = 0; row < n_rows; ++row)
        CHECK_EQUAL(codes.of_column(c)[row], data::code_of(table.dataset.columns[c], row));
    const auto some_rows = [&](std::uint32_t n, std::uint32_t end) {
      std::vector<std::uint32_t> rows(n);
      for (std::uint32_t& row : rows) row = below(random, end);
      return rows;
    };
    data::RowCodes copy(table.dataset);
    data::RowCodes copy_of_copy(table.dataset);
    for (const std::uint32_t n_copied : {290U, 20U}) {
      const std::vector<std::uint32_t> rows = some_rows(n_copied, n_rows);
      const std::vector<std::uint32_t> again = some_rows(n_copied / 2, n_copied);
      copy.copy_rows(codes, wanted, rows);
      copy_of_copy.copy_rows(copy, wanted, again);
      for (std::size_t c = 0; c < wanted.size(); ++c) {
        if (!wanted[c]) continue;
        for (std::uint32_t i = 0; i < n_copied; ++i)
          CHECK_EQUAL(copy.of_column(c)[i], data::code_of(table.dataset.columns[c], rows[i]));
        for (std::uint32_t i = 0; i < again.size(); ++i)
          CHECK_EQUAL(copy_of_copy.of_column(c)[i], data::code_of(table.dataset.columns[c], rows[again[i]]));
      }
      CHECK(codes.bytes_of(0) == nullptr);  // it is not a copy
      CHECK(copy.bytes_of(0) == nullptr);   // some codes take more than a byte
    }
  }
}

// The codes of copied rows lie at their places if all of them are bytes.
void row_codes_are_bytes() {
  Random random(5);
  RandomTable table = random_table(random, {.n_rows = 300, .n_continuous = 4, .missing = 0.1});
  for (auto& column : table.numbers)
    for (double& x : column) x = std::round(x);
  table.encode();
  std::vector<bool> wanted;
  for (const Column& column : table.dataset.columns)
    wanted.push_back(std::holds_alternative<data::CodeArray<std::uint8_t>>(column.codes) && wanted.size() != 1);
  CHECK(std::ranges::count(wanted, true) > 2);
  const data::RowCodes codes(table.dataset);
  data::RowCodes copy(table.dataset);
  const std::vector<std::uint32_t> rows = {299, 0, 7, 7, 150};
  copy.copy_rows(codes, wanted, rows);
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    for (std::size_t c = 0; c < wanted.size(); ++c)
      if (wanted[c]) CHECK_EQUAL(copy.bytes_of(i)[copy.places()[c]], data::code_of(table.dataset.columns[c], rows[i]));
}

void partition_is_stable() {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t n = below(random, 50);
    const std::uint32_t n_buckets = 1 + below(random, 6);
    std::vector<std::uint32_t> elements(n);
    std::iota(elements.begin(), elements.end(), 0U);
    std::vector<std::uint32_t> bucket(n);
    for (auto& b : bucket) b = below(random, n_buckets);
    std::vector<std::uint32_t> expected = elements;
    std::ranges::stable_sort(expected, {}, [&](std::uint32_t e) { return bucket[e]; });
    std::vector<std::uint32_t> scratch(n), starts;
    data::partition(
        std::span(elements), n_buckets, n_buckets, [&](std::uint32_t e) { return bucket[e]; }, scratch.data(), starts);
    CHECK_EQUAL(elements, expected);
    CHECK_EQUAL(starts.size(), std::size_t{n_buckets} + 1);
    CHECK_EQUAL(starts.back(), n);
    for (std::uint32_t b = 0; b < n_buckets; ++b)
      CHECK_EQUAL(std::ranges::count(bucket, b), static_cast<std::ptrdiff_t>(starts[b + 1] - starts[b]));
  }
}

void check_list(const data::Dataset& dataset, std::uint32_t column_index, std::span<const Entry> list,
                const std::vector<bool>& is_present) {
  const Column& column = dataset.columns[column_index];
  const data::Tagging tagging(dataset);
  const auto row_of = [&](std::size_t i) { return tagging.row(list[i].tag); };
  std::size_t n_known = 0;
  for (std::uint32_t row = 0; row < is_present.size(); ++row)
    n_known += is_present[row] && data::code_of(column, row) < column.n_codes;
  CHECK_EQUAL(list.size(), n_known);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::uint32_t code = data::code_of(column, row_of(i));
    CHECK(is_present[row_of(i)]);
    CHECK_EQUAL(list[i].value, static_cast<float>(column.values[code]));
    CHECK_EQUAL(static_cast<std::int32_t>(tagging.class_of(list[i].tag)), dataset.classes[row_of(i)]);
    if (i == 0) continue;
    const std::uint32_t before = data::code_of(column, row_of(i - 1));
    CHECK(before < code || (before == code && row_of(i - 1) < row_of(i)));
  }
}

// root_rows keeps the rows that are present. merge_missing_rows merges two parts of a node again.
void node_rows_are_partitioned_and_merged() {
  Random random(3);
  for (const std::uint32_t n_classes : {3U, 200U, 300U}) {  // class indices that fit into a byte, and some that do not
    RandomTable table = random_table(
        random,
        {.n_rows = 1000, .n_classes = n_classes, .n_continuous = 3, .n_nominal = 0, .missing = 0.1, .noise = 1});
    for (double& x : table.numbers[0])
      if (n_classes == 200) x = 1 + x * 1e-9;  // values that are equal in float32
    table.encode();
    const std::vector<std::uint32_t> columns = {0, 2};
    for (const double absent : {0.0, 0.5, 1.0}) {
      std::vector<std::uint32_t> present;
      std::vector<bool> is_present(table.dataset.n_rows, false);
      for (std::uint32_t row = 0; row < table.dataset.n_rows; ++row) {
        if (uniform(random) < absent) continue;
        present.push_back(row);
        is_present[row] = true;
      }
      parallel::ThreadPool pool(2);
      const data::Tagging tagging(table.dataset);
      const NodeRows whole = data::root_rows(table.dataset, columns, present, pool);
      CHECK(std::ranges::equal(whole.row_span(), present));
      for (std::size_t l = 0; l < columns.size(); ++l)
        check_list(table.dataset, columns[l], whole.list_span(l), is_present);

      NodeRows own = whole, rest = whole;
      std::vector<std::uint32_t> starts;
      std::vector<std::uint32_t> row_scratch(present.size());
      data::partition(
          whole.row_span(), 2, 2, [](std::uint32_t row) { return row % 3 == 0; }, row_scratch.data(), starts);
      own.rows.end = rest.rows.begin = starts[1];
      for (std::size_t l = 0; l < columns.size(); ++l) {
        std::vector<Entry> scratch(whole.lists[l].size());
        data::partition(
            whole.list_span(l), 2, 2, [&](Entry entry) { return tagging.row(entry.tag) % 3 == 0; }, scratch.data(),
            starts);
        own.lists[l].end = rest.lists[l].begin = starts[1];
      }
      const NodeRows merged = data::merge_missing_rows(table.dataset, columns, own, rest);
      CHECK(std::ranges::equal(merged.row_span(), present));
      for (std::size_t l = 0; l < columns.size(); ++l)
        check_list(table.dataset, columns[l], merged.list_span(l), is_present);

      if (present.empty()) continue;
      const data::Dataset some = data::select(table.dataset, merged.row_span());
      const NodeRows renumbered = data::renumber_rows(merged, table.dataset, some);
      const std::vector<bool> all(some.n_rows, true);
      for (std::size_t l = 0; l < columns.size(); ++l) check_list(some, columns[l], renumbered.list_span(l), all);
    }
  }
}

// A tag holds row and class, and Tagging reports if they do not fit.
void tags_hold_row_and_class() {
  for (const std::uint32_t n_rows : {1U, 2U, 255U, 256U, 257U, 1U << 20, (1U << 31) - 1}) {
    data::Dataset dataset;
    dataset.n_rows = n_rows;
    dataset.n_classes = 2;
    const data::Tagging tagging(dataset);
    CHECK(tagging.fits());
    for (const std::uint32_t row : {0U, n_rows / 2, n_rows - 1})
      for (const std::int32_t k : {0, 1}) {
        CHECK_EQUAL(tagging.row(tagging.tag(row, k)), row);
        CHECK_EQUAL(tagging.class_of(tagging.tag(row, k)), static_cast<std::uint32_t>(k));
      }
  }
  data::Dataset large;
  large.n_rows = 1U << 20;
  large.n_classes = 4097;
  CHECK(!data::Tagging(large).fits());
  large.n_classes = 4096;
  CHECK(data::Tagging(large).fits());
}

std::vector<std::uint32_t> present_rows(const std::vector<double>& weights) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < weights.size(); ++row)
    if (weights[row] > 0.0) rows.push_back(row);
  return rows;
}

void check_same_rows(const PresortedRows& a, const PresortedRows& b) {
  CHECK(a.rows == b.rows);
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    CHECK(a.columns[c].order == b.columns[c].order);
    CHECK(a.columns[c].codes == b.columns[c].codes);
    CHECK(a.columns[c].occurs == b.columns[c].occurs);
  }
}

// Partitioning presorted rows gives the same as presorting the rows of each side.
void partition_keeps_presorted_order() {
  Random random(1);
  parallel::ThreadPool pool(1);
  for (int trial = 0; trial < 60; ++trial) {
    Shape shape = random_shape(random);
    shape.n_rows = 300 + below(random, 200);  // columns of more than 255 values are listed
    if (trial % 2 == 0) shape.n_distinct = 280;
    const RandomTable table = random_table(random, shape);
    const std::vector<double> weights = random_weights(random, table.dataset.n_rows, Weighting::integer);
    const PresortedRows all = presort_rows(table.dataset, present_rows(weights), pool);
    std::vector<bool> second(all.rows.size());
    std::vector<std::uint32_t> sides[2];
    for (std::size_t i = 0; i < second.size(); ++i) {
      second[i] = below(random, 3) == 0;
      sides[second[i]].push_back(all.rows[i]);
    }
    const auto [low, high] = partition(table.dataset, all, second, pool);
    check_same_rows(low, presort_rows(table.dataset, sides[0], pool));
    check_same_rows(high, presort_rows(table.dataset, sides[1], pool));
    for (std::size_t c = 0; c < low.columns.size(); ++c) {
      std::uint32_t last = 0;
      bool first = true;
      for (const std::uint32_t element : low.columns[c].order) {
        const std::uint32_t code = data::code_of(table.dataset.columns[c], low.rows[element & ~PresortedColumn::same]);
        CHECK(first || code >= last);
        CHECK_EQUAL((element & PresortedColumn::same) != 0, !first && code == last);
        last = code;
        first = false;
      }
    }
  }
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  encodes_numbers();
  tags_hold_row_and_class();
  row_codes_are_the_codes_of_the_columns();
  row_codes_are_bytes();
  refuses_infinity();
  encodes_random_numbers();
  reads_strided_numbers();
  encodes_nominal();
  partition_is_stable();
  node_rows_are_partitioned_and_merged();
  partition_keeps_presorted_order();
  return report("data");
}
