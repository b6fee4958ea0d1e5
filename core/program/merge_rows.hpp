// Merges the rows of nodes that become one node, and their sorted lists.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel/thread_pool.hpp"
#include "tree/open_node.hpp"

namespace weaklearn::program {

using Groups = std::vector<std::vector<std::uint32_t>>;  // indices of the children that become one node

// Returns one node per group, with the index of its first child. The shares of a row that comes from several children
// are added. All rows go into one new store, so that the memory of earlier levels is released. `columns` are those that
// have sorted lists. `unit` says whether all training rows weigh 1.
std::vector<tree::DeferredNode> merge_rows(const std::vector<tree::DeferredNode>& children, const Groups& groups,
                                           const data::Dataset& dataset, bool unit,
                                           std::span<const std::uint32_t> columns, parallel::ThreadPool& pool);

}  // namespace weaklearn::program
