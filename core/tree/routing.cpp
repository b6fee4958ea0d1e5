#include "tree/routing.hpp"

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace weaklearn::tree {
namespace {

template <class T>
void append(std::vector<std::byte>& bytes, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::uint64_t size = values.size();
  const std::size_t start = bytes.size();
  bytes.resize(start + sizeof size + size * sizeof(T));
  std::memcpy(bytes.data() + start, &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + start + sizeof size, values.data(), size * sizeof(T));
}

[[noreturn]] void refuse() { throw std::invalid_argument("the splits of the tree are damaged"); }

template <class T>
std::vector<T> take(std::span<const std::byte>& bytes) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) refuse();
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes = bytes.subspan(sizeof size);
  if (size > bytes.size() / sizeof(T)) refuse();
  std::vector<T> values(size);
  if (size > 0) std::memcpy(values.data(), bytes.data(), size * sizeof(T));
  bytes = bytes.subspan(size * sizeof(T));
  return values;
}

}  // namespace

Routing::Routing(const graph::Draft& draft, const std::vector<std::vector<double>>& shares) {
  nodes_.reserve(draft.nodes.size());
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    const graph::Draft::Node& from = draft.nodes[i];
    Node node;
    if (!from.children.empty()) {
      node.kind = from.split;
      node.column = static_cast<std::uint32_t>(from.column);
      node.cut = from.cut;
      node.first_child = from.children.front();
      node.n_children = static_cast<std::uint32_t>(from.children.size());
      node.branch_of_missing = from.branch_of_missing();
      node.first_value = static_cast<std::uint32_t>(value_branch_.size());
      node.n_values = static_cast<std::uint32_t>(from.value_branch.size());
      value_branch_.insert(value_branch_.end(), from.value_branch.begin(), from.value_branch.end());
    }
    nodes_.push_back(node);
    if (node.n_children > 0 && i < shares.size()) set_shares(static_cast<std::uint32_t>(i), shares[i]);
  }
}

std::uint32_t Routing::add_copy(std::uint32_t subtree) {
  const auto root = static_cast<std::uint32_t>(nodes_.size());
  std::uint32_t next_child = root + 1;
  for (const std::uint32_t node : nodes_below(*this, subtree)) {
    Node copy = nodes_[node];
    copy.first_child = next_child;
    copy.n_shares = 0;
    next_child += copy.n_children;
    nodes_.push_back(copy);
  }
  return root;
}

void Routing::set_shares(std::uint32_t node, std::span<const double> shares) {
  nodes_[node].first_share = static_cast<std::uint32_t>(shares_.size());
  nodes_[node].n_shares = static_cast<std::uint32_t>(shares.size());
  shares_.insert(shares_.end(), shares.begin(), shares.end());
}

Routing::Routing(std::span<const std::byte> bytes) {
  nodes_ = take<Node>(bytes);
  value_branch_ = take<std::int32_t>(bytes);
  shares_ = take<double>(bytes);
  if (!bytes.empty() || nodes_.empty()) refuse();
}

std::vector<std::byte> Routing::to_bytes() const {
  std::vector<std::byte> bytes;
  append(bytes, nodes_);
  append(bytes, value_branch_);
  append(bytes, shares_);
  return bytes;
}

void Routing::check(std::span<const std::uint32_t> n_codes) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.n_children == 0) continue;
    const bool in_range = node.column < n_codes.size() && node.first_child > i && node.n_children <= nodes_.size() &&
                          node.first_child <= nodes_.size() - node.n_children &&
                          node.branch_of_missing <= node.n_children &&
                          std::uint64_t{node.first_value} + node.n_values <= value_branch_.size() &&
                          std::uint64_t{node.first_share} + node.n_shares <= shares_.size() &&
                          (node.n_shares == 0 || node.n_shares == node.n_children);
    if (!in_range) refuse();
    const std::uint32_t n_values = n_codes[node.column];
    if (node.kind == graph::SplitKind::threshold) {
      if (node.n_children != 2) refuse();
    } else if (node.kind == graph::SplitKind::multiway) {
      if (node.n_children < n_values) refuse();
    } else if (node.kind == graph::SplitKind::subset) {
      if (node.n_values != n_values) refuse();
      for (std::uint32_t v = 0; v < n_values; ++v)
        if (value_branch_[node.first_value + v] >= static_cast<std::int32_t>(node.n_children)) refuse();
    } else {
      refuse();
    }
  }
}

std::vector<std::uint32_t> nodes_below(const Routing& tree, std::uint32_t subtree) {
  std::vector<std::uint32_t> nodes{subtree};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::uint32_t b = 0; b < tree.n_children(nodes[i]); ++b) nodes.push_back(tree.child(nodes[i], b));
  return nodes;
}

}  // namespace weaklearn::tree
