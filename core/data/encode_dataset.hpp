// Encodes a whole table: the entry point of this folder for the bindings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/bins.hpp"
#include "data/dataset.hpp"
#include "data/numbers.hpp"

namespace weaklearn::data {

// A column of a table before it is encoded.
struct RawColumn {
  Numbers numbers;                      // of a continuous column
  std::span<const std::int32_t> codes;  // of a nominal column, below n_values; any other code is a missing value
  std::uint32_t n_values = 0;
  std::size_t n_rows = 0;
  bool nominal = false;
  bool exact = false;  // continuous: keep double precision, as dates need it
};

struct EncodingOptions {
  bool single = false;         // round numbers to float32
  std::uint32_t max_bins = 0;  // cut numbers into at most so many bins (cut_into_bins.hpp); 0 for none
  std::uint32_t n_threads = 1;
};

// Throws std::invalid_argument, with the index of the column, for a table that cannot be encoded.
Dataset encode_dataset(std::span<const RawColumn> columns, std::span<const std::int32_t> classes,
                       std::uint32_t n_classes, const EncodingOptions& options);

// A column that is encoded already: bins of a continuous column, or the number of values of a nominal one.
struct CodedColumn {
  Codes codes;  // of the narrowest type; the number of bins or values means missing
  Bins bins;
  std::uint32_t n_values = 0;
  bool nominal = false;
};

// Returns the dataset of these columns, whose codes are not copied. It is the one that encode_dataset() makes with
// max_bins. Throws std::invalid_argument, with the index of the column, for codes that no encoding gives.
Dataset dataset_of_codes(std::span<CodedColumn> columns, std::span<const std::int32_t> classes, std::uint32_t n_classes,
                         std::uint32_t n_threads);

// Returns some of the columns, in the given order, with all rows.
Dataset select_columns(const Dataset& dataset, std::span<const std::uint32_t> columns);

}  // namespace weaklearn::data
