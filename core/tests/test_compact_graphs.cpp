#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "graph/compact_graphs.hpp"
#include "graphs.hpp"

namespace weaklearn::tests {
namespace {

using graph::CompactGraphs;
using graph::CompactView;
using graph::Graph;

CompactView view_of(const CompactGraphs& form) {
  CompactView view;
  std::vector<const void*> data;
  std::vector<std::size_t> sizes;
  CompactGraphs::for_each_list(form, [&]<class T>(const char*, const std::vector<T>& values) {
    data.push_back(values.data());
    sizes.push_back(values.size());
  });
  std::size_t next = 0;
  CompactView::for_each_list(view, [&]<class T>(const char*, std::span<const T>& values) {
    values = {static_cast<const T*>(data[next]), sizes[next]};
    ++next;
  });
  return view;
}

void check_same(const Graph& one, const Graph& other) {
  std::vector<std::string> bytes;
  Graph::for_each_array(one, [&]<class T>(const char*, const std::vector<T>& values) {
    bytes.emplace_back(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  });
  std::size_t next = 0;
  Graph::for_each_array(other, [&]<class T>(const char*, const std::vector<T>& values) {
    CHECK(bytes[next] == std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
    ++next;
  });
}

void graphs_come_back() {
  Random random(5);
  for (int again = 0; again < 200; ++again) {
    const RandomTable table = random_table(random, random_shape(random));
    const Graph first = random_graph(random, table, again % 4 == 0);
    const Graph second = random_graph(random, table, false);
    const Graph* const graphs[] = {&first, &second};
    const CompactGraphs form = graph::compact(graphs);
    CHECK(form.children.empty());
    const std::vector<Graph> expanded = graph::expand(view_of(form), first.n_classes, first.columns);
    CHECK_EQUAL(expanded.size(), std::size_t{2});
    check_same(expanded[0], first);
    check_same(expanded[1], second);
  }
}

// The small graph is not in depth-first order, and its numbers do not add up.
void numbers_that_do_not_follow_come_back() {
  Graph graph = small_graph();
  for (std::size_t i = 3; i < 8; ++i) {  // as in graphs that are grown
    graph.nodes[i].first_value = 3;
    graph.nodes[i].first_branch = 7;
  }
  const Graph* const only[] = {&graph};
  check_same(graph::expand(view_of(graph::compact(only)), graph.n_classes, graph.columns)[0], graph);
  graph.branch_weights = {6, 4, 1, 2, 3, 2, 2};
  graph.missing_branch = {0, 1, 1, -1, -1, -1, -1, -1};
  check_same(graph::expand(view_of(graph::compact(only)), graph.n_classes, graph.columns)[0], graph);
}

// Changes one number of a list, or its length.
template <class T>
void spoil(Random& random, std::vector<T>& values) {
  const std::uint32_t what = below(random, 8);
  if (what == 0 || values.empty()) {
    values.push_back(values.empty() ? T{} : values.back());
  } else if (what == 1) {
    values.pop_back();
  } else {
    const T choices[] = {
        T(0), T(1), T(2), T(3), T(-1), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
    values[below(random, static_cast<std::uint32_t>(values.size()))] = choices[below(random, 7)];
  }
}

void damaged_forms_are_refused_or_valid() {
  Random random(6);
  std::size_t n_refused = 0, n_valid = 0;
  for (int table_index = 0; table_index < 30; ++table_index) {
    const RandomTable table = random_table(random, random_shape(random));
    Graph graph = table_index % 3 == 0 ? small_graph() : random_graph(random, table, false);
    const Graph* const only[] = {&graph};
    const CompactGraphs form = graph::compact(only);
    for (int again = 0; again < 400; ++again) {
      CompactGraphs changed = form;
      for (std::uint32_t n = 1 + below(random, 2); n-- > 0;) {
        std::uint32_t chosen = below(random, 35);
        CompactGraphs::for_each_list(changed, [&]<class T>(const char*, std::vector<T>& values) {
          if (chosen-- == 0) spoil(random, values);
        });
      }
      try {
        for (const Graph& expanded : graph::expand(view_of(changed), graph.n_classes, graph.columns)) {
          CHECK_EQUAL(expanded.problem(), std::string());
          ++n_valid;
        }
      } catch (const std::invalid_argument& error) {
        CHECK(std::strlen(error.what()) > 10);
        ++n_refused;
      }
    }
  }
  CHECK(n_refused > 1000);
  CHECK(n_valid > 100);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  graphs_come_back();
  numbers_that_do_not_follow_come_back();
  damaged_forms_are_refused_or_valid();
  return report("compact_graphs");
}
