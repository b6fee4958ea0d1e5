#include "graph/graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weaklearn::graph {

namespace {

std::string at(std::size_t node, const char* what) { return "node " + std::to_string(node) + ": " + what; }

std::string at_term(std::size_t term, const char* what) { return "term " + std::to_string(term) + ": " + what; }

bool inside(std::uint64_t first, std::uint64_t count, std::size_t size) { return first + count <= size; }

const char* problem_of_term(const Graph& graph, std::size_t t) {
  const Term& term = graph.terms[t];
  if (term.column < 0 || static_cast<std::size_t>(term.column) >= graph.columns.size())
    return "its column does not exist";
  if (term.form > TermForm::values) return "an unknown form of term";
  const std::uint32_t n_values = graph.columns[static_cast<std::size_t>(term.column)].n_values;
  if ((term.form == TermForm::values) != (n_values != 0)) return "its form does not suit its column";
  if (!inside(term.first_number, term.n_numbers, graph.term_numbers.size())) return "its numbers do not exist";
  const bool fits = term.form == TermForm::linear  ? term.n_numbers == 1
                    : term.form == TermForm::steps ? term.n_numbers % 2 == 1
                                                   : term.n_numbers == n_values;
  if (!fits) return "it has too many numbers, or too few";
  if (!std::isfinite(term.missing)) return "its score of a missing value is not a finite number";
  if (!std::isfinite(term.influence) || term.influence < 0) return "its influence is not a number >= 0";
  const std::uint32_t n_cuts = term.form == TermForm::steps ? term.n_numbers / 2 : 0;
  for (std::uint32_t k = 0; k < term.n_numbers; ++k) {
    const double number = graph.term_numbers[term.first_number + k];
    if (!std::isfinite(number)) return "one of its numbers is not finite";
    if (k > 0 && k < n_cuts && !(number > graph.term_numbers[term.first_number + k - 1]))
      return "its cuts do not ascend";
  }
  return nullptr;
}

const char* problem_of_oblique(const Graph& graph, std::size_t i) {
  const Node& node = graph.nodes[i];
  if (node.column != -1) return "an oblique split has its columns in its terms";
  if (!std::isfinite(node.threshold)) return "its threshold is not a finite number";
  if (node.n_branches != 2) return "an oblique split needs two branches";
  if (node.n_terms == 0 || !inside(node.first_term, node.n_terms, graph.terms.size())) return "its terms do not exist";
  return nullptr;
}

// Returns what is wrong with the missing branch of a node, in a graph whose nodes have them.
const char* problem_of_missing_branch(const Graph& graph, std::size_t i) {
  const Node& node = graph.nodes[i];
  const std::int32_t branch = graph.missing_branch[i];
  if (node.split == SplitKind::leaf || node.split == SplitKind::oblique)
    return branch == -1 ? nullptr : "a leaf or an oblique split has no missing branch";
  return branch >= 0 && static_cast<std::uint32_t>(branch) < node.n_branches ? nullptr
                                                                             : "its missing branch does not exist";
}

// Whether a multiway split has one more branch, for missing values only.
bool has_branch_for_missing(const Graph& graph, std::size_t i, std::uint32_t n_values) {
  return !graph.missing_branch.empty() && graph.nodes[i].n_branches == std::uint64_t{n_values} + 1 &&
         graph.missing_branch[i] == static_cast<std::int64_t>(n_values);
}

const char* problem_of_split(const Graph& graph, std::size_t i) {
  const Node& node = graph.nodes[i];
  if (node.split == SplitKind::leaf) return node.n_branches == 0 ? nullptr : "a leaf has branches";
  if (node.split == SplitKind::oblique) return problem_of_oblique(graph, i);
  if (node.split > SplitKind::oblique) return "an unknown kind of split";
  if (node.column < 0 || static_cast<std::size_t>(node.column) >= graph.columns.size())
    return "its column does not exist";
  const ColumnType& column = graph.columns[static_cast<std::size_t>(node.column)];
  switch (node.split) {
    case SplitKind::threshold:
      if (column.n_values != 0) return "a threshold split on a nominal column";
      if (!std::isfinite(node.threshold)) return "its threshold is not a finite number";
      if (node.n_branches != 2) return "a threshold split needs two branches";
      return nullptr;
    case SplitKind::multiway:
      if (column.n_values == 0) return "a multiway split on a continuous column";
      if (node.n_branches != column.n_values && !has_branch_for_missing(graph, i, column.n_values))
        return "a multiway split needs one branch per value";
      return nullptr;
    case SplitKind::subset: {
      if (column.n_values == 0) return "a subset split on a continuous column";
      if (node.n_branches == 0) return "a subset split without branches";
      if (!inside(node.first_value, column.n_values, graph.value_branch.size()))
        return "its subsets do not cover the values of its column";
      for (std::uint32_t v = 0; v < column.n_values; ++v) {
        const std::int32_t branch = graph.value_branch[node.first_value + v];
        if (branch < -1 || branch >= static_cast<std::int64_t>(node.n_branches))
          return "a value belongs to a branch that does not exist";
      }
      return nullptr;
    }
    default:
      return nullptr;
  }
}

const char* problem_of_node(const Graph& graph, std::size_t i, bool good_class_weights) {
  const Node& node = graph.nodes[i];
  if (node.label < 0 || static_cast<std::uint32_t>(node.label) >= graph.n_classes) return "its class does not exist";
  if (!std::isfinite(node.weight) || node.weight < 0) return "its weight is not a number >= 0";
  if (!std::isfinite(node.errors)) return "its errors are not a finite number";
  if (!inside(node.first_branch, node.n_branches, graph.children.size())) return "its branches do not exist";
  for (std::uint32_t b = node.first_branch; !graph.branch_weights.empty() && b < node.first_branch + node.n_branches;
       ++b)
    if (!std::isfinite(graph.branch_weights[b]) || graph.branch_weights[b] < 0)
      return "the weight of a branch is not a number >= 0";
  for (const std::uint32_t child : graph.children_of(static_cast<std::uint32_t>(i))) {
    if (child >= graph.nodes.size()) return "a branch leads to a node that does not exist";
    if (child <= i) return "a branch leads back: branches must lead to nodes of higher index";
  }
  if (node.n_classes > graph.n_classes) return "it has more classes than there are";
  if (!inside(node.first_class, node.n_classes, graph.class_index.size())) return "its class weights do not exist";
  for (std::uint32_t k = node.first_class; !good_class_weights && k < node.first_class + node.n_classes; ++k) {
    if (graph.class_index[k] < 0 || static_cast<std::uint32_t>(graph.class_index[k]) >= graph.n_classes)
      return "a class weight belongs to a class that does not exist";
    if (!std::isfinite(graph.class_weight[k]) || graph.class_weight[k] < 0)
      return "a class weight is not a number >= 0";
  }
  if (!graph.missing_branch.empty())
    if (const char* problem = problem_of_missing_branch(graph, i)) return problem;
  return problem_of_split(graph, i);
}

// Returns whether all class weights are valid, also those that no node refers to. Most graphs are, and this loop is
// fast; in others each node is looked at.
bool are_class_weights_valid(const Graph& graph) {
  bool valid = true;
  for (const std::int32_t index : graph.class_index) valid &= static_cast<std::uint32_t>(index) < graph.n_classes;
  for (const double weight : graph.class_weight) valid &= weight >= 0.0 && weight <= std::numeric_limits<double>::max();
  return valid;
}

}  // namespace

std::uint32_t Graph::depth() const {
  std::vector<std::uint32_t> level(nodes.size(), 0);
  std::uint32_t deepest = 0;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    deepest = std::max(deepest, level[node]);
    for (const std::uint32_t child : children_of(node)) level[child] = std::max(level[child], level[node] + 1);
  }
  return deepest;
}

namespace {

// Returns what is wrong with the shrinkage of a graph that has one and whose nodes are valid.
std::string problem_of_shrinkage(const Graph& graph) {
  if (graph.shrinkage.size() > 1) return "it has more than one shrinkage";
  if (!std::isfinite(graph.shrinkage[0]) || graph.shrinkage[0] < 0) return "its shrinkage is not a number >= 0";
  // Every node of a graph is reached, so that a graph with one branch less than nodes is a tree.
  if (graph.children.size() + 1 != graph.nodes.size()) return "it has shrinkage and shared nodes; expected a tree";
  return "";
}

}  // namespace

std::string Graph::problem() const {
  if (n_classes == 0) return "it has no class";
  if (nodes.empty()) return "it has no node";
  if (!branch_weights.empty() && branch_weights.size() != children.size())
    return "it has " + std::to_string(children.size()) + " branches, but " + std::to_string(branch_weights.size()) +
           " branch weights";
  if (!missing_branch.empty() && missing_branch.size() != nodes.size())
    return "it has " + std::to_string(nodes.size()) + " nodes, but " + std::to_string(missing_branch.size()) +
           " missing branches";
  if (class_index.size() != class_weight.size())
    return "it has " + std::to_string(class_index.size()) + " class indices, but " +
           std::to_string(class_weight.size()) + " class weights";
  for (std::size_t t = 0; t < terms.size(); ++t)
    if (const char* problem = problem_of_term(*this, t)) return at_term(t, problem);
  const bool good_class_weights = are_class_weights_valid(*this);
  std::vector<std::uint8_t> reached(nodes.size(), 0);
  reached[0] = 1;
  std::size_t first_unreached = nodes.size();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (const char* problem = problem_of_node(*this, i, good_class_weights)) return at(i, problem);
    if (!reached[i]) first_unreached = std::min(first_unreached, i);
    for (const std::uint32_t child : children_of(static_cast<std::uint32_t>(i))) reached[child] = 1;
  }
  if (first_unreached != nodes.size()) return at(first_unreached, "the root does not reach it");
  return shrinkage.empty() ? "" : problem_of_shrinkage(*this);
}

}  // namespace weaklearn::graph
