// Random columns at a node (`max_features`), as in random forests (Breiman 2001).
//
// The columns are drawn one after the other without replacement, each with the same chance. A drawn column that does
// not vary at the node is passed over. The others are evaluated until there are `max_features` of them; the split is
// chosen among these as usual, and an average gain is an average over these. If none of them has an acceptable split,
// one more column is drawn and the choice is made again, until there is a split or all columns have been drawn.
//
// A column varies at a node if at least two different values occur among the rows of positive weight there. Missing is
// a value only if missing values take a branch of their own. Whether a split between the values is allowed is not
// asked. Rare values of a column like a key count as one (splits/frequent_values.hpp). A nominal column with one branch
// per value above the node has only one value, so it does not vary.
//
// The seed of a node follows from the seed of the tree and the path from the root: seed_of(seed of the parent, index of
// the branch). So neither threads nor the order in which nodes are split change the tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "parallel/seeded_random.hpp"
#include "splits/frequent_values.hpp"
#include "splits/node_view.hpp"

namespace weaklearn::tree {

// Draws the columns of one node after the other. The cost of a draw does not depend on the number of columns.
class ColumnDraw {
 public:
  // Starts the draw of a node. `n_columns` must be the same at every node.
  void start(std::uint64_t seed, std::uint32_t n_columns) {
    random_ = parallel::SeededRandom(seed);
    if (order_.empty()) {
      order_.resize(n_columns);
      std::iota(order_.begin(), order_.end(), 0U);
    }
    // Undoing the exchanges of the last draw restores the ascending order without touching the other columns.
    while (!exchanged_with_.empty()) {
      std::swap(order_[exchanged_with_.size() - 1], order_[exchanged_with_.back()]);
      exchanged_with_.pop_back();
    }
  }

  // Returns the next column, or -1 after the last one.
  int next() {
    const auto n_drawn = static_cast<std::uint32_t>(exchanged_with_.size());
    if (n_drawn == order_.size()) return -1;
    const std::uint32_t other = n_drawn + random_.below(static_cast<std::uint32_t>(order_.size()) - n_drawn);
    exchanged_with_.push_back(other);
    std::swap(order_[n_drawn], order_[other]);
    return static_cast<int>(order_[n_drawn]);
  }

 private:
  parallel::SeededRandom random_{0};
  std::vector<std::uint32_t> order_;  // the columns; those drawn come first
  std::vector<std::uint32_t> exchanged_with_;  // per draw: the place that the drawn column came from
};

// Returns whether a column varies at a node. Most columns do, and the first rows show it.
template <class Weights>
bool varies(const Weights& weights, const splits::NodeView& node, const data::Column& column, bool like_key,
            splits::Scratch& scratch) {
  if (like_key) return splits::FrequentValues<Weights>(weights, node, column, true, scratch).vary();
  if (node.has_table()) {
    const auto table = node.table<typename Weights::Count>();
    const std::size_t n_classes = node.local_index.size();
    std::uint32_t n_found = 0;
    for (std::size_t code = 0; code < column.n_codes + std::size_t{node.missing_takes_branch}; ++code)
      n_found += std::ranges::any_of(table.subspan(code * n_classes, n_classes), [](auto x) { return x != 0; });
    return n_found > 1;
  }
  return std::visit(
      [&](const auto& codes) {
        constexpr std::uint32_t no_code = UINT32_MAX;
        const std::uint32_t passed_over = node.missing_takes_branch ? no_code : column.n_codes;
        std::uint32_t first = no_code;
        for (const std::uint32_t row : node.rows) {
          const std::uint32_t code = codes[row];
          if (code == first || code == passed_over || !(weights.weight_of(row) > 0)) continue;
          if (first != no_code) return true;
          first = code;
        }
        return false;
      },
      column.codes);
}

}  // namespace weaklearn::tree
