// Prunes a tree by the rules of C4.5 Release 8: a subtree is replaced by a leaf or by its largest branch if the
// pessimistic estimate of its errors does not rise.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/draft.hpp"
#include "release8/pessimistic_errors.hpp"
#include "release8/training_set.hpp"
#include "release8/weighted_rows.hpp"

namespace weaklearn::release8 {

class Pruner {
 public:
  // `rows` must be in the order that growing left, with their weights reset.
  Pruner(const TrainingSet& set, WeightedRows& rows, float confidence_percent, graph::Draft& draft);

  void prune() { prune(0, rows_.all()); }

 private:
  struct Leaf {  // a node as a leaf; its class weights are in counts_
    float weight = 0.0F;
    std::int32_t label = 0;
    float estimate = 0.0F;
  };
  struct Branches {
    float estimate = 0.0F;  // sum over the branches
    std::uint32_t largest = 0;
  };
  using Estimate = float (Pruner::*)(std::uint32_t node, Range range);

  // Both return the estimated errors of the subtree on these rows, move rows and let weights drift. prune() also
  // changes the subtree.
  float prune(std::uint32_t node, Range range);
  float estimate(std::uint32_t node, Range range);

  Leaf as_leaf(std::uint32_t node, Range range);
  void overwrite(std::uint32_t node, const Leaf& leaf);
  Branches sum_branches(std::uint32_t node, Range range, Estimate estimate_branch);
  void raise(std::uint32_t node, std::uint32_t child);

  WeightedRows& rows_;
  PessimisticErrors extra_errors_;
  graph::Draft& draft_;
  std::vector<float> counts_;  // scratch memory: per class
};

}  // namespace weaklearn::release8
