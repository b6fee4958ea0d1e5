// Branching programs: growing with every merge rule, and pruning.
#include <string>
#include <vector>

#include "check.hpp"
#include "grow.hpp"
#include "program/grow_program.hpp"
#include "program/prune_program.hpp"

namespace weaklearn::tests {
namespace {

using graph::Graph;

// With every merge rule the graph is valid, no level loses what it has gained, and a pruned program is not larger.
void programs_on_random_tables() {
  Random random(77);
  std::size_t n_shared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const RandomTable table = random_table(random, random_shape(random));
    const std::vector<double> weights =
        random_weights(random, table.dataset.n_rows, static_cast<Weighting>(below(random, 3)));
    program::ProgramOptions options;
    constexpr const char* names[] = {"entropy", "gini", "km", "error"};
    options.criterion.name = names[below(random, 4)];
    constexpr const char* rules[] = {"none", "grid", "budget", "width"};
    options.merge_rule = rules[below(random, 4)];
    if (options.merge_rule == "grid" && table.dataset.n_classes > 2) options.merge_rule = "budget";
    options.merging.max_width = 1 + below(random, 6);
    options.split_without_gain = below(random, 2) == 0;
    options.missing_takes_branch = below(random, 2) == 0;
    options.n_threads = 1 + below(random, 2);
    program::Program program = program::grow_program(table.dataset, weights, options);
    const Graph graph = graph::flatten_levels(program.draft, table.column_types());
    CHECK_EQUAL(graph.problem(), std::string());
    CHECK_EQUAL(graph.children.size(), graph.branch_weights.size());
    CHECK_EQUAL(graph.depth(), static_cast<std::uint32_t>(program.levels.size()));
    for (const program::Level& level : program.levels) {
      CHECK(level.merged <= level.before + 1e-9);
      if (options.merge_rule == "width") CHECK(level.next_nodes <= options.merging.max_width);
    }
    n_shared += graph.children.size() + 1 - graph.nodes.size();
    program::prune_program(program.draft, table.dataset, weights, 0.25);
    const Graph pruned = graph::flatten_levels(program.draft, table.column_types());
    CHECK_EQUAL(pruned.problem(), std::string());
    CHECK(n_splits(pruned) <= n_splits(graph));
  }
  CHECK(n_shared > 100);
}

// Shares of rows are merged and add up to whole rows again, but sums of shares are not exact.
void programs_of_small_tables_with_missing_values() {
  Random random(78);
  for (int trial = 0; trial < 6000; ++trial) {
    const Shape shape{.n_rows = 2 + below(random, 24),
                      .n_classes = 2 + below(random, 2),
                      .n_values = 3,
                      .n_distinct = 4,
                      .missing = 0.25,
                      .noise = 1.0};
    const RandomTable table = random_table(random, shape);
    const std::vector<double> weights(table.dataset.n_rows, 1.0);
    program::ProgramOptions options;
    options.criterion.name = "km";
    options.merge_rule = shape.n_classes == 2 ? "grid" : "budget";
    const program::Program program = program::grow_program(table.dataset, weights, options);
    CHECK_EQUAL(graph::flatten_levels(program.draft, table.column_types()).problem(), std::string());
    for (const program::Level& level : program.levels) CHECK(level.merged <= level.before + 1e-9);
  }
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  programs_on_random_tables();
  programs_of_small_tables_with_missing_values();
  return report("program");
}
