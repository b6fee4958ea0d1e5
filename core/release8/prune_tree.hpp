// Pruning by C4.5 Release 8: pessimistic estimates, replacement by a leaf or by the largest branch.
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
  // `items` come in the order that growing left, with their weights reset.
  Pruner(const TrainingSet& set, Items& items, float confidence_percent, graph::Draft& draft);

  void prune() { prune(0, items_.all()); }

 private:
  struct Leaf {  // what the node would be as a leaf; its class weights are in counts_
    float weight = 0.0F;
    std::int32_t label = 0;
    float estimate = 0.0F;
  };
  struct Branches {
    float estimate = 0.0F;  // sum of theirs
    std::uint32_t largest = 0;
  };
  using Estimate = float (Pruner::*)(std::uint32_t node, Range range);

  // Both give the estimated errors of the subtree on these items; the first also changes it. Both
  // move items and let weights drift.
  float prune(std::uint32_t node, Range range);
  float estimate(std::uint32_t node, Range range);

  Leaf as_leaf(std::uint32_t node, Range range);
  void overwrite(std::uint32_t node, const Leaf& leaf);
  Branches sum_branches(std::uint32_t node, Range range, Estimate estimate_branch);
  void raise(std::uint32_t node, std::uint32_t child);

  Items& items_;
  ExtraErrorsRelease8 extra_errors_;
  graph::Draft& draft_;
  std::vector<float> counts_;  // scratch: per class
};

// After pruning with subset tests: values that cannot reach a node any more leave the last branch
// of its test, and with the last of them the branch goes.
void drop_impossible_values(const TrainingSet& set, graph::Draft& draft);

}  // namespace weaklearn::release8
