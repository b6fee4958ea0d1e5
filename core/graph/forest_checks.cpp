// Checks the arguments of a forest.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "graph/forest.hpp"

namespace weaklearn::graph {

std::span<const Graph* const> Forest::checked(std::span<const Graph* const> members) {
  if (members.empty()) throw std::invalid_argument("a forest needs at least one graph");
  for (const Graph* member : members)
    if (member->n_classes != members[0]->n_classes || member->columns != members[0]->columns)
      throw std::invalid_argument("the graphs differ in their columns or classes");
  return members;
}

void Forest::check(const Votes& votes) const {
  if (votes.votes.size() != n_members()) throw std::invalid_argument("one vote per graph is needed");
}

void Forest::check_classes(std::span<const std::int32_t> classes, std::uint32_t n_rows) const {
  if (classes.size() != n_rows) throw std::invalid_argument("one class per row is needed");
  for (std::size_t i = 0; i < n_rows; ++i)
    if (classes[i] < 0 || static_cast<std::uint32_t>(classes[i]) >= n_classes_)
      throw std::invalid_argument("row " + std::to_string(i) + ": its class does not exist");
}

void Forest::check_single() const {
  if (n_members() != 1)
    throw std::invalid_argument("got a forest of " + std::to_string(n_members()) + " graphs, expected a single graph");
}

}  // namespace weaklearn::graph
