// Makes the compact layout of a forest from graphs.
#include <algorithm>
#include <cmath>
#include <limits>

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
  if (std::ranges::any_of(members, [](const Graph* member) { return !member->branch_weights.empty(); }))
    add_branch_weights(members);
  const auto last = static_cast<std::uint32_t>(steps_.size());
  steps_.push_back({0.0, {last, last}, 0, SplitKind::leaf});
}

void Forest::add(const Graph& graph) {
  const auto first_node = static_cast<std::uint32_t>(steps_.size());
  const auto first_branch = static_cast<std::uint32_t>(children_.size());
  const auto first_value = static_cast<std::uint32_t>(value_branch_.size());
  const auto first_class = static_cast<std::uint32_t>(class_index_.size());
  const auto first_term = static_cast<std::uint32_t>(terms_.size());
  roots_.push_back(first_node);
  for (const std::uint32_t child : graph.children) children_.push_back(first_node + child);
  value_branch_.insert(value_branch_.end(), graph.value_branch.begin(), graph.value_branch.end());
  class_index_.insert(class_index_.end(), graph.class_index.begin(), graph.class_index.end());
  class_weight_.insert(class_weight_.end(), graph.class_weight.begin(), graph.class_weight.end());
  const bool shrinks = !graph.shrinkage.empty();
  const std::vector<double> shrunk = shrinks ? predicted_shares(graph) : std::vector<double>{};
  add_terms(graph);
  has_missing_branches_ = has_missing_branches_ || !graph.missing_branch.empty();

  Mixture mixture(n_classes_);
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const std::uint32_t self = first_node + i;
    Step step{0.0, {self, self}, 0, node.split};
    Place place;
    place.weight = node.weight;
    place.label = node.label;
    place.first_branch = first_branch + node.first_branch;
    place.n_branches = node.n_branches;
    if (!graph.missing_branch.empty()) place.missing_branch = graph.missing_branch[i];
    place.first_value = first_value + node.first_value;
    place.first_class = first_class + node.first_class;
    place.n_classes = node.n_classes;
    place.first_term = first_term + node.first_term;
    place.n_terms = node.n_terms;
    if (node.split == SplitKind::leaf) {
      place.weight_of_shares = node.weight;
      if (shrinks) add_shrunk_classes({shrunk.data() + std::size_t{i} * n_classes_, n_classes_}, place);
      std::ranges::fill(mixture.shares, 0.0);
      add_leaf(place, 1.0, mixture);
      place.prediction = largest(mixture.shares.data());
      double of_class = 0.0;
      for (std::uint32_t k = place.first_class; k < place.first_class + place.n_classes; ++k)
        if (node.weight > 0.0 && class_index_[k] == place.prediction) of_class = class_weight_[k];
      place.confidence = laplace(of_class, node.weight);
    } else if (node.split == SplitKind::oblique) {
      only_thresholds_ = false;
      step.threshold = node.threshold;
      for (std::size_t b = 0; b < 2; ++b) step.child[b] = children_[place.first_branch + b];
    } else {
      const auto column = static_cast<std::size_t>(node.column);
      step.column = static_cast<std::uint32_t>(node.column);
      if (node.split == SplitKind::threshold) {
        needs_numbers_[column] = true;
        step.threshold = columns_[column].single_precision ? greatest_rounding_to(static_cast<float>(node.threshold))
                                                           : node.threshold;
        for (std::size_t b = 0; b < 2; ++b) step.child[b] = children_[place.first_branch + b];
      } else {
        only_thresholds_ = false;
        step.child[0] = place.first_branch;
      }
    }
    steps_.push_back(step);
    places_.push_back(place);
  }
}

// Gives a leaf class weights of its own with these shares.
void Forest::add_shrunk_classes(std::span<const double> shares, Place& place) {
  place.weight_of_shares = place.weight > 0.0 ? place.weight : 1.0;
  place.first_class = static_cast<std::uint32_t>(class_index_.size());
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (shares[k] == 0.0) continue;
    class_index_.push_back(static_cast<std::int32_t>(k));
    class_weight_.push_back(shares[k] * place.weight_of_shares);
  }
  place.n_classes = static_cast<std::uint32_t>(class_index_.size()) - place.first_class;
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

void Forest::add_branch_weights(std::span<const Graph* const> members) {
  for (const Graph* member : members) {
    branch_weights_.insert(branch_weights_.end(), member->branch_weights.begin(), member->branch_weights.end());
    if (member->branch_weights.empty())
      for (const std::uint32_t child : member->children) branch_weights_.push_back(member->nodes[child].weight);
  }
}

std::size_t Forest::n_branches() const {
  std::size_t result = 0;
  for (const Place& place : places_) result += place.n_branches;
  return result;
}

std::size_t Forest::nbytes() const {
  return steps_.size() * sizeof(Step) + places_.size() * sizeof(Place) + children_.size() * 4 +
         branch_weights_.size() * 8 + value_branch_.size() * 4 + terms_.size() * sizeof(CompactTerm) +
         term_numbers_.size() * 8 + class_index_.size() * 4 + class_weight_.size() * 8 +
         (bitwise_in_use_ != nullptr ? bitwise_in_use_.load()->nbytes() : 0);
}

}  // namespace weaklearn::graph
