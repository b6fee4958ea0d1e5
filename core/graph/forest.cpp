#include "graph/forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "criteria/tolerance.hpp"
#include "parallel/thread_pool.hpp"

namespace weaklearn::graph {
namespace {

// The greatest double that rounds to a float of at most `bound`.
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

// Where a row is at several leaves at once: their weights per class, blended.
struct Forest::Blend {
  explicit Blend(std::uint32_t n_classes) : shares(n_classes), weights(n_classes) {}

  std::vector<double> shares;   // each leaf counted as one
  std::vector<double> weights;  // as they are
  double weight = 0.0;
};

Forest::Forest(std::span<const Graph* const> members)
    : n_classes_(members[0]->n_classes),
      attributes_(members[0]->attributes),
      asks_for_number_(members[0]->attributes.size(), false) {
  std::size_t n_nodes = 1;
  for (const Graph* member : members) n_nodes += member->nodes.size();
  steps_.reserve(n_nodes);
  places_.reserve(n_nodes);
  for (const Graph* member : members) add(*member);
  if (std::ranges::any_of(members, [](const Graph* member) { return !member->flow.empty(); })) add_flow(members);
  const auto lost = static_cast<std::uint32_t>(steps_.size());
  steps_.push_back({0.0, {lost, lost}, 0, Test::leaf});
}

void Forest::add(const Graph& graph) {
  const auto first_node = static_cast<std::uint32_t>(steps_.size());
  const auto first_branch = static_cast<std::uint32_t>(branches_.size());
  const auto first_value = static_cast<std::uint32_t>(value_branch_.size());
  const auto first_class = static_cast<std::uint32_t>(class_index_.size());
  const auto first_term = static_cast<std::uint32_t>(addends_.size());
  roots_.push_back(first_node);
  for (const std::uint32_t branch : graph.branches) branches_.push_back(first_node + branch);
  value_branch_.insert(value_branch_.end(), graph.value_branch.begin(), graph.value_branch.end());
  class_index_.insert(class_index_.end(), graph.class_index.begin(), graph.class_index.end());
  class_weight_.insert(class_weight_.end(), graph.class_weight.begin(), graph.class_weight.end());
  add_terms(graph);

  Blend blend(n_classes_);
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const std::uint32_t self = first_node + i;
    Step step{0.0, {self, self}, 0, node.test};
    Place place;
    place.weight = node.weight;
    place.label = node.label;
    place.first_branch = first_branch + node.first_branch;
    place.n_branches = node.n_branches;
    place.first_value = first_value + node.first_value;
    place.first_class = first_class + node.first_class;
    place.n_classes = node.n_classes;
    place.first_term = first_term + node.first_term;
    place.n_terms = node.n_terms;
    if (node.test == Test::leaf) {
      std::ranges::fill(blend.shares, 0.0);
      add_leaf(place, 1.0, blend);
      place.answer = largest(blend.shares.data());
      double of_class = 0.0;
      for (std::uint32_t k = place.first_class; k < place.first_class + place.n_classes; ++k)
        if (node.weight > 0.0 && class_index_[k] == place.answer) of_class = class_weight_[k];
      place.confidence = laplace(of_class, node.weight);
    } else if (node.test == Test::oblique) {
      only_thresholds_ = false;
      step.threshold = node.threshold;
      for (std::size_t b = 0; b < 2; ++b) step.branch[b] = branches_[place.first_branch + b];
    } else {
      const auto attribute = static_cast<std::size_t>(node.attribute);
      step.attribute = static_cast<std::uint32_t>(node.attribute);
      if (node.test == Test::threshold) {
        asks_for_number_[attribute] = true;
        step.threshold = attributes_[attribute].single_precision
                             ? greatest_rounding_to(static_cast<float>(node.threshold))
                             : node.threshold;
        for (std::size_t b = 0; b < 2; ++b) step.branch[b] = branches_[place.first_branch + b];
      } else {
        only_thresholds_ = false;
        step.branch[0] = place.first_branch;
      }
    }
    steps_.push_back(step);
    places_.push_back(place);
  }
}

void Forest::add_terms(const Graph& graph) {
  const auto first_number = static_cast<std::uint32_t>(term_numbers_.size());
  term_numbers_.insert(term_numbers_.end(), graph.term_numbers.begin(), graph.term_numbers.end());
  for (const Term& term : graph.terms) {
    const auto attribute = static_cast<std::uint32_t>(term.attribute);
    const bool single = attributes_[attribute].single_precision;
    const std::uint32_t n_cuts = term.form == Form::steps ? term.n_numbers / 2 : 0;
    addends_.push_back({term.form, single, attribute, n_cuts, first_number + term.first_number, term.unknown});
    if (term.form != Form::values) asks_for_number_[attribute] = true;
    for (std::uint32_t c = 0; single && c < n_cuts; ++c) {
      double& cut = term_numbers_[first_number + term.first_number + c];
      cut = greatest_rounding_to(static_cast<float>(cut));
    }
  }
}

void Forest::add_flow(std::span<const Graph* const> members) {
  for (const Graph* member : members) {
    flow_.insert(flow_.end(), member->flow.begin(), member->flow.end());
    if (member->flow.empty())
      for (const std::uint32_t child : member->branches) flow_.push_back(member->nodes[child].weight);
  }
}

std::size_t Forest::nbytes() const {
  return steps_.size() * sizeof(Step) + places_.size() * sizeof(Place) + branches_.size() * 4 + flow_.size() * 8 +
         value_branch_.size() * 4 + addends_.size() * sizeof(Addend) + term_numbers_.size() * 8 +
         class_index_.size() * 4 + class_weight_.size() * 8;
}

// So many rows that each member's nodes are fetched rarely, and so few that the rows stay in the cache.
std::uint32_t Forest::rows_per_block() const {
  constexpr std::size_t numbers = 1U << 14;
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(numbers / std::max<std::size_t>(attributes_.size(), 1), 64, 2048));
}

void Forest::add_leaf(const Place& place, double share, Blend& blend) const {
  if (place.weight <= 0.0) {  // an empty leaf holds a copy of its parent's weights, not its own
    blend.shares[static_cast<std::size_t>(place.label)] += share;
    return;
  }
  for (std::uint32_t k = place.first_class; k < place.first_class + place.n_classes; ++k) {
    const auto number = static_cast<std::size_t>(class_index_[k]);
    blend.shares[number] += share * (class_weight_[k] / place.weight);
    blend.weights[number] += share * class_weight_[k];
  }
  blend.weight += share * place.weight;
}

// Takes a row down a graph, in shares where a value is unknown: take(node, branch, share) for each branch on
// the way, reach(leaf, share) at the ends.
template <class Branch, class Leaf>
void Forest::travel(std::uint32_t root, const double* row, const Branch& take, const Leaf& reach) const {
  struct Share {
    std::uint32_t node;
    double share;
    bool operator<(const Share& other) const { return node > other.node; }  // the lowest number on top
  };
  // Branches lead to higher numbers: in ascending order a node is reached once, with all its shares
  // together, even where many paths meet in it.
  std::priority_queue<Share> waiting;
  waiting.push({root, 1.0});
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.top().node;
    double share = 0.0;
    for (; !waiting.empty() && waiting.top().node == node; waiting.pop()) share += waiting.top().share;
    if (steps_[node].test == Test::leaf) {
      reach(node, share);
      continue;
    }
    const Place& place = places_[node];
    if (const std::int64_t known = branch(node, row); known >= 0) {
      const auto b = static_cast<std::uint32_t>(known);
      take(node, b, share);
      waiting.push({branches_[place.first_branch + b], share});
      continue;
    }
    for (std::uint32_t b = 0; b < place.n_branches; ++b) {
      const double flow = flow_of(place.first_branch + b);
      if (flow <= 0.0) continue;
      const double part = share * (flow / place.weight);
      take(node, b, part);
      waiting.push({branches_[place.first_branch + b], part});
    }
  }
}

void Forest::spread(std::uint32_t root, const double* row, Blend& blend) const {
  std::ranges::fill(blend.shares, 0.0);
  std::ranges::fill(blend.weights, 0.0);
  blend.weight = 0.0;
  travel(
      root, row, [](std::uint32_t, std::uint32_t, double) {},
      [&](std::uint32_t leaf, double share) { add_leaf(places_[leaf], share, blend); });
  // Branches dropped in pruning and rounding leave sums a little off one.
  double total = 0.0;
  for (const double x : blend.shares) total += x;
  if (total > 0.0)
    for (double& x : blend.shares) x /= total;
  else
    blend.shares[static_cast<std::size_t>(places_[root].label)] = 1.0;
}

std::int32_t Forest::largest(const double* weights) const {
  std::uint32_t best = 0;
  for (std::uint32_t k = 1; k < n_classes_; ++k)
    if (weights[k] > weights[best] && criteria::more(weights[k], weights[best])) best = k;
  return static_cast<std::int32_t>(best);
}

Forest::Answer Forest::answer(std::uint32_t member, const Block& block, std::uint32_t i, Blend& blend) const {
  const std::uint32_t leaf = block.leaf_of[i];
  if (leaf + 1 < steps_.size()) return {places_[leaf].answer, places_[leaf].confidence};
  spread(roots_[member], block.values.data() + i * std::max<std::size_t>(attributes_.size(), 1), blend);
  const std::int32_t label = largest(blend.shares.data());
  return {label, laplace(blend.weights[static_cast<std::size_t>(label)], blend.weight)};
}

// Calls use(block) for one block after the other; rows are independent, so threads change nothing.
template <class Use>
void Forest::for_each_block(const Questions& questions, const Use& use) const {
  const std::uint32_t at_a_time = rows_per_block();
  const std::uint32_t n_blocks = questions.n_rows / at_a_time + (questions.n_rows % at_a_time != 0);
  parallel::Pool pool(std::min(questions.n_threads, std::max(n_blocks, 1U)));
  std::vector<Block> blocks(pool.n_threads());
  pool.for_each(n_blocks, [&](std::uint32_t b, std::uint32_t thread) {
    Block& block = blocks[thread];
    block.first_row = b * at_a_time;
    block.n_rows = std::min(at_a_time, questions.n_rows - block.first_row);
    load(questions.columns, block);
    use(block);
  });
}

void Forest::answers(const Questions& questions, std::int32_t* classes, double* confidences) const {
  for_each_block(questions, [&](Block& block) {
    Blend blend(n_classes_);
    for (std::uint32_t m = 0; m < n_members(); ++m) {
      walk(roots_[m], block);
      const std::size_t first = std::size_t{m} * questions.n_rows + block.first_row;
      for (std::uint32_t i = 0; i < block.n_rows; ++i) {
        const Answer one = answer(m, block, i, blend);
        classes[first + i] = one.label;
        if (confidences != nullptr) confidences[first + i] = one.confidence;
      }
    }
  });
}

// Calls use(row, scores) for each row once all members have voted.
template <class Use>
void Forest::tally_blocks(const Questions& questions, const Votes& votes, const Use& use) const {
  for_each_block(questions, [&](Block& block) {
    Blend blend(n_classes_);
    std::vector<double> scores(std::size_t{block.n_rows} * n_classes_, 0.0);
    for (std::uint32_t m = 0; m < n_members(); ++m) {
      walk(roots_[m], block);
      for (std::uint32_t i = 0; i < block.n_rows; ++i) {
        const Answer one = answer(m, block, i, blend);
        scores[std::size_t{i} * n_classes_ + static_cast<std::size_t>(one.label)] +=
            votes.confident ? votes.votes[m] * one.confidence : votes.votes[m];
      }
    }
    for (std::uint32_t i = 0; i < block.n_rows; ++i)
      use(block.first_row + i, std::span<const double>(scores.data() + std::size_t{i} * n_classes_, n_classes_));
  });
}

void Forest::tally(const Questions& questions, const Votes& votes, double* scores) const {
  tally_blocks(questions, votes, [&](std::uint32_t row, std::span<const double> of_row) {
    std::ranges::copy(of_row, scores + std::size_t{row} * n_classes_);
  });
}

void Forest::predict(const Questions& questions, const Votes& votes, std::span<const std::uint32_t> priority,
                     std::int32_t* classes) const {
  tally_blocks(questions, votes, [&](std::uint32_t row, std::span<const double> scores) {
    std::uint32_t best = priority[0];
    for (const std::uint32_t k : priority)  // no score is negative: what is equal is so relative to the sums
      if (scores[k] > scores[best] * (1.0 + criteria::slack)) best = k;
    classes[row] = static_cast<std::int32_t>(best);
  });
}

void Forest::margins(const Questions& questions, const Votes& votes, std::span<const std::int32_t> classes,
                     double* margins) const {
  tally_blocks(questions, votes, [&](std::uint32_t row, std::span<const double> scores) {
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

void Forest::predict_proba(const Questions& questions, double* weights) const {
  for_each_block(questions, [&](Block& block) {
    Blend blend(n_classes_);
    walk(roots_[0], block);
    for (std::uint32_t i = 0; i < block.n_rows; ++i) {
      double* out = weights + std::size_t{block.first_row + i} * n_classes_;
      const std::uint32_t leaf = block.leaf_of[i];
      if (leaf + 1 == steps_.size()) {
        spread(roots_[0], block.values.data() + i * std::max<std::size_t>(attributes_.size(), 1), blend);
        std::ranges::copy(blend.shares, out);
      } else if (const Place& place = places_[leaf]; place.weight > 0.0) {
        for (std::uint32_t k = place.first_class; k < place.first_class + place.n_classes; ++k)
          out[class_index_[k]] = class_weight_[k] / place.weight;
      } else {
        out[place.label] = 1.0;
      }
    }
  });
}

void Forest::excess(const Questions& questions, double* excess) const {
  for_each_block(questions, [&](Block& block) {
    for (std::uint32_t i = 0; i < block.n_rows; ++i) {
      const double* row = block.values.data() + i * std::max<std::size_t>(attributes_.size(), 1);
      excess[block.first_row + i] = sum(places_[roots_[0]], row) - steps_[roots_[0]].threshold;
    }
  });
}

void Forest::flow(const Questions& questions, std::span<const std::int32_t> classes, std::span<const double> weights,
                  double* taken) const {
  std::vector<std::size_t> first(places_.size() + 1, 0);  // of each node's branches, among those of all nodes
  for (std::size_t node = 0; node < places_.size(); ++node) first[node + 1] = first[node] + places_[node].n_branches;
  for_each_block({questions.columns, questions.n_rows, 1}, [&](Block& block) {
    for (std::uint32_t i = 0; i < block.n_rows; ++i) {
      const std::uint32_t row = block.first_row + i;
      if (weights[row] == 0.0) continue;
      double* of_class = taken + classes[row];
      travel(
          roots_[0], block.values.data() + i * std::max<std::size_t>(attributes_.size(), 1),
          [&](std::uint32_t node, std::uint32_t b, double share) {
            of_class[(first[node] + b) * n_classes_] += share * weights[row];
          },
          [](std::uint32_t, double) {});
    }
  });
}

}  // namespace weaklearn::graph
