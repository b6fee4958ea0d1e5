// Trees whose rows are counted in parts: the same bits as those of all rows together, also if threads share the parts.
#include <atomic>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data/encode_dataset.hpp"
#include "fit/fit_c45.hpp"
#include "fit/fit_topdown.hpp"
#include "fit/parts_of_rows.hpp"
#include "parallel/thread_pool.hpp"
#include "random_table.hpp"

namespace weaklearn::tests {
namespace {

using data::Dataset;
using graph::Graph;

Dataset with_bins(const RandomTable& table, std::uint32_t max_bins) {
  std::vector<data::RawColumn> columns;
  for (const auto& numbers : table.numbers)
    columns.push_back({.numbers = {numbers.data(), 1}, .codes = {}, .n_rows = numbers.size()});
  for (std::size_t c = 0; c < table.codes.size(); ++c)
    columns.push_back({.numbers = {},
                       .codes = table.codes[c],
                       .n_values = table.n_values[c],
                       .n_rows = table.codes[c].size(),
                       .nominal = true});
  return data::encode_dataset(columns, table.dataset.classes, table.dataset.n_classes, {.max_bins = max_bins});
}

// Some rows of a dataset with their weights.
struct Part {
  Part(const Dataset& whole, std::span<const double> all_weights, const std::vector<std::uint32_t>& chosen)
      : rows(data::select(whole, chosen)) {
    for (const std::uint32_t row : chosen) weights.push_back(all_weights[row]);
  }

  Dataset rows;
  std::vector<double> weights;
};

// The rows of a dataset in parts, and the dataset that describes its columns.
struct Parts {
  Parts(Random& random, const Dataset& whole, std::span<const double> weights, std::uint32_t n_parts)
      : unit(whole, weights), description(data::select(whole, std::vector{0U})) {
    std::vector<std::vector<std::uint32_t>> chosen(n_parts);
    for (std::uint32_t row = 0; row < whole.n_rows; ++row) chosen[below(random, n_parts)].push_back(row);
    for (const auto& rows : chosen) parts.emplace_back(whole, weights, rows);
    for (const Part& part : parts) counted.push_back(std::make_unique<tree::PartOfRows>(part.rows, part.weights, unit));
    for (const double weight : weights) all_weigh_one = all_weigh_one && (weight == 0.0 || weight == 1.0);
  }

  tree::WeightUnit unit;
  Dataset description;
  bool all_weigh_one = true;
  std::vector<Part> parts;
  std::vector<std::unique_ptr<tree::PartOfRows>> counted;
};

// The sums over all parts for one tree. Two threads count them.
class SumsOverParts : public tree::CountedRows {
 public:
  explicit SumsOverParts(const Parts& parts)
      : CountedRows(parts.unit, parts.all_weigh_one), parts_(parts), name_of_tree_(n_trees++), pool_(2) {}

  std::vector<double> tables(const tree::Routing& tree, std::span<const std::uint32_t> nodes) override {
    return add_up([&](tree::PartOfRows& part) { return part.tables(tree, name_of_tree_, nodes); });
  }
  std::vector<double> node_sums(const tree::Routing& tree, std::span<const tree::RowsAndSubtree> requests) override {
    return add_up([&](tree::PartOfRows& part) { return part.node_sums(tree::Routing(tree.to_bytes()), requests); });
  }

 private:
  template <class Count>
  std::vector<double> add_up(const Count& count) {
    std::vector<std::vector<double>> sums(parts_.counted.size());
    pool_.for_each(static_cast<std::uint32_t>(sums.size()),
                   [&](std::uint32_t i, std::uint32_t) { sums[i] = count(*parts_.counted[i]); });
    for (std::size_t i = 1; i < sums.size(); ++i)
      for (std::size_t k = 0; k < sums[0].size(); ++k) sums[0][k] += sums[i][k];
    return sums[0];
  }

  static inline std::atomic<std::uint64_t> n_trees = 0;
  const Parts& parts_;
  const std::uint64_t name_of_tree_;
  parallel::ThreadPool pool_;
};

// With relative weights of classes, the weights of the rows contain them.
criteria::ClassFactors random_factors(Random& random, const Dataset& dataset, std::vector<double>& weights) {
  criteria::ClassFactors classes;
  const std::uint32_t n = dataset.n_classes;
  for (std::uint32_t k = 0; k < n; ++k) classes.factors.push_back(0.25 + uniform(random));
  if (n > 1 && below(random, 2) == 0)
    for (std::uint32_t k = 0; k < n; ++k)
      for (std::uint32_t j = 0; j < n; ++j) classes.costs.push_back(j == k ? 0.0 : 0.5 + uniform(random));
  for (std::uint32_t row = 0; row < dataset.n_rows; ++row)
    weights[row] *= classes.factors[static_cast<std::size_t>(dataset.classes[row])];
  return classes;
}

fit::C45FitOptions random_options(Random& random) {
  fit::C45FitOptions options;
  options.tree.search.min_objects = below(random, 3);
  options.tree.search.subset = below(random, 3) == 0;
  options.tree.search.missing_takes_branch = true;
  options.tree.collapse = below(random, 2) == 0;
  options.pruning.confidence = 0.01 + 0.99 * uniform(random);
  return options;
}

Graph counted_tree(const Parts& parts, fit::C45FitOptions options) {
  SumsOverParts sums(parts);
  options.tree.counted = &sums;
  return fit::fit_c45(parts.description, {}, options);
}

void parts_make_the_tree_of_all_rows() {
  Random random(1);
  std::size_t n_pruned = 0;
  for (int round = 0; round < 1500; ++round) {
    Shape shape = random_shape(random);
    shape.n_rows += 5;
    const Dataset whole = with_bins(random_table(random, shape), 3 + below(random, 30));
    std::vector<double> weights = random_weights(random, whole.n_rows, static_cast<Weighting>(below(random, 3)));
    if (below(random, 4) == 0)  // nodes may weigh less than 1
      for (double& weight : weights) weight /= 64;
    fit::C45FitOptions options = random_options(random);
    if (below(random, 4) == 0) options.tree.classes = random_factors(random, whole, weights);
    const Parts parts(random, whole, weights, 1 + below(random, 4));
    const Graph expected = fit::fit_c45(whole, weights, options);
    CHECK_EQUAL(difference(counted_tree(parts, options), expected), std::string());
    options.pruning.prune = false;
    n_pruned += counted_tree(parts, options).nodes.size() > expected.nodes.size();
  }
  CHECK(n_pruned > 300);
}

// Without a branch for missing values, shares of rows are counted, and sent down again to prune.
void parts_count_shares_of_rows() {
  Random random(2);
  std::size_t n_pruned = 0;
  for (int round = 0; round < 600; ++round) {
    Shape shape = random_shape(random);
    shape.n_rows += 20;
    shape.missing = 0.2;
    const Dataset whole = with_bins(random_table(random, shape), 10);
    const std::vector<double> weights = random_weights(random, whole.n_rows, static_cast<Weighting>(round % 3));
    const Parts parts(random, whole, weights, 3);
    fit::C45FitOptions options = random_options(random);
    options.tree.search.missing_takes_branch = false;
    const Graph expected = fit::fit_c45(whole, weights, options);
    CHECK_EQUAL(difference(counted_tree(parts, options), expected), std::string());
    options.pruning.prune = false;
    const Graph unpruned = fit::fit_c45(whole, weights, options);
    CHECK_EQUAL(difference(counted_tree(parts, options), unpruned), std::string());
    n_pruned += unpruned.nodes.size() > expected.nodes.size();

    tree::TopDownOptions topdown{.n_rounds = 5};
    const Graph best_first = fit::fit_topdown(whole, weights, topdown, {.prune = false});
    SumsOverParts sums(parts);
    topdown.counted = &sums;
    CHECK_EQUAL(difference(fit::fit_topdown(parts.description, {}, topdown, {.prune = false}), best_first),
                std::string());
  }
  CHECK(n_pruned > 100);
}

// Rows are sent down without recursion, so a tree may have any depth. A row stays on the longest path.
void rows_go_down_a_very_deep_tree() {
  constexpr std::uint32_t n_levels = 200'000;
  const std::vector<double> numbers{0.0, 1.0, 1.0};
  const data::RawColumn column{.numbers = {numbers.data(), 1}, .codes = {}, .n_rows = numbers.size()};
  const Dataset rows = data::encode_dataset(std::vector{column}, std::vector{0, 1, 1}, 2, {.max_bins = 2});
  graph::Draft draft(2);
  std::uint32_t deepest = draft.add();
  for (std::uint32_t level = 0; level < n_levels; ++level) {
    const std::uint32_t first = draft.add();
    const std::uint32_t second = draft.add();
    graph::Draft::Node& split = draft.nodes[deepest];
    split.split = graph::SplitKind::threshold;
    split.column = 0;
    split.children = {first, second};
    deepest = second;
  }
  const std::vector<double> weights(3, 1.0);
  const tree::PartOfRows part(rows, weights, tree::WeightUnit(rows, weights));
  const std::vector<tree::RowsAndSubtree> requests{{.node = 0, .subtree = 0}, {.node = deepest, .subtree = deepest}};
  const std::vector<double> sums = part.node_sums(tree::Routing(draft, {}), requests);
  CHECK_EQUAL(sums.size(), std::size_t{2} * (2 * n_levels + 2));
  CHECK_EQUAL(sums[0], 1.0);
  CHECK_EQUAL(sums[1], 2.0);
  CHECK_EQUAL(sums[sums.size() - 2], 0.0);  // the deepest leaf, in the second request
  CHECK_EQUAL(sums[sums.size() - 1], 2.0);
}

// The parts remember where the rows of one tree are. Each tree starts again at its root.
void trees_in_several_threads_share_the_parts() {
  Random random(3);
  for (const double missing : {0.0, 0.05}) {
    const RandomTable table =
        random_table(random, {.n_rows = 1500, .n_continuous = 3, .n_nominal = 2, .missing = missing, .noise = 0.2});
    const Dataset whole = with_bins(table, 16);
    const std::vector<double> weights = random_weights(random, whole.n_rows, Weighting::real);
    fit::C45FitOptions options;
    options.tree.search.missing_takes_branch = true;
    const Graph expected = fit::fit_c45(whole, weights, options);
    CHECK(expected.nodes.size() > 20);
    const Parts parts(random, whole, weights, 3);
    std::vector<Graph> grown(4);
    std::vector<std::thread> threads;
    for (Graph& graph : grown) threads.emplace_back([&] { graph = counted_tree(parts, options); });
    for (std::thread& thread : threads) thread.join();
    for (const Graph& graph : grown) CHECK_EQUAL(difference(graph, expected), std::string());
  }
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  parts_make_the_tree_of_all_rows();
  parts_count_shares_of_rows();
  rows_go_down_a_very_deep_tree();
  trees_in_several_threads_share_the_parts();
  return report("parts_of_rows");
}
