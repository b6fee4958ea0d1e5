#include "graph/draft.hpp"

#include <utility>

namespace weaklearn::graph {
namespace {

// Adds a node at the end; where its branches lead is left open.
const Node& append(Graph& graph, const Draft& draft, std::uint32_t number) {
  const Draft::Node& from = draft.nodes[number];
  Node node;
  node.test = from.test;
  node.attribute = from.attribute;
  node.label = from.label;
  node.threshold = from.threshold;
  node.weight = from.weight;
  node.errors = from.errors;
  node.first_class = static_cast<std::uint32_t>(graph.class_index.size());
  const auto weights = draft.weights_of(number);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0.0) continue;
    graph.class_index.push_back(static_cast<std::int32_t>(k));
    graph.class_weight.push_back(weights[k]);
  }
  node.n_classes = static_cast<std::uint32_t>(graph.class_index.size()) - node.first_class;
  node.first_value = static_cast<std::uint32_t>(graph.value_branch.size());
  node.n_values = static_cast<std::uint32_t>(from.value_branch.size());
  graph.value_branch.insert(graph.value_branch.end(), from.value_branch.begin(), from.value_branch.end());
  node.first_term = static_cast<std::uint32_t>(graph.terms.size());
  node.n_terms = static_cast<std::uint32_t>(from.terms.size());
  for (const DraftTerm& term : from.terms) {
    graph.terms.push_back({term.attribute, term.form, term.unknown, term.influence,
                           static_cast<std::uint32_t>(graph.term_numbers.size()),
                           static_cast<std::uint32_t>(term.numbers.size())});
    graph.term_numbers.insert(graph.term_numbers.end(), term.numbers.begin(), term.numbers.end());
  }
  node.first_branch = static_cast<std::uint32_t>(graph.branches.size());
  node.n_branches = static_cast<std::uint32_t>(from.branches.size());
  graph.branches.resize(graph.branches.size() + from.branches.size());
  graph.nodes.push_back(node);
  return graph.nodes.back();
}

}  // namespace

void share_errors(Draft& draft) {
  for (std::size_t i = draft.nodes.size(); i-- > 0;) {
    Draft::Node& node = draft.nodes[i];
    if (node.branches.empty()) continue;
    node.errors = 0.0;
    for (std::size_t b = 0; b < node.branches.size(); ++b) {
      const Draft::Node& end = draft.nodes[node.branches[b]];
      if (end.weight > 0.0) node.errors += end.errors * (node.flow[b] / end.weight);
    }
  }
}

Graph flatten(const Draft& draft, std::vector<Attribute> attributes, std::uint32_t root) {
  Graph graph;
  graph.n_classes = draft.n_classes;
  graph.attributes = std::move(attributes);

  struct Waiting {
    std::uint32_t number;
    std::int64_t slot;  // where in `branches` its new number goes; -1 for the root
  };
  std::vector<Waiting> stack{{root, -1}};
  while (!stack.empty()) {
    const auto [number, slot] = stack.back();
    stack.pop_back();
    if (slot >= 0)
      graph.branches[static_cast<std::size_t>(slot)] = static_cast<std::uint32_t>(graph.nodes.size());
    const Node& node = append(graph, draft, number);
    const auto& branches = draft.nodes[number].branches;
    for (std::size_t b = branches.size(); b-- > 0;)
      stack.push_back({branches[b], static_cast<std::int64_t>(node.first_branch + b)});
  }
  return graph;
}

Graph flatten_levels(const Draft& draft, std::vector<Attribute> attributes) {
  Graph graph;
  graph.n_classes = draft.n_classes;
  graph.attributes = std::move(attributes);

  std::vector<bool> reached(draft.nodes.size(), false);
  reached[0] = true;
  std::vector<std::uint32_t> number_of(draft.nodes.size(), 0);
  for (std::uint32_t i = 0; i < draft.nodes.size(); ++i) {
    if (!reached[i]) continue;
    number_of[i] = static_cast<std::uint32_t>(graph.nodes.size());
    append(graph, draft, i);
    for (const std::uint32_t branch : draft.nodes[i].branches) reached[branch] = true;
    graph.flow.insert(graph.flow.end(), draft.nodes[i].flow.begin(), draft.nodes[i].flow.end());
  }
  auto slot = graph.branches.begin();
  for (std::uint32_t i = 0; i < draft.nodes.size(); ++i)
    if (reached[i])
      for (const std::uint32_t branch : draft.nodes[i].branches) *slot++ = number_of[branch];
  return graph;
}

}  // namespace weaklearn::graph
