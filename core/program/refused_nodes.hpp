// Which tests of a program need not be tried again: those below which nothing has changed since they were refused.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/draft.hpp"

namespace weaklearn::program {

class RefusedNodes {
 public:
  explicit RefusedNodes(const graph::Draft& draft)
      : draft_(draft),
        changed_at_(draft.nodes.size(), 0),
        refused_at_(draft.nodes.size(), 0),
        latest_(draft.nodes.size(), 0) {}

  // The node has other rows, or is a leaf from now on.
  void note_change(std::uint32_t node) {
    changed_at_[node] = now_;
    swept_ = static_cast<std::uint32_t>(latest_.size());
  }
  void note_refusal(std::uint32_t test) { refused_at_[test] = now_++; }

  // Nodes come before their branches: one sweep upwards tells what has changed last below each.
  bool stands(std::uint32_t test) {
    if (refused_at_[test] == 0) return false;
    while (swept_ > test) {
      --swept_;
      latest_[swept_] = changed_at_[swept_];
      for (const std::uint32_t branch : draft_.nodes[swept_].children)
        latest_[swept_] = std::max(latest_[swept_], latest_[branch]);
    }
    return latest_[test] <= refused_at_[test];
  }

 private:
  const graph::Draft& draft_;
  std::uint64_t now_ = 1;
  std::vector<std::uint64_t> changed_at_;  // per node, and 0 for never
  std::vector<std::uint64_t> refused_at_;
  std::vector<std::uint64_t> latest_;      // change of a node or below it; right from swept_ on
  std::uint32_t swept_ = static_cast<std::uint32_t>(latest_.size());
};

}  // namespace weaklearn::program
