// The compiled module: convert, release the GIL, call, convert. No algorithm lives here.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_core, m) {
  // Models that are still held when Python ends are no leak worth a message to whoever holds them.
  nanobind::set_leak_warnings(false);
  m.doc() = "The compiled core of weaklearn. Arrays in, arrays out; use the Python classes instead.";
  weaklearn::bindings::bind_dataset(m);
  weaklearn::bindings::bind_graph(m);
  weaklearn::bindings::bind_forest(m);
  weaklearn::bindings::bind_trees(m);
  weaklearn::bindings::bind_program(m);
  weaklearn::bindings::bind_agreement(m);
  weaklearn::bindings::bind_oblique(m);
  weaklearn::bindings::bind_separators(m);
}
