// Grows a tree by the rules of C4.5 Release 8, and collapses useless subtrees while it grows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/draft.hpp"
#include "release8/evaluate_splits.hpp"
#include "release8/training_set.hpp"
#include "release8/weighted_rows.hpp"

namespace weaklearn::release8 {

class Grower {
 public:
  Grower(const TrainingSet& set, WeightedRows& rows, const Options& options);

  // Grows the tree. Pruning starts from the order of rows that this leaves.
  graph::Draft grow();

 private:
  struct Choice {
    std::uint32_t column = 0;
    SplitCandidate split;
  };

  std::uint32_t grow_node(Range range, std::uint32_t depth);
  std::uint32_t add_node(Range range);
  std::uint32_t add_empty_leaf(std::uint32_t parent);
  std::optional<Choice> choose(Range range, float weight);
  std::vector<SplitCandidate> evaluate_all(Range range, float weight);
  float average_gain(const std::vector<SplitCandidate>& candidates) const;
  bool has_many_values(const Column& column) const;
  void split(std::uint32_t node, const Choice& choice, Range range, std::uint32_t depth);
  void grow_branches(std::uint32_t node, const Choice& choice, Range range, std::uint32_t depth);
  void collapse_if_useless(std::uint32_t node, float leaf_errors);

  const TrainingSet& set_;
  WeightedRows& rows_;
  std::uint32_t max_depth_;
  SplitEvaluator evaluator_;
  bool all_enter_average_;
  std::vector<bool> used_;     // per column: whether a multiway split above uses it
  std::vector<float> counts_;  // scratch memory: per class
  graph::Draft draft_;
};

}  // namespace weaklearn::release8
