#include "graph/walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "criteria/tolerance.hpp"
#include "parallel/pool.hpp"

namespace weaklearn::graph {
namespace {

constexpr std::uint32_t rows_at_a_time = 4096;

// The greatest double that rounds to a float of at most `bound`.
double greatest_rounding_to(float bound) {
  const double above = std::nextafter(bound, std::numeric_limits<float>::infinity());
  // Beyond the greatest float the next step would be as wide as the last one.
  const double below = std::nextafter(bound, 0.0F);
  const double halfway = std::isinf(above) ? bound + (bound - below) / 2 : (bound + above) / 2;
  return static_cast<float>(halfway) > bound ? std::nextafter(halfway, -std::numeric_limits<double>::infinity()) : halfway;
}

// Calls answer(first, last) for chunks of rows; rows are independent, so threads change nothing.
template <class Answer>
void in_chunks(std::uint32_t n_rows, std::uint32_t n_threads, const Answer& answer) {
  const std::uint32_t n_chunks = n_rows / rows_at_a_time + (n_rows % rows_at_a_time != 0);
  parallel::Pool pool(std::min(n_threads, std::max(n_chunks, 1U)));
  pool.for_each(n_chunks, [&](std::uint32_t chunk, std::uint32_t) {
    const std::uint32_t first = chunk * rows_at_a_time;
    answer(first, first + std::min(rows_at_a_time, n_rows - first));
  });
}

}  // namespace

Walker::Walker(const Graph& graph)
    : graph_(graph), steps_(graph.nodes.size()), answers_(graph.nodes.size(), 0), class_share_(graph.class_weight) {
  std::vector<double> weights(graph.n_classes);
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    Step& step = steps_[i];
    step.test = node.test;
    if (node.test == Test::leaf) {
      for (std::uint32_t k = node.first_class; k < node.first_class + node.n_classes; ++k)
        if (node.weight > 0.0) class_share_[k] = graph.class_weight[k] / node.weight;
      std::ranges::fill(weights, 0.0);
      add_leaf(i, 1.0, weights.data());
      answers_[i] = largest(weights.data());
      continue;
    }
    step.attribute = node.attribute;
    if (node.test != Test::threshold) continue;
    const bool single = graph.attributes[static_cast<std::size_t>(node.attribute)].single_precision;
    step.threshold = single ? greatest_rounding_to(static_cast<float>(node.threshold)) : node.threshold;
    std::ranges::copy(graph.branches_of(i), step.branch);
  }
}

// The branch of a test on a nominal attribute.
std::int32_t Walker::branch_of(std::uint32_t number, const InputColumn& column, std::size_t row) const {
  const std::int32_t code = column.codes[row];
  const Node& node = graph_.nodes[number];
  const std::uint32_t n_values = graph_.attributes[static_cast<std::size_t>(node.attribute)].n_values;
  if (code < 0 || static_cast<std::uint32_t>(code) >= n_values) return unknown;
  return node.test == Test::value ? code : graph_.value_branch[node.first_value + static_cast<std::uint32_t>(code)];
}

// Where a row goes from a node that is no leaf; -1 where that is not known.
std::int64_t Walker::next(std::uint32_t node, const Step& step, std::span<const InputColumn> columns,
                          std::size_t row) const {
  const InputColumn& column = columns[static_cast<std::size_t>(step.attribute)];
  if (step.test == Test::threshold) {
    const double value = column.numbers[row];
    if (std::isnan(value)) return unknown;
    return step.branch[value > step.threshold];
  }
  const std::int32_t branch = branch_of(node, column, row);
  if (branch == unknown) return unknown;
  return graph_.branches[graph_.nodes[node].first_branch + static_cast<std::uint32_t>(branch)];
}

std::int32_t Walker::leaf_of(std::span<const InputColumn> columns, std::size_t row) const {
  std::uint32_t node = 0;
  for (const Step* step = &steps_[0]; step->attribute >= 0; step = &steps_[node]) {
    const std::int64_t to = next(node, *step, columns, row);
    if (to == unknown) return -1;
    node = static_cast<std::uint32_t>(to);
  }
  return static_cast<std::int32_t>(node);
}

void Walker::add_leaf(std::uint32_t number, double share, double* weights) const {
  const Node& node = graph_.nodes[number];
  if (node.weight <= 0.0) {
    weights[node.label] += share;
    return;
  }
  for (std::uint32_t k = node.first_class; k < node.first_class + node.n_classes; ++k)
    weights[graph_.class_index[k]] += share * class_share_[k];
}

void Walker::spread(std::span<const InputColumn> columns, std::size_t row, double* weights) const {
  struct Share {
    std::uint32_t node;
    double share;
    bool operator<(const Share& other) const { return node > other.node; }  // the lowest number on top
  };
  // Branches lead to higher numbers: in ascending order a node is reached once, with all its shares
  // together, even where many paths meet in it.
  std::priority_queue<Share> waiting;
  waiting.push({0, 1.0});
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.top().node;
    double share = 0.0;
    for (; !waiting.empty() && waiting.top().node == node; waiting.pop()) share += waiting.top().share;
    const Step& step = steps_[node];
    if (step.attribute < 0) {
      add_leaf(node, share, weights);
      continue;
    }
    if (const std::int64_t to = next(node, step, columns, row); to != unknown) {
      waiting.push({static_cast<std::uint32_t>(to), share});
      continue;
    }
    for (const std::uint32_t branch : graph_.branches_of(node))
      if (graph_.nodes[branch].weight > 0.0)
        waiting.push({branch, share * (graph_.nodes[branch].weight / graph_.nodes[node].weight)});
  }
  // Branches dropped in pruning and rounding leave sums a little off one.
  double total = 0.0;
  for (std::uint32_t k = 0; k < graph_.n_classes; ++k) total += weights[k];
  if (total > 0.0)
    for (std::uint32_t k = 0; k < graph_.n_classes; ++k) weights[k] /= total;
  else
    weights[graph_.nodes[0].label] = 1.0;
}

std::int32_t Walker::largest(const double* weights) const {
  std::uint32_t best = 0;
  for (std::uint32_t k = 1; k < graph_.n_classes; ++k)
    if (criteria::more(weights[k], weights[best])) best = k;
  return static_cast<std::int32_t>(best);
}

void Walker::predict(std::span<const InputColumn> columns, std::uint32_t n_rows, std::int32_t* classes,
                     std::uint32_t n_threads) const {
  in_chunks(n_rows, n_threads, [&](std::uint32_t first, std::uint32_t last) {
    std::vector<double> weights(graph_.n_classes);
    for (std::uint32_t row = first; row < last; ++row) {
      const std::int32_t leaf = leaf_of(columns, row);
      if (leaf >= 0) {
        classes[row] = answers_[static_cast<std::size_t>(leaf)];
        continue;
      }
      std::ranges::fill(weights, 0.0);
      spread(columns, row, weights.data());
      classes[row] = largest(weights.data());
    }
  });
}

void Walker::predict_proba(std::span<const InputColumn> columns, std::uint32_t n_rows, double* weights,
                           std::uint32_t n_threads) const {
  const std::size_t n_classes = graph_.n_classes;
  in_chunks(n_rows, n_threads, [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t row = first; row < last; ++row) {
      double* out = weights + row * n_classes;
      const std::int32_t leaf = leaf_of(columns, row);
      if (leaf >= 0)
        add_leaf(static_cast<std::uint32_t>(leaf), 1.0, out);
      else
        spread(columns, row, out);
    }
  });
}

}  // namespace weaklearn::graph
