// The best split of one column at one node, by the rules of C4.5 Release 8.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"
#include "release8/c45_release8.hpp"
#include "release8/gain.hpp"
#include "release8/information.hpp"
#include "release8/outcome_table.hpp"
#include "release8/quicksort.hpp"
#include "release8/radix_sort.hpp"
#include "release8/training_set.hpp"
#include "release8/weighted_rows.hpp"

namespace weaklearn::release8 {

struct SplitCandidate {
  graph::SplitKind kind = graph::SplitKind::leaf;
  float gain = unusable;
  float split_info = 0.0F;
  std::uint32_t n_branches = 0;
  float threshold = 0.0F;                  // threshold only
  std::vector<std::int32_t> value_branch;  // subset only
};

class SplitEvaluator {
 public:
  SplitEvaluator(const TrainingSet& set, WeightedRows& rows, const Options& options);

  bool uses_subsets(const Column& column) const { return options_.subset && column.nominal && column.n_values > 2; }

  // `weight` is the weight of the range when the node was made. A continuous column changes the order of the rows of
  // the range, even if it is not chosen in the end.
  SplitCandidate evaluate(std::uint32_t column_index, Range range, float weight);

  // Returns the score of a split, or `unusable` if its gain is too far below `average_gain`.
  float score(float gain, float split_info, float average_gain) const;

  // This is not constant during a run: see SplitEvaluator::subset.
  float min_objects() const { return min_objects_; }

 private:
  struct Cut {
    float low = 0.0F;       // the value below the cut
    float high = 0.0F;      // the value above the cut
    float gain = unusable;  // before the penalty
    float split_info = 0.0F;
  };

  SplitCandidate discrete(const Column& column, Range range, float weight);
  SplitCandidate subset(const Column& column, Range range, float weight);
  SplitCandidate continuous(std::uint32_t column_index, Range range);

  void tabulate(const Column& column, Range range);
  GainBase continuous_base(std::uint32_t column_index, Range range);
  void sort_by_original(const Column& column, Range known);
  void sort_by_counting(const Column& column, Range known);
  void sort_by_keys(const Column& column, Range known);
  void try_cuts(const GainBase& base);
  float smallest_side(float known) const;

  const TrainingSet& set_;
  WeightedRows& rows_;
  Options options_;
  Information information_;
  float min_objects_;

  // Scratch memory, kept between calls.
  OutcomeTable table_;
  std::vector<SortedRow> sorted_;
  std::vector<float> counts_;  // weights by rank and class
  std::vector<RowKey> keys_;   // rank and class of a row
  std::vector<RowKey> other_keys_;
  std::vector<Cut> cuts_;
};

}  // namespace weaklearn::release8
