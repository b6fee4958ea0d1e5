// What a forest predicts for rows.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "criteria/tolerance.hpp"
#include "graph/forest_bitwise.hpp"
#include "parallel/thread_pool.hpp"

namespace weaklearn::graph {
namespace {

std::int32_t winner(std::span<const double> scores, std::span<const std::uint32_t> priority) {
  std::uint32_t best = priority[0];
  for (const std::uint32_t k : priority)  // no score is negative, so a relative tolerance is enough
    if (scores[k] > scores[best] * (1.0 + criteria::slack)) best = k;
  return static_cast<std::int32_t>(best);
}

void check_priority(std::span<const std::uint32_t> priority, std::size_t n_classes) {
  std::vector<bool> listed(n_classes, false);
  for (const std::uint32_t k : priority)
    if (k < n_classes) listed[k] = true;
  if (n_classes == 0 || priority.size() != n_classes || std::ranges::find(listed, false) != listed.end())
    throw std::invalid_argument("the priority must list every class once");
}

}  // namespace

std::vector<std::int32_t> winners(std::span<const double> scores, std::span<const std::uint32_t> priority) {
  check_priority(priority, priority.size());
  if (scores.size() % priority.size() != 0) throw std::invalid_argument("one score per row and class is needed");
  std::vector<std::int32_t> result(scores.size() / priority.size());
  for (std::size_t row = 0; row < result.size(); ++row)
    result[row] = winner(scores.subspan(row * priority.size(), priority.size()), priority);
  return result;
}

// A block has so many rows that the nodes of each member are fetched rarely, and so few that its values stay in the
// cache.
std::uint32_t Forest::rows_per_block() const {
  constexpr std::size_t numbers = 1U << 14;
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(numbers / std::max<std::size_t>(columns_.size(), 1), 64, 2048));
}

void Forest::add_leaf(const Place& place, double share, Mixture& mixture) const {
  const double weight_of_shares = place.weight_of_shares();
  if (weight_of_shares <= 0.0) {  // an empty leaf holds a copy of its parent's class weights
    mixture.shares[static_cast<std::size_t>(place.leaf.prediction)] += share;
    return;
  }
  for (std::uint32_t k = place.leaf.first_class; k < place.leaf.first_class + place.count; ++k) {
    const auto index = static_cast<std::size_t>(class_index_[k]);
    mixture.shares[index] += share * (class_weight_[k] / weight_of_shares);
    if (place.weight > 0.0) mixture.weights[index] += share * class_weight_[k];
  }
  mixture.weight += share * place.weight;
}

// Takes a row down a graph, in shares where a value is missing. Calls visit(node, share) for each node that the row
// visits, in ascending order, and take(node, branch, share) for each branch that it takes. `waiting` is memory to use.
template <class Visit, class Take>
void Forest::propagate(std::uint32_t root, const double* row, std::vector<Share>& waiting, const Visit& visit,
                       const Take& take) const {
  if (in_depth_first_order_)
    propagate_in_order<true>(root, row, waiting, visit, take);
  else
    propagate_in_order<false>(root, row, waiting, visit, take);
}

// Children have higher indices. In ascending order a node is visited once, with all its shares added up, even where
// many paths lead to it. A stack has this order in a tree in depth-first order, and a heap in any graph.
template <bool in_depth_first_order, class Visit, class Take>
void Forest::propagate_in_order(std::uint32_t root, const double* row, std::vector<Share>& waiting, const Visit& visit,
                                const Take& take) const {
  std::uint32_t n_arrivals = 0;
  const auto wait = [&](std::uint32_t at, double part) {
    waiting.push_back({at, n_arrivals++, part});
    if constexpr (!in_depth_first_order) std::push_heap(waiting.begin(), waiting.end());
  };
  waiting.clear();
  std::uint32_t node = root;
  double share = 1.0;
  for (;;) {
    visit(node, share);
    const Place& place = places_[node];
    const std::int64_t known = place.n_branches == 0 ? -1 : branch(node, row);
    if (known >= 0) {
      const auto b = static_cast<std::uint32_t>(known);
      const std::uint32_t child = children_[place.split.first_branch + b];
      take(node, b, share);
      if (in_depth_first_order || waiting.empty() || child < waiting.front().node) {  // it is next, so it need not wait
        node = child;
        continue;
      }
      wait(child, share);
    } else {
      for (std::uint32_t k = 0; k < place.n_branches; ++k) {  // a leaf has none
        const std::uint32_t b = in_depth_first_order ? place.n_branches - 1 - k : k;
        const double weight = branch_weight(place.split.first_branch + b);
        if (weight <= 0.0) continue;
        const double part = share * (weight / place.weight);
        take(node, b, part);
        wait(children_[place.split.first_branch + b], part);
      }
    }
    if (waiting.empty()) return;
    if constexpr (in_depth_first_order) {
      node = waiting.back().node;
      share = waiting.back().share;
      waiting.pop_back();
    } else {
      node = waiting.front().node;
      share = 0.0;
      while (!waiting.empty() && waiting.front().node == node) {
        std::pop_heap(waiting.begin(), waiting.end());
        share += waiting.back().share;
        waiting.pop_back();
      }
    }
  }
}

void Forest::mix_leaves(std::uint32_t root, const double* row, Mixture& mixture) const {
  std::ranges::fill(mixture.shares, 0.0);
  std::ranges::fill(mixture.weights, 0.0);
  mixture.weight = 0.0;
  propagate(
      root, row, mixture.waiting,
      [&](std::uint32_t node, double share) {
        if (places_[node].n_branches == 0) add_leaf(places_[node], share, mixture);
      },
      [](std::uint32_t, std::uint32_t, double) {});
  // The sum may differ from one by rounding, or because pruning dropped branches.
  double total = 0.0;
  for (const double x : mixture.shares) total += x;
  if (total > 0.0)
    for (double& x : mixture.shares) x /= total;
  else
    mixture.shares[static_cast<std::size_t>(places_[root].split.label)] = 1.0;
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
  if (is_at_leaf(leaf)) return {places_[leaf].leaf.prediction, places_[leaf].leaf.confidence};
  return predict_mixed(member, block, i, mixture);
}

// Predicts a row that goes to several leaves.
Forest::Prediction Forest::predict_mixed(std::uint32_t member, const Block& block, std::uint32_t i,
                                         Mixture& mixture) const {
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
  } else if (const Place& place = places_[leaf]; place.weight_of_shares() > 0.0) {
    for (std::uint32_t k = place.leaf.first_class; k < place.leaf.first_class + place.count; ++k)
      scores[class_index_[k]] += vote * (class_weight_[k] / place.weight_of_shares());
  } else {
    scores[place.leaf.prediction] += vote;
  }
}

Forest::~Forest() = default;

// Returns how to predict rows bit by bit; null if that takes longer than one by one. Making it takes about as long as
// predicting as many rows as a member has nodes. It is made when the forest has been asked for so many.
const Forest::Bitwise* Forest::bitwise_for(std::uint32_t n_rows) const {
  constexpr std::uint32_t fewest_rows = rows_per_set / 4;  // as a part of a block takes as long as a whole one
  if (n_rows < fewest_rows) return nullptr;
  if ((rows_so_far_ += n_rows) < places_.size() / roots_.size()) return nullptr;
  std::call_once(bitwise_is_made_, [this] {
    bitwise_ = Bitwise::make(*this);
    bitwise_in_use_ = bitwise_.get();
  });
  return bitwise_ != nullptr && n_rows >= bitwise_->fewest_rows() ? bitwise_.get() : nullptr;
}

// Calls use(block) for each block of rows. Rows are independent, so the number of threads does not change any result.
template <class Use>
void Forest::for_each_block(const InputRows& rows, const Bitwise* bitwise, const Use& use) const {
  const std::uint32_t at_a_time = bitwise != nullptr ? rows_per_set : rows_per_block();
  const std::uint32_t n_blocks = rows.n_rows / at_a_time + (rows.n_rows % at_a_time != 0);
  parallel::ThreadPool pool(std::min(rows.n_threads, std::max(n_blocks, 1U)));
  std::vector<Block> blocks(pool.n_threads());
  pool.for_each(n_blocks, [&](std::uint32_t b, std::uint32_t thread) {
    Block& block = blocks[thread];
    block.first_row = b * at_a_time;
    block.n_rows = std::min(at_a_time, rows.n_rows - block.first_row);
    block.bitwise = bitwise;
    if (bitwise != nullptr) bitwise->load(rows.columns, block);
    if (bitwise == nullptr || bitwise->may_stop(block)) load(rows, block);
    use(block);
  });
}

void Forest::predict_members(const InputRows& rows, std::int32_t* classes, double* confidences, double* shares) const {
  const Bitwise* const bitwise = rows.chosen.empty() ? bitwise_for(rows.n_rows) : nullptr;
  for_each_block(rows, bitwise, [&](Block& block) {
    Mixture mixture(n_classes_);
    for (std::uint32_t m = 0; m < n_members(); ++m) {
      find_leaves(m, block);
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

// Adds the votes of all members for the classes that they predict.
void Forest::add_label_votes(std::span<const double> votes, Block& block, Mixture& mixture, double* scores) const {
  constexpr std::uint32_t at_a_time = 128;  // members
  block.labels.resize(std::size_t{std::min(at_a_time, n_members())} * rows_per_set);
  const bool may_stop = block.bitwise->may_stop(block);
  for (std::uint32_t first = 0; first < n_members(); first += at_a_time) {
    const std::uint32_t n = std::min(at_a_time, n_members() - first);
    for (std::uint32_t m = 0; m < n; ++m)
      block.bitwise->find_labels(first + m, block, block.labels.data() + std::size_t{m} * rows_per_set);
    for (std::uint32_t row = 0; row < block.n_rows; row += side_by_side) {
      const std::uint32_t n_side_by_side = std::min(side_by_side, block.n_rows - row);
      const std::uint8_t* labels = block.labels.data() + row;
      double* const of_rows = scores + std::size_t{row} * n_classes_;
      for (std::uint32_t m = 0; m < n; ++m, labels += rows_per_set) {
        const double vote = votes[first + m];
        if (n_side_by_side == side_by_side && !may_stop) {
          for (std::uint32_t i = 0; i < side_by_side; ++i) of_rows[std::size_t{i} * n_classes_ + labels[i]] += vote;
          continue;
        }
        for (std::uint32_t i = 0; i < n_side_by_side; ++i) {
          const std::int32_t label =
              labels[i] < n_classes_ ? labels[i] : predict_mixed(first + m, block, row + i, mixture).label;
          of_rows[std::size_t{i} * n_classes_ + static_cast<std::size_t>(label)] += vote;
        }
      }
    }
  }
}

// Adds the votes of a member, in proportion to its class shares.
void Forest::add_share_votes(std::uint32_t member, double vote, Block& block, Mixture& mixture, double* scores) const {
  const bool bitwise = block.bitwise != nullptr && std::isfinite(vote);
  if (bitwise)
    block.bitwise->add_shares(member, vote, block, scores);
  else
    find_leaves(member, block);
  if (bitwise && !block.bitwise->may_stop(block)) return;
  for (std::uint32_t i = 0; i < block.n_rows; ++i)
    if (!bitwise || !is_at_leaf(block.leaf_of[i]))
      add_shares(member, block, i, vote, mixture, scores + std::size_t{i} * n_classes_);
}

// Calls use(row, scores) for each row once all members have voted.
template <class Use>
void Forest::count_votes_of_rows(const InputRows& rows, const Votes& votes, const Use& use) const {
  for_each_block(rows, bitwise_for(rows.n_rows), [&](Block& block) {
    Mixture mixture(n_classes_);
    std::vector<double> scores(std::size_t{block.n_rows} * n_classes_, 0.0);
    if (votes.form == VoteForm::shares) {
      for (std::uint32_t m = 0; m < n_members(); ++m) add_share_votes(m, votes.votes[m], block, mixture, scores.data());
    } else if (votes.form == VoteForm::label && block.bitwise != nullptr && block.bitwise->has_labels()) {
      add_label_votes(votes.votes, block, mixture, scores.data());
    } else {
      for (std::uint32_t m = 0; m < n_members(); ++m) {
        find_leaves(m, block);
        for (std::uint32_t i = 0; i < block.n_rows; ++i) {
          const Prediction prediction = predict_row(m, block, i, mixture);
          scores[std::size_t{i} * n_classes_ + static_cast<std::size_t>(prediction.label)] +=
              votes.form == VoteForm::confidence ? votes.votes[m] * prediction.confidence : votes.votes[m];
        }
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
  check_priority(priority, n_classes_);
  count_votes_of_rows(
      rows, votes, [&](std::uint32_t row, std::span<const double> scores) { classes[row] = winner(scores, priority); });
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
  for_each_block(rows, bitwise_for(rows.n_rows), [&](Block& block) {
    std::vector<Share> waiting;
    for (std::uint32_t m = 0; m < n_members(); ++m) {
      find_leaves(m, block);
      for (std::uint32_t i = 0; i < block.n_rows; ++i) {
        std::int64_t leaf = block.leaf_of[i];
        if (!is_at_leaf(block.leaf_of[i])) {
          leaf = std::int64_t{roots_[m]} - 1;  // -1 in the member's own graph
          double most = 0.0;
          propagate(
              roots_[m], block.row(i), waiting,
              [&](std::uint32_t node, double share) {
                if (steps_[node].split() != SplitKind::leaf || !(share > most)) return;
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
  for_each_block(rows, nullptr, [&](Block& block) {
    Paths& paths = of_block[block.first_row / rows_per_block()];
    std::vector<Share> waiting;
    for (std::uint32_t i = 0; i < block.n_rows; ++i) {
      for (const std::uint32_t root : roots_)
        propagate(
            root, block.row(i), waiting,
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
  for_each_block(rows, bitwise_for(rows.n_rows), [&](Block& block) {
    Mixture mixture(n_classes_);
    find_leaves(0, block);
    for (std::uint32_t i = 0; i < block.n_rows; ++i)
      add_shares(0, block, i, 1.0, mixture, shares + std::size_t{block.first_row + i} * n_classes_);
  });
}

void Forest::excess(const InputRows& rows, double* excess) const {
  check_single();
  if (steps_[roots_[0]].split() != SplitKind::oblique) throw std::invalid_argument("the root is not an oblique split");
  for_each_block(rows, nullptr, [&](Block& block) {
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
  for_each_block({rows.columns, rows.n_rows, 1}, nullptr, [&](Block& block) {
    std::vector<Share> waiting;
    for (std::uint32_t i = 0; i < block.n_rows; ++i) {
      const std::uint32_t row = block.first_row + i;
      if (weights[row] == 0.0) continue;
      propagate(
          roots_[0], block.row(i), waiting, [](std::uint32_t, double) {},
          [&](std::uint32_t node, std::uint32_t b, double share) {
            weights_taken[(first[node] + b) * n_classes_ + static_cast<std::size_t>(classes[row])] +=
                share * weights[row];
          });
    }
  });
}

}  // namespace weaklearn::graph
