// Carries out a split: makes the children in the draft, decides which of them may be split further, and partitions the
// rows and the sorted lists of the node.
#pragma once

#include <span>
#include <vector>

#include "graph/draft.hpp"
#include "splits/node_view.hpp"
#include "tree/open_node.hpp"
#include "tree/options.hpp"
#include "tree/thread_team.hpp"
#include "tree/training_rows.hpp"
#include "tree/worker.hpp"

namespace weaklearn::tree {

class NodePartitioner {
 public:
  NodePartitioner(const TrainingRows& training, const GrowthLimits& limits, ThreadTeam& team);

  // Fills in weight, label and errors from the class weights. Returns whether the node may be split.
  bool describe(graph::Draft& draft, std::uint32_t index, std::uint32_t depth) const;

  // Splits a node. The children that may be split further are appended to `children`, the first child last.
  void partition(const OpenNode& open, const splits::Split& split, std::uint32_t column, graph::Draft& draft,
                 Worker& worker, std::vector<OpenNode>& children);

  // The steps of partition(), for growers that choose splits before they make them.
  // Adds the children to the draft.
  void make_children(const OpenNode& open, const splits::Split& split, std::uint32_t column, graph::Draft& draft,
                     const Worker& worker) const;
  // Computes the class weights of the children from the rows of the node.
  void weigh_children(const OpenNode& open, graph::Draft& draft, Worker& worker) const;
  // Sets the class weights of the children of a threshold split at which no value is missing. `below` is the weight of
  // each class below the cut; sums of weights are exact.
  void weigh_children(const OpenNode& open, std::span<const double> below, graph::Draft& draft) const;
  // Partitions the rows of the node, right after its children were weighed from its rows.
  void send_rows(const OpenNode& open, const graph::Draft& draft, Worker& worker, std::vector<OpenNode>& children);

 private:
  struct ListScratch {
    data::ScratchMemory<data::Entry> entries;
    std::vector<std::uint32_t> starts;
  };

  void find_branches(const OpenNode& open, const graph::Draft::Node& node, Worker& worker) const;
  static void add_up_branches(const graph::Draft::Node& node, Worker& worker);
  void share_missing(const OpenNode& open, graph::Draft& draft, std::uint32_t first, Worker& worker) const;
  void add_rounded_shares(const OpenNode& open, std::span<const double> shares, graph::Draft& draft,
                          std::uint32_t first, const Worker& worker) const;
  std::vector<data::NodeRows> partition_rows(const data::NodeRows& node_rows,
                                             const std::vector<std::uint32_t>& bucket_of, std::uint32_t n_kept,
                                             Worker& worker);
  template <class BucketOf>
  void partition_lists(const data::NodeRows& node_rows, std::vector<data::NodeRows>& kept, std::uint32_t n_buckets,
                       const Worker& worker, const BucketOf& bucket_of);

  const TrainingRows& training_;
  const GrowthLimits limits_;
  ThreadTeam& team_;
  std::vector<ListScratch> list_scratch_;  // per thread
};

}  // namespace weaklearn::tree
