// Encodes one column: numbers to ranks, codes to the narrowest type that holds them.
#pragma once

#include <cstdint>
#include <span>

#include "data/bins.hpp"
#include "data/dataset.hpp"
#include "data/numbers.hpp"
#include "data/sort_column.hpp"

namespace weaklearn::data {

// Encodes a continuous column. Throws std::invalid_argument on an infinite value. With `single`, values are always
// rounded to float32; without it, they are rounded only if no two different values become equal, and not if `exact`.
// Seconds since 1970 are exact: a rounded threshold would be printed as another time.
Column encode_continuous(Numbers numbers, std::uint32_t n_rows, bool single, SortScratch& scratch, bool exact = false);

// Completes a column that has the codes of bins.
void finish_bins(Column& column, Bins bins);

// Encodes a nominal column. Codes outside [0, n_values) mean that the value is missing.
Column encode_nominal(std::span<const std::int32_t> codes, std::uint32_t n_values);

// Return the columns of codes that were made elsewhere, from the bins of a continuous column or the values of a nominal
// one. They throw std::invalid_argument if a code is too large, or if the type of the codes is not the narrowest one.
Column take_bin_codes(Codes codes, Bins bins);
Column take_nominal_codes(Codes codes, std::uint32_t n_values);

}  // namespace weaklearn::data
