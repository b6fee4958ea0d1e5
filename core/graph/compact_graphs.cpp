#include "graph/compact_graphs.hpp"

#include <bit>
#include <limits>
#include <stdexcept>

#include "graph/class_weight_sums.hpp"

namespace weaklearn::graph {
namespace {

std::int64_t ulps_between(double from, double to) {
  return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(to) - std::bit_cast<std::uint64_t>(from));
}

template <class T>
void extend(std::vector<T>& values, const std::vector<T>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

// Returns whether the nodes of a graph are those of a tree in depth-first order.
bool is_in_depth_first_order(const Graph& graph) {
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    if (i > 0) {
      if (waiting.empty() || waiting.back() != i) return false;
      waiting.pop_back();
    }
    const auto children = graph.children_of(i);
    waiting.insert(waiting.end(), children.rbegin(), children.rend());
  }
  return waiting.empty();
}

class Compactor {
 public:
  Compactor(CompactGraphs& form, bool stores_children) : form_(form), stores_children_(stores_children) {}

  void add(const Graph& graph) {
    graph_ = &graph;
    parent_.assign(graph.nodes.size(), 0);
    for (auto i = static_cast<std::uint32_t>(graph.nodes.size()); i-- > 0;)
      for (const std::uint32_t child : graph.children_of(i)) parent_[child] = i;
    is_empty_leaf_.assign(graph.nodes.size(), 0);
    for (std::uint32_t i = 1; i < graph.nodes.size(); ++i) is_empty_leaf_[i] = is_empty_leaf(i);
    ClassWeightSums sums(graph.n_classes);
    form_.n_nodes.push_back(static_cast<std::uint32_t>(graph.nodes.size()));
    form_.has_branch_weights.push_back(!graph.branch_weights.empty());
    form_.has_missing_branches.push_back(!graph.missing_branch.empty());
    form_.has_shrinkage.push_back(!graph.shrinkage.empty());
    extend(form_.shrinkage, graph.shrinkage);
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
      add_split(i);
      add_numbers(i, sums);
    }
    first_node_ += graph.nodes.size();
  }

 private:
  // An empty leaf has no weight and a copy of the class weights of its parent.
  bool is_empty_leaf(std::uint32_t i) const {
    const Node& node = graph_->nodes[i];
    const Node& parent = graph_->nodes[parent_[i]];
    if (node.split != SplitKind::leaf || node.weight != 0.0 || node.n_classes != parent.n_classes) return false;
    for (std::size_t k = 0; k < node.n_classes; ++k) {
      const std::size_t own = node.first_class + k;
      const std::size_t of_parent = parent.first_class + k;
      if (graph_->class_index[own] != graph_->class_index[of_parent] ||
          ulps_between(graph_->class_weight[own], graph_->class_weight[of_parent]) != 0)
        return false;
    }
    return true;
  }

  void add_split(std::uint32_t i) {
    const Node& node = graph_->nodes[i];
    if (stores_children_)
      for (const std::uint32_t child : graph_->children_of(i)) form_.children.push_back(child);
    for (std::uint32_t b = 0; !graph_->branch_weights.empty() && b < node.n_branches; ++b)
      form_.branch_weights.push_back(graph_->branch_weights[node.first_branch + b]);
    if (node.split == SplitKind::threshold || node.split == SplitKind::oblique)
      form_.threshold.push_back(node.threshold);
    if (node.split == SplitKind::oblique) add_terms(node);
    if (node.split == SplitKind::leaf || node.split == SplitKind::oblique) return;
    form_.column.push_back(node.column);
    if (!graph_->missing_branch.empty()) form_.missing_branch.push_back(graph_->missing_branch[i]);
    if (node.split == SplitKind::subset) add_subsets(node);
  }

  void add_terms(const Node& node) {
    form_.n_terms.push_back(node.n_terms);
    for (std::uint32_t t = 0; t < node.n_terms; ++t) {
      const Term& term = graph_->terms[node.first_term + t];
      form_.term_column.push_back(term.column);
      form_.term_form.push_back(static_cast<std::uint32_t>(term.form));
      form_.term_missing.push_back(term.missing);
      form_.term_influence.push_back(term.influence);
      form_.term_n_numbers.push_back(term.n_numbers);
      for (std::uint32_t k = 0; k < term.n_numbers; ++k)
        form_.term_numbers.push_back(graph_->term_numbers[term.first_number + k]);
    }
  }

  // Lists the values of all branches but the one with most values.
  void add_subsets(const Node& node) {
    const std::uint32_t n_values = graph_->columns[static_cast<std::size_t>(node.column)].n_values;
    n_values_ += n_values;
    const std::span branches(graph_->value_branch.data() + node.first_value, n_values);
    std::vector<std::uint32_t> counts(node.n_branches + std::size_t{1}, 0);
    for (const std::int32_t branch : branches) ++counts[static_cast<std::size_t>(branch + 1)];
    const auto rest = static_cast<std::int32_t>(std::ranges::max_element(counts) - counts.begin()) - 1;
    form_.n_branches.push_back(node.n_branches);
    form_.rest_branch.push_back(rest);
    form_.n_listed.push_back(n_values - counts[static_cast<std::size_t>(rest + 1)]);
    for (std::uint32_t value = 0; value < n_values; ++value) {
      if (branches[value] == rest) continue;
      form_.listed_value.push_back(value);
      form_.listed_branch.push_back(branches[value]);
    }
  }

  void add_numbers(std::uint32_t i, ClassWeightSums& sums) {
    const Node& node = graph_->nodes[i];
    const bool is_empty = is_empty_leaf_[i];
    const bool is_leaf = node.split == SplitKind::leaf;
    summed_classes_.clear();
    summed_weights_.clear();
    if (!is_leaf)
      sums.add_up(
          *graph_, i, [this](std::uint32_t child) { return is_empty_leaf_[child] != 0; },
          [&](std::int32_t index, double sum) {
            summed_classes_.push_back(index);
            summed_weights_.push_back(sum);
          });
    const bool is_own = !is_leaf && !has_summed_classes(node);
    form_.kind.push_back(is_empty
                             ? empty_leaf
                             : static_cast<std::uint8_t>(static_cast<std::uint8_t>(node.split) + is_own * own_numbers));
    if (!is_empty) form_.n_classes.push_back(node.n_classes);
    if ((is_leaf && !is_empty) || is_own) {
      form_.errors.push_back(node.errors);
      for (std::size_t k = node.first_class; k < std::size_t{node.first_class} + node.n_classes; ++k) {
        form_.class_index.push_back(graph_->class_index[k]);
        form_.class_weight.push_back(graph_->class_weight[k]);
      }
    } else {
      correct(form_.errors_at, form_.errors_ulps, first_node_ + i, is_empty ? 0.0 : summed_errors(*graph_, i),
              node.errors);
      for (std::size_t k = 0; !is_empty && k < node.n_classes; ++k)
        correct(form_.class_weight_at, form_.class_weight_ulps, n_class_weights_ + k, summed_weights_[k],
                graph_->class_weight[node.first_class + k]);
    }
    n_class_weights_ += node.n_classes;
    const WeightAndLabel expected =
        is_empty ? WeightAndLabel{0.0, graph_->nodes[parent_[i]].label} : weight_and_label(*graph_, node);
    correct(form_.weight_at, form_.weight_ulps, first_node_ + i, expected.weight, node.weight);
    if (node.label == expected.label) return;
    form_.label_at.push_back(static_cast<std::uint32_t>(first_node_ + i));
    form_.label.push_back(node.label);
  }

  bool has_summed_classes(const Node& node) const {
    const auto first = graph_->class_index.begin() + node.first_class;
    return std::ranges::equal(summed_classes_, std::span(first, first + node.n_classes));
  }

  void correct(std::vector<std::uint32_t>& at, std::vector<std::int64_t>& ulps, std::uint64_t position, double expected,
               double actual) {
    check_size(position);
    if (const std::int64_t difference = ulps_between(expected, actual); difference != 0) {
      at.push_back(static_cast<std::uint32_t>(position));
      ulps.push_back(difference);
    }
  }

  void check_size(std::uint64_t position) const {
    if (position > std::numeric_limits<std::uint32_t>::max() || n_class_weights_ > max_expanded ||
        n_values_ > max_expanded)
      throw std::invalid_argument("the model is too large for a file: it has more than " +
                                  std::to_string(max_expanded) + " class weights or values of subset splits");
  }

  CompactGraphs& form_;
  bool stores_children_;
  const Graph* graph_ = nullptr;
  std::vector<std::uint32_t> parent_;  // the first node with a branch to each node
  std::vector<std::uint8_t> is_empty_leaf_;
  std::vector<std::int32_t> summed_classes_;  // of the present node, over its branches
  std::vector<double> summed_weights_;
  std::uint64_t first_node_ = 0;       // of the present graph, among the nodes of all graphs
  std::uint64_t n_class_weights_ = 0;  // of the nodes so far
  std::uint64_t n_values_ = 0;         // of the subset splits so far
};

}  // namespace

CompactGraphs compact(std::span<const Graph* const> graphs) {
  CompactGraphs form;
  const bool all_trees =
      std::ranges::all_of(graphs, [](const Graph* graph) { return is_in_depth_first_order(*graph); });
  Compactor compactor(form, !all_trees);
  for (const Graph* graph : graphs) compactor.add(*graph);
  for (auto* flags : {&form.has_branch_weights, &form.has_missing_branches, &form.has_shrinkage})
    if (std::ranges::find(*flags, 1) == flags->end()) flags->clear();
  return form;
}

}  // namespace weaklearn::graph
