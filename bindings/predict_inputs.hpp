// From NumPy arrays to the questions that a forest answers, and back.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "graph/forest.hpp"

namespace weaklearn::bindings {

// The columns of rows to answer; every attribute must be there in the form its tests need.
inline std::vector<graph::InputColumn> input_columns(const graph::Forest& forest, const nb::list& columns,
                                                     std::size_t n_rows) {
  const auto& attributes = forest.attributes();
  if (nb::len(columns) != attributes.size())
    throw std::invalid_argument("got " + std::to_string(nb::len(columns)) + " columns, expected " +
                                std::to_string(attributes.size()));
  std::vector<graph::InputColumn> result(attributes.size());
  for (std::size_t a = 0; a < result.size(); ++a) {
    std::size_t size = n_rows;
    if (Doubles numbers; attributes[a].n_values > 0) {
      const Ints codes = codes_of(columns[a], a);
      result[a].codes = codes.data();
      size = codes.shape(0);
    } else if (nb::try_cast<Doubles>(columns[a], numbers, false)) {
      result[a].numbers = {numbers.data(), numbers.stride(0)};
      size = numbers.shape(0);
    } else if (forest.asks_for_number(a)) {  // otherwise a nominal attribute without values, never tested
      throw std::invalid_argument("column " + std::to_string(a) + " must hold numbers");
    }
    if (size != n_rows) throw std::invalid_argument("the columns differ in length");
  }
  return result;
}

// Calls answer(questions, out) without Python's lock and gives what it wrote.
template <class T, class Answer>
nb::ndarray<nb::numpy, T, nb::ndim<1>> answered(const graph::Forest& forest, const nb::list& columns,
                                                std::uint32_t n_rows, std::uint32_t n_threads, std::size_t size,
                                                const Answer& answer) {
  const auto inputs = input_columns(forest, columns, n_rows);
  std::vector<T> result(size);
  {
    const nb::gil_scoped_release release;
    answer(graph::Questions{inputs, n_rows, n_threads}, result.data());
  }
  return to_numpy(std::move(result));
}

}  // namespace weaklearn::bindings
