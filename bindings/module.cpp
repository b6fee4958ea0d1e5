// The compiled module. A binding converts its arguments, releases the GIL, calls core/fit (or core/graph to predict)
// and converts the result. It contains no rule of any algorithm.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_core, m) {
  // Models that still exist when Python exits are not leaks, so nanobind must not warn about them.
  nanobind::set_leak_warnings(false);
  m.doc() = "The compiled core of weaklearn. Arrays in, arrays out; use the Python classes instead.";
  weaklearn::bindings::bind_dataset(m);
  weaklearn::bindings::bind_graph(m);
  weaklearn::bindings::bind_compact_graphs(m);
  weaklearn::bindings::bind_forest(m);
  weaklearn::bindings::bind_trees(m);
  weaklearn::bindings::bind_program(m);
  weaklearn::bindings::bind_agreement(m);
  weaklearn::bindings::bind_oblique(m);
  weaklearn::bindings::bind_separators(m);
  weaklearn::bindings::bind_rules(m);
  weaklearn::bindings::bind_explain(m);
  weaklearn::bindings::bind_parts_of_rows(m);
}
