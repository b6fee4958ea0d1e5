// Carries out a split: makes the branches' nodes, decides which will be split further, and divides rows
// and lists among them.
#pragma once

#include <vector>

#include "graph/draft.hpp"
#include "splits/node_view.hpp"
#include "tree/c45_options.hpp"
#include "tree/node_tasks.hpp"
#include "tree/thread_team.hpp"
#include "tree/training_rows.hpp"

namespace weaklearn::tree {

class Divider {
 public:
  Divider(const TrainingSet& training, const C45Options& options, Crew& crew);

  // Fills in weight, label and errors from the class weights; returns whether to look for a split.
  bool describe(graph::Draft& draft, std::uint32_t number, std::uint32_t depth) const;

  // Splits a node; branches that are no leaves go on the stack, the first one on top.
  void divide(const Job& job, const splits::Split& split, std::uint32_t attribute, graph::Draft& draft,
              Worker& worker, std::vector<Job>& stack);

 private:
  struct ListScratch {
    std::vector<data::Entry> entries;
    std::vector<std::uint32_t> starts;
  };

  void route(const Job& job, const graph::Draft::Node& node, Worker& worker) const;
  std::vector<double> share_unknown(graph::Draft& draft, std::uint32_t first, const std::vector<std::uint32_t>& n_rows,
                                    std::span<const double> unknown_weights) const;
  std::vector<data::Part> divide_part(const data::Part& part, const std::vector<std::uint32_t>& bucket_of,
                                      std::uint32_t n_parts, Worker& worker);
  template <class BucketOf>
  void divide_lists(const data::Part& part, std::vector<data::Part>& parts, std::uint32_t n_buckets,
                    const Worker& worker, const BucketOf& bucket_of);

  const TrainingSet& training_;
  const C45Options& options_;
  Crew& crew_;
  std::vector<ListScratch> list_scratch_;  // per thread
};

}  // namespace weaklearn::tree
