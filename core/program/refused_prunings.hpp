// Remembers which splits of a program need not be tried again: those whose pruning was refused and below which nothing
// has changed since.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/draft.hpp"

namespace weaklearn::program {

class RefusedPrunings {
 public:
  explicit RefusedPrunings(const graph::Draft& draft)
      : draft_(draft),
        changed_at_(draft.nodes.size(), 0),
        refused_at_(draft.nodes.size(), 0),
        latest_(draft.nodes.size(), 0) {}

  // The node has other rows, or has become a leaf.
  void note_change(std::uint32_t node) {
    changed_at_[node] = now_;
    swept_ = static_cast<std::uint32_t>(latest_.size());
  }
  void note_refusal(std::uint32_t node) { refused_at_[node] = now_++; }

  // Whether pruning the node was refused and nothing has changed below it since. Nodes come before their children, so
  // one sweep upwards finds the latest change below each node.
  bool is_refused(std::uint32_t node) {
    if (refused_at_[node] == 0) return false;
    while (swept_ > node) {
      --swept_;
      latest_[swept_] = changed_at_[swept_];
      for (const std::uint32_t branch : draft_.nodes[swept_].children)
        latest_[swept_] = std::max(latest_[swept_], latest_[branch]);
    }
    return latest_[node] <= refused_at_[node];
  }

 private:
  const graph::Draft& draft_;
  std::uint64_t now_ = 1;
  std::vector<std::uint64_t> changed_at_;  // per node; 0 for never
  std::vector<std::uint64_t> refused_at_;
  std::vector<std::uint64_t> latest_;  // the latest change at a node or below it; up to date from swept_ on
  std::uint32_t swept_ = static_cast<std::uint32_t>(latest_.size());
};

}  // namespace weaklearn::program
