// The splits of a tree in a form that can be sent to other processes: what a row needs to find its way down.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/draft.hpp"

namespace weaklearn::tree {

// One element per node, in the order of a draft. The children of a node have consecutive indices.
class Routing {
 public:
  // `shares[node]` has the share of rows of missing value that takes each branch. It is empty for nodes that no such
  // row has met. There may be fewer elements than nodes.
  Routing(const graph::Draft& draft, const std::vector<std::vector<double>>& shares);

  // Throws std::invalid_argument for bytes that to_bytes() did not make.
  explicit Routing(std::span<const std::byte> bytes);
  std::vector<std::byte> to_bytes() const;

  // Adds a copy of a subtree without shares, and returns its root. The nodes of the copy are in the order of
  // nodes_below().
  std::uint32_t add_copy(std::uint32_t subtree);
  // Gives a node without shares the share of rows of missing value that takes each branch.
  void set_shares(std::uint32_t node, std::span<const double> shares);

  std::size_t size() const { return nodes_.size(); }
  bool is_leaf(std::uint32_t node) const { return nodes_[node].n_children == 0; }
  std::uint32_t column(std::uint32_t node) const { return nodes_[node].column; }
  std::uint32_t n_children(std::uint32_t node) const { return nodes_[node].n_children; }
  std::uint32_t child(std::uint32_t node, std::uint32_t branch) const { return nodes_[node].first_child + branch; }
  bool has_shares(std::uint32_t node) const { return nodes_[node].n_shares > 0; }
  // Returns the share of a row of missing value that takes a branch.
  double share(std::uint32_t node, std::uint32_t branch) const { return shares_[nodes_[node].first_share + branch]; }

  // Returns the branch that a code takes, or the number of branches if it goes down all of them in shares.
  std::uint32_t branch_of(std::uint32_t node, std::uint32_t code, std::uint32_t n_codes) const {
    const Node& here = nodes_[node];
    if (code == n_codes) return here.branch_of_missing;
    if (here.kind == graph::SplitKind::threshold) return code > here.cut;
    if (here.kind != graph::SplitKind::subset) return code;
    const std::int32_t branch = value_branch_[here.first_value + code];
    return branch < 0 ? here.branch_of_missing : static_cast<std::uint32_t>(branch);
  }

  // Throws std::invalid_argument unless the splits fit columns with these numbers of codes.
  void check(std::span<const std::uint32_t> n_codes) const;

 private:
  struct Node {
    graph::SplitKind kind = graph::SplitKind::leaf;
    std::uint32_t column = 0;
    std::uint32_t cut = 0;
    std::uint32_t first_child = 0;
    std::uint32_t n_children = 0;
    std::uint32_t branch_of_missing = 0;
    std::uint32_t first_value = 0;
    std::uint32_t n_values = 0;
    std::uint32_t first_share = 0;
    std::uint32_t n_shares = 0;
  };

  std::vector<Node> nodes_;
  std::vector<std::int32_t> value_branch_;
  std::vector<double> shares_;
};

// Returns the nodes of a subtree, level by level.
std::vector<std::uint32_t> nodes_below(const Routing& tree, std::uint32_t subtree);

}  // namespace weaklearn::tree
