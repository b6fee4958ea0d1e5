#include "graph/flatten_draft.hpp"

#include <algorithm>
#include <utility>

#include "data/dataset.hpp"

namespace weaklearn::graph {
namespace {

template <class T>
std::uint32_t size_of(const std::vector<T>& values) {
  return static_cast<std::uint32_t>(values.size());
}

template <class T>
void extend(std::vector<T>& values, const std::vector<T>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

// Adds a node at the end. Its children are set later, when their indices are known.
const Node& append(Graph& graph, const Draft& draft, std::uint32_t index) {
  const Draft::Node& from = draft.nodes[index];
  Node node;
  node.split = from.split;
  node.column = from.column;
  // A subtree that was pruned leaves its threshold behind.
  if (node.split == SplitKind::threshold || node.split == SplitKind::oblique) node.threshold = from.threshold;
  node.weight = from.weight;
  node.errors = from.errors;
  node.label = from.label;
  node.first_class = size_of(graph.class_index);
  const auto weights = draft.weights_of(index);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0.0) continue;
    graph.class_index.push_back(static_cast<std::int32_t>(k));
    graph.class_weight.push_back(weights[k]);
  }
  node.n_classes = size_of(graph.class_index) - node.first_class;
  node.first_value = size_of(graph.value_branch);
  extend(graph.value_branch, from.value_branch.get());
  node.first_term = size_of(graph.terms);
  node.n_terms = size_of(from.terms.get());
  for (const DraftTerm& draft_term : from.terms) {
    Term term = draft_term;
    term.first_number = size_of(graph.term_numbers);
    term.n_numbers = size_of(draft_term.numbers);
    graph.terms.push_back(term);
    extend(graph.term_numbers, draft_term.numbers);
  }
  node.first_branch = size_of(graph.children);
  node.n_branches = static_cast<std::uint32_t>(from.children.size());
  graph.children.resize(graph.children.size() + from.children.size());
  graph.missing_branch.push_back(from.missing_branch);
  graph.nodes.push_back(node);
  return graph.nodes.back();
}

// Frees memory that a complete graph does not need: missing branches if no node has one, and room for more nodes.
void free_unused_memory(Graph& graph) {
  if (std::ranges::all_of(graph.missing_branch, [](std::int32_t branch) { return branch < 0; }))
    graph.missing_branch.clear();
  graph.nodes.shrink_to_fit();
  graph.children.shrink_to_fit();
  graph.class_index.shrink_to_fit();
  graph.class_weight.shrink_to_fit();
  graph.missing_branch.shrink_to_fit();
}

}  // namespace

std::vector<ColumnType> column_types_of(const data::Dataset& dataset) {
  std::vector<ColumnType> types;
  for (const data::Column& column : dataset.columns)
    types.push_back({column.nominal ? column.n_codes : 0, column.single_precision});
  return types;
}

Graph flatten(const Draft& draft, std::vector<ColumnType> columns, std::uint32_t root,
              std::vector<std::int32_t>* new_index) {
  Graph graph;
  graph.n_classes = draft.n_classes;
  graph.columns = std::move(columns);

  struct Waiting {
    std::uint32_t index;  // in the draft
    std::int64_t slot;    // where in `children` its new index goes; -1 for the root
  };
  std::vector<Waiting> stack{{root, -1}};
  if (new_index != nullptr) new_index->assign(draft.nodes.size(), -1);
  while (!stack.empty()) {
    const auto [index, slot] = stack.back();
    stack.pop_back();
    if (slot >= 0) graph.children[static_cast<std::size_t>(slot)] = size_of(graph.nodes);
    if (new_index != nullptr) (*new_index)[index] = static_cast<std::int32_t>(graph.nodes.size());
    const Node& node = append(graph, draft, index);
    const auto& children = draft.nodes[index].children;
    for (std::size_t b = children.size(); b-- > 0;)
      stack.push_back({children[b], static_cast<std::int64_t>(node.first_branch + b)});
  }
  free_unused_memory(graph);
  return graph;
}

Graph flatten_levels(const Draft& draft, std::vector<ColumnType> columns) {
  Graph graph;
  graph.n_classes = draft.n_classes;
  graph.columns = std::move(columns);

  std::vector<bool> reached(draft.nodes.size(), false);
  reached[0] = true;
  std::vector<std::uint32_t> new_index(draft.nodes.size(), 0);
  for (std::uint32_t i = 0; i < draft.nodes.size(); ++i) {
    if (!reached[i]) continue;
    new_index[i] = size_of(graph.nodes);
    append(graph, draft, i);
    for (const std::uint32_t child : draft.nodes[i].children) reached[child] = true;
    extend(graph.branch_weights, draft.nodes[i].branch_weights.get());
  }
  auto slot = graph.children.begin();
  for (std::uint32_t i = 0; i < draft.nodes.size(); ++i)
    if (reached[i])
      for (const std::uint32_t child : draft.nodes[i].children) *slot++ = new_index[child];
  free_unused_memory(graph);
  return graph;
}

}  // namespace weaklearn::graph
