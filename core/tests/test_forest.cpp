// Many rows at once, compared with a few rows at a time, bit for bit.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "check.hpp"
#include "graph/row_sets.hpp"
#include "graph/shrink_shares.hpp"
#include "graphs.hpp"

namespace weaklearn::tests {
namespace {

using graph::Forest;
using graph::Graph;
using graph::rows_per_set;
using graph::RowSet;
using graph::VoteForm;

bool contains(const RowSet& set, std::uint32_t row) { return (set.words[row / 64] >> (row % 64) & 1) != 0; }

void sets_of_rows_are_combined() {
  Random random(1);
  for (const std::uint32_t n_sets : {1U, 2U, 3U, 17U, 256U, 300U}) {
    for (const std::uint32_t n_rows : {1U, 64U, 300U, rows_per_set}) {
      std::vector<std::uint32_t> places(n_rows);
      for (std::uint32_t& place : places) place = below(random, n_sets);
      std::vector<RowSet> sets(n_sets + 3);
      graph::insert_rows(places.data(), n_rows, sets.data());
      for (std::uint32_t row = 0; row < n_rows; ++row)
        for (std::uint32_t s = 0; s < n_sets; ++s) CHECK_EQUAL(contains(sets[s], row), places[row] == s);

      std::vector<RowSet> with_following = sets;
      graph::add_following(with_following.data(), n_sets);
      for (std::uint32_t row = 0; row < n_rows; ++row)
        for (std::uint32_t s = 0; s < n_sets; ++s) CHECK_EQUAL(contains(with_following[s], row), places[row] >= s);

      std::vector<graph::LabelledSets> groups;
      for (std::uint32_t end = 0; end < n_sets;) {
        end = std::min(end + 1 + below(random, n_sets), n_sets);
        groups.push_back({below(random, 256), end});
      }
      std::vector<std::uint8_t> labels(rows_per_set);
      graph::write_labels(sets.data(), groups, labels.data());
      for (std::uint32_t row = 0; row < n_rows; ++row) {
        std::size_t g = 0;
        while (groups[g].end <= places[row]) ++g;
        CHECK_EQUAL(std::uint32_t{labels[row]}, groups[g].label);
      }

      std::vector<std::uint16_t> indices(rows_per_set);
      graph::write_indices(sets.data(), n_sets, indices.data());
      for (std::uint32_t row = 0; row < n_rows; ++row) CHECK_EQUAL(std::uint32_t{indices[row]}, places[row]);
    }
  }
}

// Everything that a forest predicts, as doubles; for each row the same number of them.
std::vector<double> predictions(const Forest& forest, std::span<const graph::InputColumn> columns, std::uint32_t first,
                                std::uint32_t n, std::uint32_t n_threads) {
  std::vector<graph::InputColumn> part(columns.begin(), columns.end());
  for (graph::InputColumn& column : part) {
    if (column.codes != nullptr) column.codes += first;
    if (column.numbers.first != nullptr) column.numbers.first += first;
  }
  const graph::InputRows rows{part, n, n_threads};
  const std::size_t n_members = forest.n_members();
  const std::size_t n_classes = forest.n_classes();
  std::vector<double> votes(n_members);
  for (std::size_t m = 0; m < n_members; ++m) votes[m] = 0.1 + static_cast<double>(m % 7) / 3;
  std::vector<std::int32_t> leaves(n * n_members);
  std::vector<std::int32_t> classes(n * n_members);
  std::vector<double> confidences(n * n_members);
  std::vector<double> shares(n * n_members * n_classes);
  std::vector<std::int32_t> winners(n);
  std::vector<std::uint32_t> priority;
  for (std::uint32_t k = 0; k < n_classes; ++k) priority.push_back(k);
  forest.apply(rows, leaves.data());
  forest.predict_members(rows, classes.data(), confidences.data(), shares.data());
  forest.predict(rows, {votes, VoteForm::label}, priority, winners.data());
  std::vector<std::vector<double>> scores;
  for (const VoteForm form : {VoteForm::label, VoteForm::confidence, VoteForm::shares}) {
    scores.emplace_back(n * n_classes);
    forest.count_votes(rows, {votes, form}, scores.back().data());
  }
  std::vector<double> result;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t m = 0; m < n_members; ++m) {
      result.push_back(leaves[i * n_members + m]);
      result.push_back(classes[m * n + i]);
      result.push_back(confidences[m * n + i]);
      for (std::size_t k = 0; k < n_classes; ++k) result.push_back(shares[(m * n + i) * n_classes + k]);
    }
    result.push_back(winners[i]);
    for (const std::vector<double>& of_form : scores)
      for (std::size_t k = 0; k < n_classes; ++k) result.push_back(of_form[i * n_classes + k]);
  }
  return result;
}

// Puts values at and beside the thresholds into the table, and those that are hard to compare.
void make_awkward(Random& random, const std::vector<Graph>& graphs, RandomTable& table) {
  for (const Graph& graph : graphs)
    for (const graph::Node& node : graph.nodes) {
      if (node.split != graph::SplitKind::threshold) continue;
      const double t = node.threshold;
      const double near[] = {t, std::nextafter(t, -1e300), std::nextafter(t, 1e300),
                             std::nextafter(static_cast<float>(t), 1e30F)};
      std::vector<double>& column = table.numbers[static_cast<std::size_t>(node.column)];
      column[below(random, table.dataset.n_rows)] = near[below(random, 4)];
    }
  const double odd[] = {0.0,
                        -0.0,
                        std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::max(),
                        std::numeric_limits<double>::denorm_min()};
  for (auto& column : table.numbers)
    for (const double value : odd) column[below(random, table.dataset.n_rows)] = value;
  for (std::size_t c = 0; c < table.codes.size(); ++c)
    table.codes[c][below(random, table.dataset.n_rows)] = static_cast<std::int32_t>(table.n_values[c]);
}

void many_rows_are_predicted_as_few() {
  Random random(2);
  std::uint32_t n_bitwise = 0;
  for (int repetition = 0; repetition < 30; ++repetition) {
    Shape shape = random_shape(random);
    shape.n_rows = 60 + below(random, 200);
    const RandomTable training = random_table(random, shape);
    std::vector<Graph> graphs;
    for (int g = 0; g < 3; ++g) {
      graphs.push_back(random_graph(random, training, below(random, 4) == 0));
      if (below(random, 3) == 0) {  // learned branches for missing values
        Graph& graph = graphs.back();
        for (const graph::Node& node : graph.nodes)
          graph.missing_branch.push_back(
              node.n_branches == 0 ? -1 : static_cast<std::int32_t>(below(random, node.n_branches)));
      } else if (below(random, 3) == 0) {
        graph::shrink(graphs.back(), 3.0, true);
      }
      CHECK_EQUAL(graphs.back().problem(), std::string());
    }
    std::vector<const Graph*> members;
    while (members.size() < 80) members.push_back(&graphs[below(random, 3)]);
    shape.n_rows = 150 + below(random, 700);
    shape.missing = below(random, 2) * 0.1;
    RandomTable table = random_table(random, shape);
    make_awkward(random, graphs, table);
    const auto columns = table.input();
    const Forest forest(members);
    const std::size_t before = forest.nbytes();
    std::vector<double> one_by_one;
    constexpr std::uint32_t few = 100;  // go down the nodes one by one
    for (std::uint32_t row = 0; row < shape.n_rows; row += few) {
      const std::vector<double> part = predictions(forest, columns, row, std::min(few, shape.n_rows - row), 1);
      one_by_one.insert(one_by_one.end(), part.begin(), part.end());
    }
    CHECK_EQUAL(forest.nbytes(), before);
    for (const std::uint32_t n_threads : {1U, 3U}) {
      const std::vector<double> together = predictions(forest, columns, 0, shape.n_rows, n_threads);
      CHECK_EQUAL(together.size(), one_by_one.size());
      CHECK(std::memcmp(together.data(), one_by_one.data(), 8 * one_by_one.size()) == 0);
    }
    n_bitwise += forest.nbytes() > before;
  }
  CHECK(n_bitwise >= 12);
}

// Shared nodes and oblique splits are left to the way that takes one row after the other.
void programs_are_predicted_one_by_one() {
  Graph graph = small_graph();
  graph.children[6] = 6;
  graph.nodes.pop_back();
  const std::vector<const Graph*> members(300, &graph);
  const std::vector<double> numbers(1000, 1.0);
  const std::vector<std::int32_t> codes(1000, 2);
  const std::vector<graph::InputColumn> columns = {{{numbers.data(), 1}, nullptr}, {{}, codes.data()}};
  const Forest forest(members);
  const std::size_t before = forest.nbytes();
  const std::vector<double> together = predictions(forest, columns, 0, 1000, 1);
  const std::vector<double> alone = predictions(forest, columns, 7, 1, 1);
  CHECK_EQUAL(forest.nbytes(), before);
  CHECK(std::memcmp(together.data() + 7 * alone.size(), alone.data(), 8 * alone.size()) == 0);
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  sets_of_rows_are_combined();
  many_rows_are_predicted_as_few();
  programs_are_predicted_one_by_one();
  return report("forest");
}
