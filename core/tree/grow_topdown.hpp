// TopDown (Dietterich, Kearns and Mansour). Of all leaves and their best splits, it splits the leaf that lowers the
// weighted impurity of the leaves (the index of the papers) most. Ties, up to criteria::impurity_noise, go to the leaf
// that was made first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "criteria/class_factors.hpp"
#include "criteria/registry.hpp"
#include "data/dataset.hpp"
#include "data/weight_view.hpp"
#include "graph/draft.hpp"
#include "tree/counted_rows.hpp"

namespace weaklearn::tree {

struct TopDownOptions {
  criteria::CriterionName criterion{"km", {}};
  std::uint64_t n_rounds = UINT64_MAX;  // most splits
  std::uint32_t max_depth = UINT32_MAX;
  double min_objects = 1.0;
  bool two_groups = false;  // nominal values in two groups, not each in a branch of its own
  bool missing_takes_branch = false;  // see SplitSearchOptions
  std::uint32_t max_features = UINT32_MAX;  // columns to evaluate at a node; see draw_columns.hpp
  std::uint64_t seed = 0;                   // of the draws
  std::uint32_t n_threads = 1;
  criteria::ClassFactors classes = {};  // contained in the weights of the rows already
  // Set if the rows are counted elsewhere. The dataset then only describes the columns, and weights are left out.
  CountedRows* counted = nullptr;
};

// Where the leaf of each row is written, as the index of a node or -1. An index takes one byte if no tree of these
// options has more nodes than that (`leaves_fit_in_bytes`), and -1 is the byte 255 then.
class LeafOfRow {
 public:
  LeafOfRow() = default;
  LeafOfRow(std::span<std::int32_t> leaves) : wide_(leaves) {}
  LeafOfRow(std::span<std::uint8_t> leaves) : narrow_(leaves) {}

  bool empty() const { return size() == 0; }
  std::size_t size() const { return wide_.size() + narrow_.size(); }
  bool is_narrow() const { return !narrow_.empty(); }
  std::int32_t operator[](std::size_t row) const {
    if (!is_narrow()) return wide_[row];
    return narrow_[row] == UINT8_MAX ? -1 : narrow_[row];
  }
  void set(std::size_t row, std::int32_t leaf) const {
    if (is_narrow())
      narrow_[row] = static_cast<std::uint8_t>(leaf);
    else
      wide_[row] = leaf;
  }
  void fill(std::int32_t leaf) const {
    std::ranges::fill(wide_, leaf);
    std::ranges::fill(narrow_, static_cast<std::uint8_t>(leaf));
  }

 private:
  std::span<std::int32_t> wide_;
  std::span<std::uint8_t> narrow_;
};

// Returns whether the indices of all nodes that a draft may have while it grows are below 255.
bool leaves_fit_in_bytes(const data::Dataset& dataset, std::uint64_t n_rounds, bool two_groups);

// Without weights every row weighs 1. Returns the tree after at most `n_rounds` splits. The split of a leaf does not
// depend on the order of growing: without a limit the result is the tree that grows depth first.
//
// `leaf_of`, if not empty, becomes the node of the draft in which each row ends. All are -1 where that is not known: if
// some value is missing, if some row has weight 0, or if there is no limit.
graph::Draft grow_topdown(const data::Dataset& dataset, data::WeightView weights, const TopDownOptions& options,
                          LeafOfRow leaf_of = {});

}  // namespace weaklearn::tree
