// From NumPy arrays to the rows that a forest predicts, and back.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "graph/forest.hpp"

namespace weaklearn::bindings {

// Returns the columns of the rows to predict. Every column must have the type that the splits or conditions on it need.
// `Model` is a Forest or a Matcher.
template <class Model>
std::vector<graph::InputColumn> input_columns(const Model& model, const nb::list& arrays, std::size_t n_rows) {
  const auto& columns = model.columns();
  if (nb::len(arrays) != columns.size())
    throw std::invalid_argument("got " + std::to_string(nb::len(arrays)) + " columns, expected " +
                                std::to_string(columns.size()));
  std::vector<graph::InputColumn> result(columns.size());
  for (std::size_t c = 0; c < result.size(); ++c) {
    std::size_t size = n_rows;
    const data::Column* encoded = nullptr;
    if (std::is_same_v<Model, graph::Forest> && nb::try_cast(arrays[c], encoded, false) && encoded != nullptr) {
      if (encoded->nominal ? encoded->n_codes != columns[c].n_values : columns[c].n_values > 0)
        throw std::invalid_argument("column " + std::to_string(c) + " has other values than the model");
      result[c].encoded = encoded;
      size = std::visit([](const auto& codes) { return codes.size(); }, encoded->codes);
    } else if (Doubles numbers; columns[c].n_values > 0) {
      const Ints codes = codes_of(arrays[c], c);
      result[c].codes = codes.data();
      size = codes.shape(0);
    } else if (nb::try_cast<Doubles>(arrays[c], numbers, false)) {
      result[c].numbers = {numbers.data(), numbers.stride(0)};
      size = numbers.shape(0);
    } else if (model.needs_numbers(c)) {  // otherwise it is a nominal column without values, which no split uses
      throw std::invalid_argument("column " + std::to_string(c) + " must hold numbers");
    }
    if (size != n_rows)
      throw std::invalid_argument("column " + std::to_string(c) + " has " + std::to_string(size) + " rows, expected " +
                                  std::to_string(n_rows));
  }
  return result;
}

// Calls predict(rows) without Python's lock.
template <class Model, class Predict>
void with_rows(const Model& model, const nb::list& columns, std::uint32_t n_rows, std::uint32_t n_threads,
               const Predict& predict) {
  const auto inputs = input_columns(model, columns, n_rows);
  const nb::gil_scoped_release release;
  predict(graph::InputRows{inputs, n_rows, n_threads});
}

// Calls predict(rows, out) without Python's lock and returns the `size` numbers that it writes to `out`.
template <class T, class Model, class Predict>
nb::ndarray<nb::numpy, T, nb::ndim<1>> predicted(const Model& model, const nb::list& columns, std::uint32_t n_rows,
                                                 std::uint32_t n_threads, std::size_t size, const Predict& predict) {
  std::vector<T> result(size);
  with_rows(model, columns, n_rows, n_threads, [&](const graph::InputRows& rows) { predict(rows, result.data()); });
  return to_numpy(std::move(result));
}

}  // namespace weaklearn::bindings
