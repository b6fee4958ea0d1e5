#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "data/bin_summary.hpp"
#include "data/bins.hpp"
#include "data/encode_bins.hpp"
#include "data/encode_dataset.hpp"
#include "data/number_range.hpp"
#include "fit/fit_c45.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

// A column of a table is a float64 array of numbers, or an int32 array of codes.
data::RawColumn raw_column(const nb::handle& column, std::size_t index, std::uint32_t n_values) {
  if (Doubles numbers; nb::try_cast<Doubles>(column, numbers, false))
    return {
        .numbers = {numbers.data(), numbers.stride(0)}, .codes = {}, .n_values = n_values, .n_rows = numbers.shape(0)};
  const Ints codes = codes_of(column, index);
  return {.numbers = {},
          .codes = {codes.data(), codes.shape(0)},
          .n_values = n_values,
          .n_rows = codes.shape(0),
          .nominal = true};
}

std::unique_ptr<data::Dataset> make_dataset(const nb::list& columns, const SequenceOf<std::uint32_t>& numbers_of_values,
                                            const Ints& classes, std::uint32_t n_classes, bool single,
                                            std::uint32_t n_threads, const SequenceOf<std::uint32_t>& exact,
                                            std::uint32_t max_bins) {
  const std::vector<std::uint32_t> n_values = vector_of(numbers_of_values);
  if (nb::len(columns) != n_values.size()) throw std::invalid_argument("one number of values per column is needed");
  std::vector<data::RawColumn> raw;
  for (std::size_t c = 0; c < n_values.size(); ++c) raw.push_back(raw_column(columns[c], c, n_values[c]));
  for (const std::uint32_t c : vector_of(exact)) raw.at(c).exact = true;
  const nb::gil_scoped_release release;
  return std::make_unique<data::Dataset>(
      data::encode_dataset(raw, {classes.data(), classes.shape(0)}, n_classes,
                           {.single = single, .max_bins = max_bins, .n_threads = n_threads}));
}

std::unique_ptr<data::Dataset> select_columns(const data::Dataset& dataset, const SequenceOf<std::uint32_t>& columns) {
  const std::vector<std::uint32_t> chosen = vector_of(columns);
  const nb::gil_scoped_release release;
  return std::make_unique<data::Dataset>(data::select_columns(dataset, chosen));
}

// Returns the codes in an array of Python. The memory stays valid as long as the codes are used.
template <class Code>
bool take_codes(const nb::handle& array, data::Codes& codes) {
  nb::ndarray<const Code, nb::ndim<1>, nb::c_contig, nb::device::cpu> view;
  if (!nb::try_cast(array, view, false)) return false;
  auto* const owned = new nb::object(nb::borrow(array));
  const std::shared_ptr<const void> owner(owned, [](const void* object) {
    const nb::gil_scoped_acquire acquire;  // any thread may be the last to use the codes
    delete static_cast<const nb::object*>(object);
  });
  codes = data::CodeArray<Code>({view.data(), view.shape(0)}, owner);
  return true;
}

std::unique_ptr<data::Dataset> dataset_of_codes(const nb::list& codes, const nb::list& bins,
                                                const SequenceOf<std::uint32_t>& numbers_of_values, const Ints& classes,
                                                std::uint32_t n_classes, std::uint32_t n_threads) {
  const std::vector<std::uint32_t> n_values = vector_of(numbers_of_values);
  if (nb::len(codes) != n_values.size() || nb::len(bins) != n_values.size())
    throw std::invalid_argument("one array of codes, and bins or a number of values, are needed per column");
  std::vector<data::CodedColumn> columns(n_values.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!take_codes<std::uint8_t>(codes[c], columns[c].codes) &&
        !take_codes<std::uint16_t>(codes[c], columns[c].codes) &&
        !take_codes<std::uint32_t>(codes[c], columns[c].codes))
      throw std::invalid_argument("column " + std::to_string(c) +
                                  ": expected a contiguous array of uint8, uint16 or uint32");
    columns[c].nominal = bins[c].is_none();
    if (columns[c].nominal)
      columns[c].n_values = n_values[c];
    else
      columns[c].bins = nb::cast<const data::Bins&>(bins[c]);
  }
  const nb::gil_scoped_release release;
  return std::make_unique<data::Dataset>(
      data::dataset_of_codes(columns, {classes.data(), classes.shape(0)}, n_classes, n_threads));
}

template <class Code>
nb::object codes_of_bins(const data::Bins& bins, const Doubles& numbers) {
  std::vector<Code> codes(numbers.shape(0));
  {
    const nb::gil_scoped_release release;
    data::BinFinder(bins, codes.size()).find({numbers.data(), numbers.stride(0)}, codes.size(), codes.data());
  }
  return nb::cast(to_numpy(std::move(codes)));
}

nb::object find_bins(const data::Bins& bins, const Doubles& numbers) {
  if (bins.n_codes() <= std::numeric_limits<std::uint8_t>::max()) return codes_of_bins<std::uint8_t>(bins, numbers);
  return codes_of_bins<std::uint16_t>(bins, numbers);
}

// Columns of numbers that are read together.
class NumberColumns {
 public:
  explicit NumberColumns(const nb::list& columns) {
    for (const nb::handle column : columns) {
      arrays_.push_back(nb::cast<Doubles>(column));
      if (arrays_.back().shape(0) != n_rows()) throw std::invalid_argument("the columns have different lengths");
      numbers_.push_back({arrays_.back().data(), arrays_.back().stride(0)});
    }
  }

  std::size_t n_rows() const { return arrays_.empty() ? 0 : arrays_.front().shape(0); }
  std::uint32_t n_rows_of_part() const {
    if (n_rows() > std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("too many rows");
    return static_cast<std::uint32_t>(n_rows());
  }
  std::span<const data::Numbers> numbers() const { return numbers_; }

 private:
  std::vector<Doubles> arrays_;
  std::vector<data::Numbers> numbers_;
};

std::vector<std::tuple<double, double, std::uint32_t>> ranges_of_columns(const nb::list& columns) {
  const NumberColumns part(columns);
  const nb::gil_scoped_release release;
  std::vector<std::tuple<double, double, std::uint32_t>> ranges;
  for (const data::NumberRange& range : data::ranges_of(part.numbers(), part.n_rows_of_part()))
    ranges.emplace_back(range.lowest, range.highest, range.n_known);
  return ranges;
}

void add_to_summaries(const nb::list& summaries, const nb::list& columns, std::uint64_t first_row,
                      const std::vector<std::tuple<double, double, std::uint32_t>>& ranges) {
  const NumberColumns part(columns);
  std::vector<data::NumberRange> of_numbers;
  for (const auto& [lowest, highest, n_known] : ranges)
    of_numbers.push_back({.lowest = lowest, .highest = highest, .n_known = n_known});
  std::vector<data::BinSummary*> of_columns;
  for (const nb::handle summary : summaries) of_columns.push_back(nb::cast<data::BinSummary*>(summary));
  const nb::gil_scoped_release release;
  data::BinSummary::add(of_columns, part.numbers(), part.n_rows(), first_row, of_numbers);
}

std::vector<const data::BinSummary*> parts_of(const nb::handle& summaries) {
  std::vector<const data::BinSummary*> parts;
  for (const nb::handle summary : nb::cast<nb::list>(summaries))
    parts.push_back(nb::cast<const data::BinSummary*>(summary));
  return parts;
}

data::BinSummary merged_summaries(const nb::list& summaries) {
  const std::vector<const data::BinSummary*> parts = parts_of(summaries);
  const nb::gil_scoped_release release;
  return data::BinSummary::merged(parts);
}

std::vector<data::Bins> bins_of_columns(const nb::list& summaries, const std::vector<bool>& exact,
                                        std::uint32_t n_threads) {
  if (nb::len(summaries) != exact.size()) throw std::invalid_argument("exact is needed for each column");
  std::vector<std::vector<const data::BinSummary*>> parts;
  for (const nb::handle of_column : summaries) parts.push_back(parts_of(of_column));
  const nb::gil_scoped_release release;
  return data::BinSummary::bins(parts, exact, n_threads);
}

nb::list codes_of_columns(const nb::list& bins, const nb::list& columns) {
  const NumberColumns part(columns);
  std::vector<data::Bins> of_columns;
  for (const nb::handle own : bins) of_columns.push_back(nb::cast<const data::Bins&>(own));
  if (of_columns.size() != part.numbers().size()) throw std::invalid_argument("bins are needed for each column");
  std::vector<data::CodeVector> codes;
  {
    const nb::gil_scoped_release release;
    codes = data::codes_by_bins(part.numbers(), of_columns, part.n_rows_of_part());
  }
  nb::list result;
  for (data::CodeVector& of_column : codes)
    std::visit([&](auto& own) { result.append(to_numpy(std::move(own))); }, of_column);
  return result;
}

// The tops, whether they have single precision, and the numbers that share a bin.
using BinsState = std::tuple<std::vector<double>, bool, std::uint32_t, double>;

void restore_bins(data::Bins& bins, const BinsState& state) {
  const auto& [tops, single_precision, n_sharing, share] = state;
  if (tops.size() > std::numeric_limits<std::uint16_t>::max() ||
      std::ranges::adjacent_find(tops, [](double a, double b) { return !(a < b); }) != tops.end())
    throw std::invalid_argument("the greatest numbers of bins must ascend, and be at most 65,535");
  if (!(share >= 0.0 && share <= 1.0)) throw std::invalid_argument("a share of rows must be between 0 and 1");
  new (&bins) data::Bins{tops, single_precision, {n_sharing, share}};
}

using SummaryState =
    std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t, double, nb::bytes, nb::bytes, nb::bytes>;

template <class T>
nb::bytes as_bytes(const std::vector<T>& values) {
  return nb::bytes(values.data(), values.size() * sizeof(T));
}

template <class T>
std::vector<T> from_bytes(const nb::bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.c_str(), values.size() * sizeof(T));
  return values;
}

void bind_bins(nb::module_& m) {
  nb::class_<data::Bins>(m, "Bins", "The bins of a column of numbers.")
      .def_prop_ro(
          "tops", [](const data::Bins& bins) { return to_numpy(std::vector<double>(bins.tops)); }, nb::rv_policy::move)
      .def_ro("single_precision", &data::Bins::single_precision)
      .def_prop_ro("n_codes", &data::Bins::n_codes)
      .def("codes", &find_bins, "numbers"_a,
           "Return the bin of each number as uint8 or uint16; the number of bins means missing.")
      .def("__getstate__",
           [](const data::Bins& bins) {
             return BinsState(bins.tops, bins.single_precision, bins.shared.n_numbers, bins.shared.share);
           })
      .def("__setstate__", &restore_bins);
  nb::class_<data::BinSummary>(m, "BinSummary",
                               "What the bins of a column need to know of its numbers, which are added in parts.")
      .def(nb::init<std::uint32_t, std::uint64_t>(), "max_bins"_a, "n_known"_a = 0)
      .def(
          "add",
          [](data::BinSummary& summary, const Doubles& numbers, std::uint64_t first_row) {
            const nb::gil_scoped_release release;
            summary.add({numbers.data(), numbers.stride(0)}, numbers.shape(0), first_row);
          },
          "numbers"_a, "first_row"_a, "Add the numbers of consecutive rows; first_row is the position of the first.")
      .def("merge", &data::BinSummary::merge, "other"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Add the rows of another summary.")
      .def_static("merged", &merged_summaries, "summaries"_a, "Return the summary of the rows of all summaries.")
      .def(
          "bins",
          [](const data::BinSummary& summary, bool exact) { return data::make_bins(summary.tops(), false, exact); },
          "exact"_a = false, nb::call_guard<nb::gil_scoped_release>(),
          "Return the bins; exact keeps double precision, as dates need it.")
      .def_prop_ro("max_bins", &data::BinSummary::max_bins)
      .def_prop_ro("n_rows", &data::BinSummary::n_rows)
      .def_prop_ro("n_missing", &data::BinSummary::n_missing)
      .def("__getstate__",
           [](const data::BinSummary& summary) {
             const data::BinSummary::State state = summary.state();
             return SummaryState(state.max_bins, state.n_known, state.n_rows, state.n_missing, state.highest,
                                 as_bytes(state.distinct), as_bytes(state.hashes), as_bytes(state.numbers));
           })
      .def("__setstate__", [](data::BinSummary& summary, const SummaryState& state) {
        const auto& [max_bins, n_known, n_rows, n_missing, highest, distinct, hashes, numbers] = state;
        new (&summary) data::BinSummary(
            data::BinSummary::from_state({max_bins, n_known, n_rows, n_missing, highest, from_bytes<double>(distinct),
                                          from_bytes<std::uint64_t>(hashes), from_bytes<double>(numbers)}));
      });
  m.def("ranges_of_columns", &ranges_of_columns, "columns"_a,
        "Return the lowest and the highest number of each column, and how many numbers are not NaN.");
  m.def("add_to_summaries", &add_to_summaries, "summaries"_a, "columns"_a, "first_row"_a, "ranges"_a = nb::list(),
        "Add the numbers of consecutive rows, with the ranges of ranges_of_columns if they are known.");
  m.def("bins_of_columns", &bins_of_columns, "summaries"_a, "exact"_a, "n_threads"_a = 1,
        "Return the bins of each column, of which there is a list of summaries; see BinSummary.bins.");
  m.def("codes_of_columns", &codes_of_columns, "bins"_a, "columns"_a,
        "Return the bin of each number of each column; the number of bins means missing.");
}

// Returns the columns, each of which keeps the dataset in memory.
nb::list columns_of(const nb::handle_t<data::Dataset>& dataset) {
  nb::list columns;
  for (const data::Column& column : nb::cast<const data::Dataset&>(dataset).columns)
    columns.append(nb::cast(&column, nb::rv_policy::reference_internal, dataset));
  return columns;
}

// Returns the class of each row as an array that cannot be changed and keeps the dataset in memory.
nb::ndarray<nb::numpy, const std::int32_t, nb::ndim<1>> classes_of(const nb::handle_t<data::Dataset>& dataset) {
  const std::vector<std::int32_t>& classes = nb::cast<const data::Dataset&>(dataset).classes;
  return {classes.data(), {classes.size()}, dataset};
}

std::vector<bool> single_precision(const data::Dataset& dataset) {
  std::vector<bool> single;
  for (const data::Column& column : dataset.columns) single.push_back(column.single_precision);
  return single;
}

}  // namespace

void bind_dataset(nb::module_& m) {
  bind_bins(m);
  nb::class_<data::Column>(m, "Column", "An encoded column of a dataset, which a forest can predict.")
      .def_ro("n_codes", &data::Column::n_codes)
      .def_ro("n_missing", &data::Column::n_missing);
  nb::class_<data::Dataset>(m, "Dataset", "Columns encoded once, shared by every fit.")
      .def(nb::new_(&make_dataset), "columns"_a, "n_values"_a, "classes"_a, "n_classes"_a, "single"_a = false,
           "n_threads"_a = 1, "exact"_a = nb::list(), "max_bins"_a = 0)
      .def_static("from_codes", &dataset_of_codes, "codes"_a, "bins"_a, "n_values"_a, "classes"_a, "n_classes"_a,
                  "n_threads"_a = 1, "Return the dataset of encoded columns; nominal ones have None in place of bins.")
      .def("select_columns", &select_columns, "columns"_a, "Return a copy with some of the columns, in this order.")
      .def("columns_like_keys", &fit::columns_like_keys, "total"_a,
           "Return the nominal columns whose values hardly repeat in rows that weigh `total` together.")
      .def_prop_ro("columns", &columns_of)
      .def_prop_ro("classes", &classes_of)
      .def_prop_ro("n_rows", [](const data::Dataset& d) { return d.n_rows; })
      .def_prop_ro("n_classes", [](const data::Dataset& d) { return d.n_classes; })
      .def_prop_ro("nbytes", &data::n_bytes)
      .def_prop_ro("inseparable", &fit::inseparable_columns)
      .def_prop_ro("single_precision", &single_precision);
}

}  // namespace weaklearn::bindings
