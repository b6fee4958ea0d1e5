#pragma once

namespace weaklearn::fit {

// Pruning by pessimistic errors, for every learner that has it.
struct PruningOptions {
  bool prune = true;
  double confidence = 0.25;  // a share in (0, 1]
};

}  // namespace weaklearn::fit
