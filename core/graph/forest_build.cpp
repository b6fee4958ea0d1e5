// Makes the compact layout of a forest from graphs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "graph/forest_bitwise.hpp"
#include "graph/shrink_shares.hpp"

namespace weaklearn::graph {
namespace {

// Returns the greatest double that rounds to a float of at most `bound`.
double greatest_rounding_to(float bound) {
  const double above = std::nextafter(bound, std::numeric_limits<float>::infinity());
  // Beyond the greatest float the next step would be as wide as the last one.
  const double below = std::nextafter(bound, 0.0F);
  const double halfway = std::isinf(above) ? bound + (bound - below) / 2 : (bound + above) / 2;
  return static_cast<float>(halfway) > bound ? std::nextafter(halfway, -std::numeric_limits<double>::infinity())
                                             : halfway;
}

}  // namespace

Forest::Forest(std::span<const Graph* const> members)
    : n_classes_(checked(members)[0]->n_classes),
      columns_(members[0]->columns),
      needs_numbers_(members[0]->columns.size(), false) {
  std::size_t n_nodes = 1;
  for (const Graph* member : members) n_nodes += member->nodes.size();
  steps_.reserve(n_nodes);
  places_.reserve(n_nodes);
  for (const Graph* member : members) add(*member);
  add_last_step();
}

Forest::Forest(const CompactView& form, std::uint32_t n_classes, const std::vector<ColumnType>& columns)
    : n_classes_(n_classes), columns_(columns), needs_numbers_(columns.size(), false) {
  if (form.n_nodes.empty()) throw std::invalid_argument("a forest needs at least one graph");
  steps_.reserve(form.kind.size() + 1);
  places_.reserve(form.kind.size());
  expand_each(form, n_classes, columns, [this](const Graph& graph) { add(graph); });
  class_index_.shrink_to_fit();
  class_weight_.shrink_to_fit();
  children_.shrink_to_fit();
  add_last_step();
}

// Adds the step at which rows with a missing value stop.
void Forest::add_last_step() {
  const auto last = static_cast<std::uint32_t>(steps_.size());
  steps_.push_back(leaf_step(last));
  if (first_child_is_next_) return;
  below_.resize(steps_.size());
  for (std::uint32_t node = 0; node < last; ++node)
    if (steps_[node].split() == SplitKind::threshold) below_[node] = children_[places_[node].split.first_branch];
}

Forest::Step Forest::leaf_step(std::uint32_t self) {
  return {std::numeric_limits<double>::quiet_NaN(), self, 0, static_cast<std::uint32_t>(SplitKind::leaf)};
}

void Forest::add(const Graph& graph) {
  const auto first_node = static_cast<std::uint32_t>(steps_.size());
  const auto first_branch = static_cast<std::uint32_t>(children_.size());
  const auto first_value = static_cast<std::uint32_t>(value_branch_.size());
  const auto first_term = static_cast<std::uint32_t>(terms_.size());
  roots_.push_back(first_node);
  for (const std::uint32_t child : graph.children) children_.push_back(first_node + child);
  value_branch_.insert(value_branch_.end(), graph.value_branch.begin(), graph.value_branch.end());
  const bool shrinks = !graph.shrinkage.empty();
  const std::vector<double> shrunk = shrinks ? predicted_shares(graph) : std::vector<double>{};
  add_terms(graph);
  has_missing_branches_ = has_missing_branches_ || !graph.missing_branch.empty();

  Mixture mixture(n_classes_);
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const std::uint32_t self = first_node + i;
    if (node.split == SplitKind::leaf) {
      const auto shares =
          std::span(shrunk).subspan(shrinks ? std::size_t{i} * n_classes_ : 0, shrinks ? n_classes_ : 0);
      steps_.push_back(leaf_step(self));
      places_.push_back(leaf_place(graph, node, shares, mixture));
      continue;
    }
    Place place;
    place.weight = node.weight;
    place.n_branches = node.n_branches;
    place.count = node.n_terms & 0x7FFFFFFFU;
    place.split.label = node.label;
    place.split.first_branch = first_branch + node.first_branch;
    if (!graph.missing_branch.empty()) place.split.missing_branch = graph.missing_branch[i];
    Step step{node.threshold, place.split.first_branch, 0, static_cast<std::uint32_t>(node.split) & 7U};
    if (node.split == SplitKind::oblique) {
      only_thresholds_ = false;
      place.split.first = first_term + node.first_term;
    } else {
      const auto column = static_cast<std::size_t>(node.column);
      step.column = static_cast<std::uint32_t>(node.column) & 0x1FFFFFFFU;
      place.split.first = first_value + node.first_value;
      if (node.split == SplitKind::threshold) {
        needs_numbers_[column] = true;
        if (columns_[column].single_precision)
          step.threshold = greatest_rounding_to(static_cast<float>(node.threshold));
        step.child = children_[place.split.first_branch + 1];
        if (children_[place.split.first_branch] != self + 1) first_child_is_next_ = false;
      } else {
        only_thresholds_ = false;
      }
    }
    steps_.push_back(step);
    places_.push_back(place);
  }
  add_branch_weights(graph, first_branch);
  in_depth_first_order_ = in_depth_first_order_ && are_in_depth_first_order(first_node);
}

// Whether the nodes from a root to the last one are a tree in depth-first order.
bool Forest::are_in_depth_first_order(std::uint32_t root) const {
  std::vector<std::uint32_t> waiting{root};
  for (auto node = root; node < places_.size(); ++node) {
    if (waiting.empty() || waiting.back() != node) return false;
    waiting.pop_back();
    const Place& place = places_[node];
    for (std::uint32_t b = place.n_branches; b-- > 0;) waiting.push_back(children_[place.split.first_branch + b]);
  }
  return waiting.empty();
}

// Adds the class weights of a leaf; those with the shares of a shrunk leaf, if there are any.
Forest::Place Forest::leaf_place(const Graph& graph, const Node& node, std::span<const double> shrunk,
                                 Mixture& mixture) {
  Place place;
  place.weight = node.weight;
  place.is_shrunk = !shrunk.empty();
  place.leaf = {0.0, node.label, static_cast<std::uint32_t>(class_index_.size())};
  for (std::uint32_t k = node.first_class; shrunk.empty() && k < node.first_class + node.n_classes; ++k) {
    class_index_.push_back(graph.class_index[k]);
    class_weight_.push_back(graph.class_weight[k]);
  }
  for (std::size_t k = 0; k < shrunk.size(); ++k) {
    if (shrunk[k] == 0.0) continue;
    class_index_.push_back(static_cast<std::int32_t>(k));
    class_weight_.push_back(shrunk[k] * place.weight_of_shares());
  }
  place.count = (static_cast<std::uint32_t>(class_index_.size()) - place.leaf.first_class) & 0x7FFFFFFFU;
  std::ranges::fill(mixture.shares, 0.0);
  add_leaf(place, 1.0, mixture);
  place.leaf.prediction = largest(mixture.shares.data());
  double of_class = 0.0;
  for (std::uint32_t k = place.leaf.first_class; k < place.leaf.first_class + place.count; ++k)
    if (node.weight > 0.0 && class_index_[k] == place.leaf.prediction) of_class = class_weight_[k];
  place.leaf.confidence = laplace(of_class, node.weight);
  return place;
}

void Forest::add_terms(const Graph& graph) {
  const auto first_number = static_cast<std::uint32_t>(term_numbers_.size());
  term_numbers_.insert(term_numbers_.end(), graph.term_numbers.begin(), graph.term_numbers.end());
  for (const Term& term : graph.terms) {
    const auto column = static_cast<std::uint32_t>(term.column);
    const bool single = columns_[column].single_precision;
    const std::uint32_t n_cuts = term.form == TermForm::steps ? term.n_numbers / 2 : 0;
    terms_.push_back({term.form, single, column, n_cuts, first_number + term.first_number, term.missing});
    if (term.form != TermForm::values) needs_numbers_[column] = true;
    for (std::uint32_t c = 0; single && c < n_cuts; ++c) {
      double& cut = term_numbers_[first_number + term.first_number + c];
      cut = greatest_rounding_to(static_cast<float>(cut));
    }
  }
}

// Adds the branch weights of a graph. If some graph has its own, all branches of the forest have them.
void Forest::add_branch_weights(const Graph& graph, std::uint32_t first_branch) {
  if (branch_weights_.empty() && graph.branch_weights.empty()) return;
  for (std::size_t b = branch_weights_.size(); b < first_branch; ++b)
    branch_weights_.push_back(places_[children_[b]].weight);
  branch_weights_.insert(branch_weights_.end(), graph.branch_weights.begin(), graph.branch_weights.end());
  for (std::size_t b = branch_weights_.size(); b < children_.size(); ++b)
    branch_weights_.push_back(places_[children_[b]].weight);
}

std::size_t Forest::n_branches() const {
  std::size_t result = 0;
  for (const Place& place : places_) result += place.n_branches;
  return result;
}

std::size_t Forest::nbytes() const {
  return steps_.size() * sizeof(Step) + below_.size() * 4 + places_.size() * sizeof(Place) + children_.size() * 4 +
         branch_weights_.size() * 8 + value_branch_.size() * 4 + terms_.size() * sizeof(CompactTerm) +
         term_numbers_.size() * 8 + class_index_.size() * 4 + class_weight_.size() * 8 +
         (bitwise_in_use_ != nullptr ? bitwise_in_use_.load()->nbytes() : 0);
}

}  // namespace weaklearn::graph
