// Estimates the errors of a subtree if further rows reached it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "data/node_rows.hpp"
#include "graph/draft.hpp"
#include "tree/leaf_errors.hpp"
#include "tree/propagate_rows.hpp"

namespace weaklearn::tree {

// A row is a WholeRow or a RowShare. No split of the subtree may meet a missing value. The tree is not changed.
template <class Row>
class FurtherRows {
 public:
  // `columns` are those that splits read.
  FurtherRows(const graph::Draft& draft, const RowPropagation& propagation, const LeafErrors& leaf_errors,
              const KnownRows& all_rows, const std::vector<bool>& columns)
      : draft_(draft),
        propagation_(propagation),
        leaf_errors_(leaf_errors),
        all_rows_(all_rows),
        columns_(columns),
        slot_of_(draft.nodes.size(), none) {}

  // Returns the estimate of the subtree of a node if all these rows reached it. Those in the range `own` do already.
  // Where the estimate is beyond the limit, the result is some number beyond the limit: no row makes the estimate of a
  // leaf smaller, so a sum beyond the limit stays there. With relative weights of classes a row can make it smaller,
  // because it raises the effective number of rows. With `copies`, rows are copied before they are sent.
  double estimate(std::uint32_t node, std::span<const Row> rows, data::Range own, const KnownRows& known, bool copies,
                  double limit) {
    const auto n_others = static_cast<std::uint32_t>(rows.size()) - own.size();
    if (leaf_errors_.classes().given()) limit = std::numeric_limits<double>::infinity();
    // The other rows lie before and after those that reach the node already.
    const auto other = [&](std::uint32_t i) { return rows[i < own.begin ? i : i + own.size()]; };
    const bool in_order = std::is_same_v<Row, WholeRow> && copies;
    if (in_order) {
      marked_.assign(known.n_rows() / 64 + 1, 0);
      first_marked_ = 0;
      for (std::uint32_t i = 0; i < n_others; ++i) marked_[other(i).row / 64] |= std::uint64_t{1} << other(i).row % 64;
    }
    double total = draft_.nodes[node].errors;
    changed_.clear();
    counts_.clear();
    for (std::uint32_t sent = 0, portion = 32; sent < n_others && total <= limit;) {
      for (const std::uint32_t until = sent + std::min(portion, n_others - sent); sent < until;) {
        const std::uint32_t n = std::min(most_others, until - sent);
        others_.clear();
        if (in_order)
          take_marked(n);
        else
          for (std::uint32_t i = sent; i < sent + n; ++i) others_.push_back(other(i));
        sent += n;
        propagate_others(node, known, copies);
      }
      total = draft_.nodes[node].errors;
      for (std::size_t s = 0; s < changed_.size(); ++s) {
        const std::span<const double> counts(counts_.data() + s * draft_.n_classes, draft_.n_classes);
        total += leaf_errors_.of(counts) - draft_.nodes[changed_[s]].errors;
      }
      // The next rows are expected to add as much per row as those before, and to exceed the limit by a little.
      const double per_row = (total - draft_.nodes[node].errors) / sent;
      const double expected = 1.1 * (limit - total) / per_row;
      portion = expected >= 32.0 && expected < 2.0 * sent ? static_cast<std::uint32_t>(expected) : 2 * sent;
    }
    for (const std::uint32_t leaf : changed_) slot_of_[leaf] = none;
    return total;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::uint32_t in_flight = RowPropagation::in_flight;
  static constexpr std::uint32_t most_others = 4096;  // rows that are sent at a time, so that copies stay in the cache

  // A row on its way down.
  struct MovingRow {
    const Row* row;
    std::uint32_t at;  // the node it has reached
  };

  // Appends n marked rows to `others_`, the lowest ones, and takes away their marks.
  void take_marked(std::uint32_t n) {
    if constexpr (std::is_same_v<Row, WholeRow>)
      while (n > 0) {
        std::uint64_t& marks = marked_[first_marked_];
        for (; marks != 0 && n > 0; marks &= marks - 1, --n)
          others_.push_back({first_marked_ * 64 + static_cast<std::uint32_t>(std::countr_zero(marks))});
        first_marked_ += marks == 0;
      }
  }

  // Sends the rows of `others_` down from a node.
  void propagate_others(std::uint32_t from, const KnownRows& given, bool copies) {
    const KnownRows* known = &given;
    if (copies) {
      if (copied_ == nullptr) copied_ = std::make_unique<KnownRows>(all_rows_);
      copied_->copy(given, std::span(others_), columns_);
      known = copied_.get();
    }
    for (std::size_t first = 0; first < others_.size(); first += in_flight) {
      const std::size_t n = std::min<std::size_t>(in_flight, others_.size() - first);
      for (std::size_t i = 0; i < n; ++i) moving_[i] = {&others_[first + i], from};
      propagate({moving_, n}, *known);
    }
  }

  // Propagates several rows side by side, so that their look-ups wait for memory together.
  void propagate(std::span<MovingRow> rows, const KnownRows& known) {
    if (known.codes.bytes_of(0) != nullptr)
      propagate_bytes(rows, known);
    else
      propagate_codes(rows, known);
    for (const MovingRow& row : rows) count_at(row.at, known.class_of(*row.row), known.weight(*row.row));
  }

  // Rows whose codes are bytes, side by side, are in the cache after their first step.
  void propagate_bytes(std::span<MovingRow> rows, const KnownRows& known) {
    const std::uint32_t* const places = known.codes.places();
    const std::uint8_t* bytes[in_flight];
    std::uint32_t moving[in_flight];
    std::uint32_t n_moving = 0;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      bytes[i] = known.codes.bytes_of(rows[i].row->row);
      parallel::prefetch(bytes[i]);
      moving[n_moving] = i;
      n_moving += !propagation_.is_leaf(rows[i].at);
    }
    while (n_moving > 0)
      for (std::uint32_t i = 0, n = std::exchange(n_moving, 0); i < n; ++i) {
        const std::uint32_t m = moving[i];
        const std::uint32_t at = propagation_.next_node(rows[m].at, rows[m].row->row, known.codes, bytes[m], places);
        rows[m].at = at;
        moving[n_moving] = m;
        n_moving += !propagation_.is_leaf(at);
      }
  }

  void propagate_codes(std::span<MovingRow> rows, const KnownRows& known) {
    std::uint32_t moving[in_flight];
    std::uint32_t n_moving = 0;
    const auto note_position = [&](std::uint32_t i) {
      propagation_.prefetch(rows[i].at, rows[i].row->row, known.codes);
      moving[n_moving] = i;
      n_moving += !propagation_.is_leaf(rows[i].at);
    };
    for (std::uint32_t i = 0; i < rows.size(); ++i) note_position(i);
    while (n_moving > 0)
      for (std::uint32_t i = 0, n = std::exchange(n_moving, 0); i < n; ++i) {
        MovingRow& row = rows[moving[i]];
        row.at = propagation_.next_node(row.at, row.row->row, known.codes);
        note_position(moving[i]);
      }
  }

  // Counts a row at a leaf, in addition to the rows of the leaf.
  void count_at(std::uint32_t leaf, std::uint32_t class_index, double weight) {
    if (slot_of_[leaf] == none) {
      slot_of_[leaf] = static_cast<std::uint32_t>(changed_.size());
      changed_.push_back(leaf);
      // An empty leaf holds a copy of the weights of its parent.
      if (draft_.nodes[leaf].weight > 0.0)
        counts_.insert(counts_.end(), draft_.weights_of(leaf).begin(), draft_.weights_of(leaf).end());
      else
        counts_.resize(counts_.size() + draft_.n_classes, 0.0);
    }
    counts_[std::size_t{slot_of_[leaf]} * draft_.n_classes + class_index] += weight;
  }

  const graph::Draft& draft_;
  const RowPropagation& propagation_;
  const LeafErrors& leaf_errors_;
  const KnownRows& all_rows_;
  const std::vector<bool>& columns_;
  std::vector<Row> others_;  // rows that are sent
  // Per 64 rows: which of them are to be sent. Of many rows, those that lie close together are sent together.
  std::vector<std::uint64_t> marked_;
  std::uint32_t first_marked_ = 0;  // no row has a mark before this element
  std::unique_ptr<KnownRows> copied_;
  MovingRow moving_[in_flight];
  std::vector<std::uint32_t> slot_of_;  // per node: its index in changed_, or none
  std::vector<std::uint32_t> changed_;
  std::vector<double> counts_;
};

}  // namespace weaklearn::tree
