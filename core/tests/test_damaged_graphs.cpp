#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"
#include "graphs.hpp"

namespace weaklearn::tests {
namespace {

using graph::Graph;
using graph::Node;
using graph::SplitKind;

void finds_every_corruption() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_EQUAL(small_graph().problem(), std::string());
  CHECK_EQUAL(small_graph().depth(), 2U);
  const std::vector<std::function<void(Graph&)>> corruptions = {
      [](Graph& g) { g.n_classes = 0; },
      [](Graph& g) { g.branch_weights = {1, 2, 3}; },
      [](Graph& g) { g.branch_weights = {6, 4, 1, 2, 3, 2, -1}; },
      [&](Graph& g) { g.branch_weights = {nan, 4, 1, 2, 3, 2, 2}; },
      [](Graph& g) { g.nodes.clear(); },
      [](Graph& g) { g.class_weight.pop_back(); },
      [](Graph& g) {
        g.class_index.pop_back();
        g.class_weight.pop_back();
      },
      [](Graph& g) { g.nodes[3].label = -1; },
      [](Graph& g) { g.nodes[3].label = 2; },
      [&](Graph& g) { g.nodes[3].weight = nan; },
      [&](Graph& g) { g.nodes[3].weight = infinity; },
      [](Graph& g) { g.nodes[3].weight = -1; },
      [&](Graph& g) { g.nodes[3].errors = nan; },
      [](Graph& g) { g.nodes[0].first_branch = 6; },
      [](Graph& g) { g.nodes[0].first_branch = UINT32_MAX; },
      [](Graph& g) { g.nodes[1].n_branches = UINT32_MAX; },
      [](Graph& g) { g.children[0] = 8; },
      [](Graph& g) { g.children[0] = UINT32_MAX; },
      [](Graph& g) { g.nodes[7].first_class = 15; },
      [](Graph& g) { g.nodes[7].n_classes = UINT32_MAX; },
      [](Graph& g) { g.nodes[3].n_classes = 3; },             // of which one is repeated
      [](Graph& g) { g.class_index[3] = 2; },
      [](Graph& g) { g.class_index[3] = -1; },
      [&](Graph& g) { g.class_weight[3] = nan; },
      [](Graph& g) { g.class_weight[3] = -0.5; },
      [](Graph& g) { g.nodes[3].n_branches = 1; },            // a leaf with branches
      [](Graph& g) { g.nodes[0].column = -1; },
      [](Graph& g) { g.nodes[0].column = 2; },
      [](Graph& g) { g.nodes[0].column = 1; },                // threshold on a nominal column
      [&](Graph& g) { g.nodes[0].threshold = nan; },
      [&](Graph& g) { g.nodes[0].threshold = -infinity; },
      [](Graph& g) { g.nodes[0].n_branches = 1; },
      [](Graph& g) { g.nodes[1].column = 0; },                // multiway on a continuous column
      [](Graph& g) { g.nodes[1].n_branches = 2; },
      [](Graph& g) { g.nodes[2].column = 0; },                // subsets of a continuous column
      [](Graph& g) { g.nodes[2].n_branches = 0; },
      [](Graph& g) { g.columns[1].n_values = 4; },
      [](Graph& g) { g.nodes[2].first_value = 1; },
      [](Graph& g) { g.nodes[2].first_value = UINT32_MAX; },
      [](Graph& g) { g.value_branch[0] = 2; },
      [](Graph& g) { g.value_branch[0] = -2; },
      [](Graph& g) { g.nodes[0].split = static_cast<SplitKind>(4); },
      [](Graph& g) { g.children[3] = 0; },                    // a circle through the root
      [](Graph& g) { g.children[3] = 1; },                    // a circle of one
      [](Graph& g) {
        g.children[5] = 1;
        g.children[3] = 2;
      }, // a circle of two
      [](Graph& g) { g.children[1] = 1; },                    // 2 cannot be reached
      [](Graph& g) { g.nodes.push_back(g.nodes[7]); },
      [](Graph& g) {  // the range of branches of node 2 is that of the root: 2 leads to itself
        g.nodes[2] = g.nodes[0];
        g.nodes.resize(6);
        g.children.resize(5);
      },
  };
  for (std::size_t i = 0; i < corruptions.size(); ++i) {
    Graph graph = small_graph();
    corruptions[i](graph);
    const bool found = !graph.problem().empty();
    if (!found) std::cerr << "corruption number " << i << std::endl;
    CHECK(found);
  }
  // A branch that belongs to no node must be refused or ignored, but never followed.
  Graph graph = small_graph();
  graph.children.push_back(1000000);
  CHECK(graph.problem().size() < 200);
}

template <class T>
void spoil(Random& random, std::vector<T>& values) {
  if (values.empty()) return;
  T& value = values[below(random, static_cast<std::uint32_t>(values.size()))];
  switch (below(random, 5)) {
    case 0:
      value = static_cast<T>(-1);
      break;
    case 1:
      value = std::numeric_limits<T>::max();
      break;
    case 2:
      value = std::numeric_limits<T>::lowest();
      break;
    case 3:
      value = static_cast<T>(below(random, 12));
      break;
    default:
      if (value < std::numeric_limits<T>::max()) value = static_cast<T>(value + static_cast<T>(1));
      break;
  }
}

void spoil(Random& random, Node& node) {
  const std::uint32_t number = below(random, 3) == 0 ? UINT32_MAX - below(random, 3) : below(random, 12);
  switch (below(random, 11)) {
    case 0:
      node.split = static_cast<SplitKind>(below(random, 6));
      break;
    case 1:
      node.column = static_cast<std::int32_t>(number);
      break;
    case 2:
      node.label = static_cast<std::int32_t>(number);
      break;
    case 3:
      node.threshold = below(random, 2) ? missing_number : 1e308;
      break;
    case 4:
      node.weight = below(random, 2) ? missing_number : 0.0;
      break;
    case 5:
      node.errors = below(random, 2) ? missing_number : -1e308;
      break;
    case 6:
      node.first_branch = number;
      break;
    case 7:
      node.n_branches = number;
      break;
    case 8:
      node.first_value = number;
      break;
    case 9:
      node.first_class = number;
      break;
    default:
      node.n_classes = number;
      break;
  }
}

void spoil(Random& random, Graph& graph) {
  switch (below(random, 9)) {
    case 0:
      spoil(random, graph.children);
      break;
    case 1:
      spoil(random, graph.value_branch);
      break;
    case 2:
      spoil(random, graph.class_index);
      break;
    case 3:
      spoil(random, graph.class_weight);
      break;
    case 4:
      graph.children.resize(below(random, static_cast<std::uint32_t>(graph.children.size()) + 3));
      break;
    case 5:
      graph.columns[below(random, static_cast<std::uint32_t>(graph.columns.size()))].n_values = below(random, 9);
      break;
    case 6:
      graph.n_classes = below(random, 5);
      break;
    default:
      spoil(random, graph.nodes[below(random, static_cast<std::uint32_t>(graph.nodes.size()))]);
      break;
  }
}

// Every corruption is found or does no harm: rows must reach an end in every graph that passes the check.
void random_corruption_does_no_harm() {
  Random random(2);
  std::uint32_t found = 0;
  for (int round = 0; round < 40; ++round) {
    Shape shape = random_shape(random);
    const Graph valid = random_graph(random, random_table(random, shape), false);
    shape.missing = 0.3;
    shape.n_rows = 150;
    const RandomTable rows = random_table(random, shape);
    const std::vector<double> numbers(shape.n_rows, 0.5);
    const std::vector<std::int32_t> codes(shape.n_rows, 1);
    for (int again = 0; again < 300; ++again) {
      Graph graph = valid;
      for (std::uint32_t n = 1 + below(random, 3); n-- > 0;) spoil(random, graph);
      const std::string problem = graph.problem();
      if (!problem.empty()) {
        ++found;
        continue;
      }
      std::vector<graph::InputColumn> columns = rows.input();
      for (std::size_t c = 0; c < columns.size(); ++c) {  // a column may have changed its kind
        const bool is_nominal = graph.columns[c].n_values > 0;
        if (is_nominal && columns[c].codes == nullptr) columns[c] = {{}, codes.data()};
        if (!is_nominal && columns[c].codes != nullptr) columns[c] = {{numbers.data(), 1}, nullptr};
      }
      const graph::Forest forest = forest_of(graph);
      std::vector<std::int32_t> classes(shape.n_rows);
      forest.predict_members({columns, shape.n_rows}, classes.data(), nullptr);
      for (const std::int32_t k : classes) CHECK(k >= 0 && static_cast<std::uint32_t>(k) < graph.n_classes);
      const std::vector<const Graph*> many(again % 10 == 0 ? 40 : 1, &graph);  // predicted bit by bit
      const graph::Forest copies(many);
      std::vector<std::int32_t> by_copies(shape.n_rows * many.size());
      copies.predict_members({columns, shape.n_rows}, by_copies.data(), nullptr);
      for (std::size_t i = 0; i < by_copies.size(); ++i) CHECK_EQUAL(by_copies[i], classes[i % shape.n_rows]);
      std::size_t n_branches = 0;
      for (const Node& node : graph.nodes) n_branches += node.n_branches;
      std::vector<double> taken(n_branches * graph.n_classes);
      forest.branch_class_weights({columns, shape.n_rows}, classes, std::vector<double>(shape.n_rows, 1.0),
                                  taken.data());
      std::vector<std::int32_t> leaves(shape.n_rows);
      forest.apply({columns, shape.n_rows}, leaves.data());
      for (const std::int32_t leaf : leaves) CHECK(leaf == -1 || graph.is_leaf(static_cast<std::uint32_t>(leaf)));
      const graph::Paths paths = forest.decision_path({columns, shape.n_rows});
      CHECK_EQUAL(paths.row_start.size(), std::size_t{shape.n_rows} + 1);
      CHECK_EQUAL(static_cast<std::size_t>(paths.row_start.back()), paths.nodes.size());
      CHECK(graph.depth() < graph.nodes.size());
    }
  }
  CHECK(found > 1000);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  finds_every_corruption();
  random_corruption_does_no_harm();
  return report("damaged_graphs");
}
