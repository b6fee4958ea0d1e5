// How a forest predicts many rows: all splits are evaluated for a block of rows at once, with one bit per row.
//
// Terms:
//   condition  a set of rows of the block: a value is above a threshold, is a certain nominal value, is missing, or is
//              one of several nominal values. Splits of all members with the same condition share it
//   rank       how many of the thresholds that the forest has for a column are below a value
//   step       a split in two by a condition (row_sets.hpp). A split with n branches is n - 1 steps in a row, or n if
//              some rows take no branch
//
// A row that takes several branches, because its value is missing, stops at the split. The forest mixes its leaves.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "graph/forest.hpp"
#include "graph/row_sets.hpp"

namespace weaklearn::graph {

class Forest::Bitwise {
 public:
  // Returns null if rows go down the nodes of this forest faster one by one, or if its members are not trees with
  // splits on single columns.
  static std::unique_ptr<const Bitwise> make(const Forest& forest);

  std::size_t nbytes() const;

  // A block of fewer rows takes less time one by one.
  std::uint32_t fewest_rows() const { return fewest_rows_; }

  // Evaluates all conditions for the rows of a block.
  void load(std::span<const InputColumn> columns, Block& block) const;

  // Whether rows of a loaded block may stop at a split: where a value is missing, or is in no subset.
  bool may_stop(const Block& block) const { return stops_known_ || (stops_missing_ && !block.all_known); }

  // Sets block.leaf_of as Forest::find_leaves() does.
  void find_leaves(std::uint32_t member, Block& block) const;

  // Writes the class that a member predicts for each row, or n_classes where the row stopped at a split, to an array of
  // rows_per_set entries. Needs has_labels().
  bool has_labels() const { return forest_.n_classes_ < 256; }
  void find_labels(std::uint32_t member, Block& block, std::uint8_t* labels) const;

  // Adds a member's class shares, times its vote, to the scores of each row that does not stop at a split, and
  // sets block.leaf_of if rows may stop. The vote must be finite.
  void add_shares(std::uint32_t member, double vote, Block& block, double* scores) const;

 private:
  // A column that some split uses. Its conditions are in this order. Continuous: nothing (rank 0), the value is above
  // the first threshold, above the second, ...; missing. Nominal: one per value; missing.
  struct UsedColumn {
    std::uint32_t column = 0;
    std::uint32_t first_condition = 0;
    std::uint32_t first_threshold = 0;
    std::uint32_t n_thresholds = 0;
    std::uint32_t n_codes = 0;  // ranks or values

    std::uint32_t missing() const { return first_condition + n_codes; }
  };
  // The condition that a value is one of several: the union of the conditions parts_[first_part .. first_part +
  // n_parts).
  struct Union {
    std::uint32_t first_part = 0;
    std::uint32_t n_parts = 0;
  };
  // The ends of a member are its leaves, sorted by the class that they predict, places for rows that take no branch,
  // and a place for rows that stop because a value is missing.
  struct Member {
    std::size_t first_step = 0;
    std::size_t first_end = 0;
    std::size_t first_group = 0;
    std::uint32_t n_steps = 0;
    std::uint32_t n_ends = 0;
    std::uint32_t n_groups = 0;
    std::uint32_t n_waiting = 0;  // places for rows that wait for their step; the ends follow
  };
  // A branch of a split: rows that satisfy the condition, and that of no branch before, go to the child.
  struct Branch {
    std::uint32_t condition = 0;
    std::uint32_t child = 0;
  };
  // Rows that take none of the branches go to `rest`. Rows that satisfy `missing` stop.
  struct Split {
    std::size_t first_branch = 0;
    std::uint32_t n_branches = 0;
    std::uint32_t rest = 0;
    std::uint32_t missing = 0;
  };
  struct ClassShare {
    double share = 0.0;
    std::int32_t label = 0;
  };
  // The class shares of a leaf. The first two are here, also if they are 0, and the others in more_shares_.
  struct Shares {
    ClassShare first[2];
    std::uint32_t first_more = 0;
    std::uint32_t n_more = 0;
  };

  explicit Bitwise(const Forest& forest) : forest_(forest) {}
  static bool are_trees(const Forest& forest);
  void add_columns();
  void set_fewest_rows();
  bool add_member(std::uint32_t root);
  Split split_at(std::uint32_t node);
  std::uint32_t shares_at(std::uint32_t leaf);
  std::uint32_t condition_of(std::vector<std::uint32_t> parts);

  bool find_codes(const UsedColumn& used, const InputColumn& column, const Block& block, std::uint32_t* codes) const;
  bool find_codes_of_encoded(const UsedColumn& used, const data::Column& column, const Block& block,
                             std::uint32_t* codes) const;
  RowSet* find_ends(const Member& member, Block& block) const;

  const Forest& forest_;
  bool stops_missing_ = false;
  bool stops_known_ = false;
  std::vector<UsedColumn> columns_;
  std::vector<std::uint32_t> used_;  // per column of the forest: its index in columns_
  std::vector<double> thresholds_;
  std::vector<Union> unions_;
  std::vector<std::uint32_t> parts_;
  std::size_t n_conditions_ = 1;  // without unions; the first is never satisfied
  std::vector<Member> members_;
  std::vector<SetStep> steps_;
  std::vector<std::uint32_t> missing_;  // per step: condition of the rows that stop
  std::vector<std::uint32_t> ends_;  // per end: the leaf, or the step after all nodes
  std::vector<LabelledSets> groups_;  // ends with the same label; n_classes where rows stop
  std::vector<std::uint32_t> shares_of_end_;
  std::vector<Shares> shares_ = std::vector<Shares>(1);  // the first is for ends that are not leaves
  std::vector<ClassShare> more_shares_;
  std::uint32_t fewest_rows_ = UINT32_MAX;
  // While members are added:
  std::map<std::int32_t, std::uint32_t> pure_;  // shares of leaves with a single class
  std::map<std::vector<std::uint32_t>, std::uint32_t> union_of_;
  std::vector<Branch> branches_;
};

}  // namespace weaklearn::graph
