#include "graph/forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <stdexcept>

#include "criteria/tolerance.hpp"
#include "graph/shrink_shares.hpp"
#include "parallel/thread_pool.hpp"

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

double laplace(double of_class, double all) { return (of_class + 1.0) / (all + 2.0); }

}  // namespace

// The class weights of several leaves, mixed by the share of a row at each.
struct Forest::Mixture {
  explicit Mixture(std::uint32_t n_classes) : shares(n_classes), weights(n_classes) {}

  std::vector<double> shares;   // the weights of each leaf scaled to sum to one
  std::vector<double> weights;  // unscaled
  double weight = 0.0;
};

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
         term_numbers_.size() * 8 + class_index_.size() * 4 + class_weight_.size() * 8;
}

// A block has so many rows that the nodes of each member are fetched rarely, and so few that its values stay in the
// cache.
std::uint32_t Forest::rows_per_block() const {
  constexpr std::size_t numbers = 1U << 14;
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(numbers / std::max<std::size_t>(columns_.size(), 1), 64, 2048));
}

void Forest::add_leaf(const Place& place, double share, Mixture& mixture) const {
  if (place.weight_of_shares <= 0.0) {  // an empty leaf holds a copy of its parent's class weights
    mixture.shares[static_cast<std::size_t>(place.label)] += share;
    return;
  }
  for (std::uint32_t k = place.first_class; k < place.first_class + place.n_classes; ++k) {
    const auto index = static_cast<std::size_t>(class_index_[k]);
    mixture.shares[index] += share * (class_weight_[k] / place.weight_of_shares);
    if (place.weight > 0.0) mixture.weights[index] += share * class_weight_[k];
  }
  mixture.weight += share * place.weight;
}

// Takes a row down a graph, in shares where a value is missing. Calls visit(node, share) for each node that the row
// visits, in ascending order, and take(node, branch, share) for each branch that it takes.
template <class Visit, class Take>
void Forest::propagate(std::uint32_t root, const double* row, const Visit& visit, const Take& take) const {
  struct Share {
    std::uint32_t node;
    std::uint32_t arrival;
    double share;
    // The lowest index on top, and of equal ones the first to arrive: sums are added in a fixed order, as exported
    // models add them.
    bool operator<(const Share& other) const {
      return node != other.node ? node > other.node : arrival > other.arrival;
    }
  };
  // Children have higher indices. In ascending order a node is visited once, with all its shares added up, even where
  // many paths lead to it.
  std::priority_queue<Share> waiting;
  std::uint32_t n_arrivals = 0;
  waiting.push({root, n_arrivals++, 1.0});
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.top().node;
    double share = 0.0;
    for (; !waiting.empty() && waiting.top().node == node; waiting.pop()) share += waiting.top().share;
    visit(node, share);
    if (steps_[node].split == SplitKind::leaf) continue;
    const Place& place = places_[node];
    if (const std::int64_t known = branch(node, row); known >= 0) {
      const auto b = static_cast<std::uint32_t>(known);
      take(node, b, share);
      waiting.push({children_[place.first_branch + b], n_arrivals++, share});
      continue;
    }
    for (std::uint32_t b = 0; b < place.n_branches; ++b) {
      const double weight = branch_weight(place.first_branch + b);
      if (weight <= 0.0) continue;
      const double part = share * (weight / place.weight);
      take(node, b, part);
      waiting.push({children_[place.first_branch + b], n_arrivals++, part});
    }
  }
}

void Forest::mix_leaves(std::uint32_t root, const double* row, Mixture& mixture) const {
  std::ranges::fill(mixture.shares, 0.0);
  std::ranges::fill(mixture.weights, 0.0);
  mixture.weight = 0.0;
  propagate(
      root, row,
      [&](std::uint32_t node, double share) {
        if (steps_[node].split == SplitKind::leaf) add_leaf(places_[node], share, mixture);
      },
      [](std::uint32_t, std::uint32_t, double) {});
  // The sum may differ from one by rounding, or because pruning dropped branches.
  double total = 0.0;
  for (const double x : mixture.shares) total += x;
  if (total > 0.0)
    for (double& x : mixture.shares) x /= total;
  else
    mixture.shares[static_cast<std::size_t>(places_[root].label)] = 1.0;
}

std::int32_t Forest::largest(const double* weights) const {
  std::uint32_t best = 0;
  for (std::uint32_t k = 1; k < n_classes_; ++k)
    if (weights[k] > weights[best] && criteria::more(weights[k], weights[best])) best = k;
  return static_cast<std::int32_t>(best);
}

Forest::Prediction Forest::predict_row(std::uint32_t member, const Block& block, std::uint32_t i,
                                       Mixture& mixture) const {
  const std::uint32_t leaf = block.leaf_of[i];
  if (is_at_leaf(leaf)) return {places_[leaf].prediction, places_[leaf].confidence};
  mix_leaves(roots_[member], block.row(i), mixture);
  const std::int32_t label = largest(mixture.shares.data());
  return {label, laplace(mixture.weights[static_cast<std::size_t>(label)], mixture.weight)};
}

// Adds the member's class shares for a row of the block, times its vote, to the scores of the row. Leaves of the block
// must be those of this member.
void Forest::add_shares(std::uint32_t member, const Block& block, std::uint32_t i, double vote, Mixture& mixture,
                        double* scores) const {
  const std::uint32_t leaf = block.leaf_of[i];
  if (!is_at_leaf(leaf)) {
    mix_leaves(roots_[member], block.row(i), mixture);
    for (std::uint32_t k = 0; k < n_classes_; ++k) scores[k] += vote * mixture.shares[k];
  } else if (const Place& place = places_[leaf]; place.weight_of_shares > 0.0) {
    for (std::uint32_t k = place.first_class; k < place.first_class + place.n_classes; ++k)
      scores[class_index_[k]] += vote * (class_weight_[k] / place.weight_of_shares);
  } else {
    scores[place.label] += vote;
  }
}

// Calls use(block) for each block of rows. Rows are independent, so the number of threads does not change any result.
template <class Use>
void Forest::for_each_block(const InputRows& rows, const Use& use) const {
  const std::uint32_t at_a_time = rows_per_block();
  const std::uint32_t n_blocks = rows.n_rows / at_a_time + (rows.n_rows % at_a_time != 0);
  parallel::ThreadPool pool(std::min(rows.n_threads, std::max(n_blocks, 1U)));
  std::vector<Block> blocks(pool.n_threads());
  pool.for_each(n_blocks, [&](std::uint32_t b, std::uint32_t thread) {
    Block& block = blocks[thread];
    block.first_row = b * at_a_time;
    block.n_rows = std::min(at_a_time, rows.n_rows - block.first_row);
    load(rows.columns, block);
    use(block);
  });
}

void Forest::predict_members(const InputRows& rows, std::int32_t* classes, double* confidences, double* shares) const {
  for_each_block(rows, [&](Block& block) {
    Mixture mixture(n_classes_);
    for (std::uint32_t m = 0; m < n_members(); ++m) {
      find_leaves(roots_[m], block);
      const std::size_t first = std::size_t{m} * rows.n_rows + block.first_row;
      for (std::uint32_t i = 0; i < block.n_rows; ++i) {
        const Prediction prediction = predict_row(m, block, i, mixture);
        classes[first + i] = prediction.label;
        if (confidences != nullptr) confidences[first + i] = prediction.confidence;
        if (shares != nullptr) add_shares(m, block, i, 1.0, mixture, shares + (first + i) * n_classes_);
      }
    }
  });
}

// Calls use(row, scores) for each row once all members have voted.
template <class Use>
void Forest::count_votes_of_rows(const InputRows& rows, const Votes& votes, const Use& use) const {
  for_each_block(rows, [&](Block& block) {
    Mixture mixture(n_classes_);
    std::vector<double> scores(std::size_t{block.n_rows} * n_classes_, 0.0);
    for (std::uint32_t m = 0; m < n_members(); ++m) {
      find_leaves(roots_[m], block);
      for (std::uint32_t i = 0; i < block.n_rows; ++i) {
        double* of_row = scores.data() + std::size_t{i} * n_classes_;
        if (votes.form == VoteForm::shares) {
          add_shares(m, block, i, votes.votes[m], mixture, of_row);
          continue;
        }
        const Prediction prediction = predict_row(m, block, i, mixture);
        of_row[prediction.label] +=
            votes.form == VoteForm::confidence ? votes.votes[m] * prediction.confidence : votes.votes[m];
      }
    }
    for (std::uint32_t i = 0; i < block.n_rows; ++i)
      use(block.first_row + i, std::span<const double>(scores.data() + std::size_t{i} * n_classes_, n_classes_));
  });
}

void Forest::count_votes(const InputRows& rows, const Votes& votes, double* scores) const {
  check(votes);
  count_votes_of_rows(rows, votes, [&](std::uint32_t row, std::span<const double> of_row) {
    std::ranges::copy(of_row, scores + std::size_t{row} * n_classes_);
  });
}

void Forest::predict(const InputRows& rows, const Votes& votes, std::span<const std::uint32_t> priority,
                     std::int32_t* classes) const {
  check(votes);
  check_priority(priority);
  count_votes_of_rows(rows, votes, [&](std::uint32_t row, std::span<const double> scores) {
    std::uint32_t best = priority[0];
    for (const std::uint32_t k : priority)  // no score is negative, so a relative tolerance is enough
      if (scores[k] > scores[best] * (1.0 + criteria::slack)) best = k;
    classes[row] = static_cast<std::int32_t>(best);
  });
}

void Forest::margins(const InputRows& rows, const Votes& votes, std::span<const std::int32_t> classes,
                     double* margins) const {
  check(votes);
  check_classes(classes, rows.n_rows);
  count_votes_of_rows(rows, votes, [&](std::uint32_t row, std::span<const double> scores) {
    const auto own = static_cast<std::size_t>(classes[row]);
    double all = 0.0;
    double other = 0.0;
    for (std::size_t k = 0; k < scores.size(); ++k) {
      all += scores[k];
      if (k != own) other = std::max(other, scores[k]);
    }
    margins[row] = all > 0.0 ? (scores[own] - other) / all : 0.0;
  });
}

void Forest::apply(const InputRows& rows, std::int32_t* leaves) const {
  for_each_block(rows, [&](Block& block) {
    for (std::uint32_t m = 0; m < n_members(); ++m) {
      find_leaves(roots_[m], block);
      for (std::uint32_t i = 0; i < block.n_rows; ++i) {
        std::int64_t leaf = block.leaf_of[i];
        if (!is_at_leaf(block.leaf_of[i])) {
          leaf = std::int64_t{roots_[m]} - 1;  // -1 in the member's own graph
          double most = 0.0;
          propagate(
              roots_[m], block.row(i),
              [&](std::uint32_t node, double share) {
                if (steps_[node].split != SplitKind::leaf || !(share > most)) return;
                most = share;
                leaf = node;
              },
              [](std::uint32_t, std::uint32_t, double) {});
        }
        leaves[std::size_t{block.first_row + i} * n_members() + m] = static_cast<std::int32_t>(leaf - roots_[m]);
      }
    }
  });
}

Paths Forest::decision_path(const InputRows& rows) const {
  std::vector<Paths> of_block(rows.n_rows / rows_per_block() + 1);
  for_each_block(rows, [&](Block& block) {
    Paths& paths = of_block[block.first_row / rows_per_block()];
    for (std::uint32_t i = 0; i < block.n_rows; ++i) {
      for (const std::uint32_t root : roots_)
        propagate(
            root, block.row(i),
            [&](std::uint32_t node, double share) {
              paths.nodes.push_back(static_cast<std::int32_t>(node));
              paths.shares.push_back(share);
            },
            [](std::uint32_t, std::uint32_t, double) {});
      paths.row_start.push_back(static_cast<std::int64_t>(paths.nodes.size()));
    }
  });
  Paths result{{0}, {}, {}};
  for (Paths& paths : of_block) {
    const auto before = static_cast<std::int64_t>(result.nodes.size());
    for (const std::int64_t end : paths.row_start) result.row_start.push_back(before + end);
    result.nodes.insert(result.nodes.end(), paths.nodes.begin(), paths.nodes.end());
    result.shares.insert(result.shares.end(), paths.shares.begin(), paths.shares.end());
    paths = {};
  }
  return result;
}

void Forest::class_shares(const InputRows& rows, double* shares) const {
  check_single();
  for_each_block(rows, [&](Block& block) {
    Mixture mixture(n_classes_);
    find_leaves(roots_[0], block);
    for (std::uint32_t i = 0; i < block.n_rows; ++i)
      add_shares(0, block, i, 1.0, mixture, shares + std::size_t{block.first_row + i} * n_classes_);
  });
}

void Forest::excess(const InputRows& rows, double* excess) const {
  check_single();
  if (steps_[roots_[0]].split != SplitKind::oblique) throw std::invalid_argument("the root is not an oblique split");
  for_each_block(rows, [&](Block& block) {
    for (std::uint32_t i = 0; i < block.n_rows; ++i)
      excess[block.first_row + i] = sum(places_[roots_[0]], block.row(i)) - steps_[roots_[0]].threshold;
  });
}

void Forest::branch_class_weights(const InputRows& rows, std::span<const std::int32_t> classes,
                                  std::span<const double> weights, double* weights_taken) const {
  check_single();
  check_classes(classes, rows.n_rows);
  if (weights.size() != rows.n_rows) throw std::invalid_argument("one weight per row is needed");
  std::vector<std::size_t> first(places_.size() + 1, 0);  // of each node's branches, among those of all nodes
  for (std::size_t node = 0; node < places_.size(); ++node) first[node + 1] = first[node] + places_[node].n_branches;
  for_each_block({rows.columns, rows.n_rows, 1}, [&](Block& block) {
    for (std::uint32_t i = 0; i < block.n_rows; ++i) {
      const std::uint32_t row = block.first_row + i;
      if (weights[row] == 0.0) continue;
      double* of_class = weights_taken + classes[row];
      propagate(
          roots_[0], block.row(i), [](std::uint32_t, double) {},
          [&](std::uint32_t node, std::uint32_t b, double share) {
            of_class[(first[node] + b) * n_classes_] += share * weights[row];
          });
    }
  });
}

}  // namespace weaklearn::graph
