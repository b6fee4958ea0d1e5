// The best test on one attribute at one node, by the rules of C4.5 Release 8.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"
#include "release8/c45_release8.hpp"
#include "release8/frequency_table.hpp"
#include "release8/information.hpp"
#include "release8/quicksort.hpp"
#include "release8/training_set.hpp"
#include "release8/weighted_rows.hpp"

namespace weaklearn::release8 {

struct Candidate {
  graph::SplitKind test = graph::SplitKind::leaf;
  float gain = unusable;
  float split_info = 0.0F;
  std::uint32_t n_branches = 0;
  float threshold = 0.0F;                  // threshold only
  std::vector<std::int32_t> value_branch;  // subset only
};

class Evaluator {
 public:
  Evaluator(const TrainingSet& set, Items& items, const Release8Options& options);

  bool subset_tested(const Attribute& attribute) const {
    return options_.subset && attribute.nominal && attribute.n_values > 2;
  }

  // `weight` is that of the range when the node was made. A continuous attribute reorders the items
  // of the range, whether or not it is chosen in the end.
  Candidate evaluate(std::uint32_t attribute, Range range, float weight);

  // The quantity by which tests compete; `unusable` if the test falls short of `average_gain`.
  float worth(float gain, float split_info, float average_gain) const;

  // Not quite a constant of the run: see Evaluator::subset.
  float min_objects() const { return min_objects_; }

 private:
  struct Cut {
    float low = 0.0F;       // the values between which
    float high = 0.0F;      // the cut lies
    float gain = unusable;  // not penalised
    float split_info = 0.0F;
  };

  Candidate discrete(const Attribute& attribute, Range range, float weight);
  Candidate subset(const Attribute& attribute, Range range, float weight);
  Candidate continuous(std::uint32_t attribute, Range range);

  void tabulate(const Attribute& attribute, Range range);
  Base continuous_base(std::uint32_t attribute, Range range);
  void try_cuts(const Base& base);
  float smallest_side(float known) const;

  const TrainingSet& set_;
  Items& items_;
  Release8Options options_;
  Information information_;
  float min_objects_;

  // Scratch memory, kept between calls.
  Table table_;
  std::vector<SortItem> sorted_;
  std::vector<Cut> cuts_;
};

}  // namespace weaklearn::release8
