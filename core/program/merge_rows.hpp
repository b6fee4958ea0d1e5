// Nodes that become one: their rows, and per column of many values the rows in order, in one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel/thread_pool.hpp"
#include "tree/node_tasks.hpp"

namespace weaklearn::program {

using Groups = std::vector<std::vector<std::uint32_t>>;  // numbers of children that become one node

// One task per group, for the node of its first child; where a row comes from several children, its shares
// add up. All go into one new store, so that what is kept of earlier levels can be let go. `columns` are
// those of the lists. Where the training set is not `unit`, nothing is counted in whole rows, here neither.
std::vector<tree::DeferredNode> pooled(const std::vector<tree::DeferredNode>& children, const Groups& groups,
                               const data::Dataset& dataset, bool unit, std::span<const std::uint32_t> columns,
                               parallel::Pool& pool);

}  // namespace weaklearn::program
