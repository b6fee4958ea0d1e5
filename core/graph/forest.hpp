// Prediction. A Forest holds the nodes of one or many graphs in one array, in a compact layout. Rows go down it a block
// at a time: whole while their values are known, in shares from a split on whose column the value is missing, unless
// the split has a missing branch.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "data/numbers.hpp"
#include "graph/compact_graphs.hpp"
#include "graph/graph.hpp"
#include "graph/row_sets.hpp"

namespace weaklearn::graph {

// One column of the rows to predict: numbers (NaN is missing), codes (missing unless in [0, n_values)), or a column of
// the dataset that the graphs were fitted to, of which no other form may be in memory.
struct InputColumn {
  data::Numbers numbers;
  const std::int32_t* codes = nullptr;
  const data::Column* encoded = nullptr;
};

// The rows to predict, one entry of `columns` per column of the graphs, and how many threads to use.
struct InputRows {
  std::span<const InputColumn> columns;
  std::uint32_t n_rows = 0;
  std::uint32_t n_threads = 1;
  std::span<const std::uint32_t> chosen = {};  // n_rows rows of longer columns; empty for the first n_rows of them

  std::uint32_t place(std::uint32_t i) const { return chosen.empty() ? i : chosen[i]; }
};

// What a member gives its vote to: the class that it predicts; this class, times its confidence in the prediction; or
// every class, in proportion to the member's class shares.
enum class VoteForm : std::uint8_t { label, confidence, shares };

// The vote of each member, and its form.
struct Votes {
  std::span<const double> votes;
  VoteForm form = VoteForm::label;
};

// Returns the class with most votes of each row. Ties go to the first in `priority`, which lists all classes. `scores`
// has one number per row and class. Throws std::invalid_argument if the priority does not suit it.
std::vector<std::int32_t> winners(std::span<const double> scores, std::span<const std::uint32_t> priority);

// The nodes that rows visit, as a sparse matrix in CSR form: row i visits nodes[row_start[i] .. row_start[i + 1]), in
// ascending order, with these shares of the row. Nodes are counted through all members.
struct Paths {
  std::vector<std::int64_t> row_start;
  std::vector<std::int32_t> nodes;
  std::vector<double> shares;
};

class Forest {
 public:
  // Each graph must be valid (Graph::problem() is empty). Like the functions below, this throws std::invalid_argument
  // for a bad argument: no graph, or graphs that differ in their columns or classes.
  explicit Forest(std::span<const Graph* const> members);
  // Makes the forest of graphs in compact form, which need not be in memory at the same time. Throws
  // std::invalid_argument if the form does not describe valid graphs.
  Forest(const CompactView& form, std::uint32_t n_classes, const std::vector<ColumnType>& columns);
  ~Forest();

  std::uint32_t n_members() const { return static_cast<std::uint32_t>(roots_.size()); }
  std::uint32_t n_classes() const { return n_classes_; }
  std::uint32_t n_nodes() const { return static_cast<std::uint32_t>(places_.size()); }
  std::size_t n_branches() const;
  const std::vector<ColumnType>& columns() const { return columns_; }
  bool needs_numbers(std::size_t column) const { return needs_numbers_[column]; }
  std::size_t nbytes() const;

  // Writes n_members x n_rows class indices: the class that each member predicts, as C4.5 does. That is the class of
  // largest weight; ties go to the lowest index. `confidences`, of the same size, may be null: the Laplace ratio
  // (w + 1) / (W + 2) of the weight w of that class in the weight W of the leaf, or of the mixture of several leaves
  // where a value is missing. `shares` may be null too: n_members x n_rows x n_classes class shares, as class_shares()
  // writes them, filled with zeros before. The rows may be chosen ones; all other functions need all rows.
  void predict_members(const InputRows& rows, std::int32_t* classes, double* confidences,
                       double* shares = nullptr) const;

  // Writes n_rows x n_classes sums of votes. `scores` must be filled with zeros.
  void count_votes(const InputRows& rows, const Votes& votes, double* scores) const;

  // Writes the class with most votes of each row. Ties go to the first in `priority`, which lists all classes.
  void predict(const InputRows& rows, const Votes& votes, std::span<const std::uint32_t> priority,
               std::int32_t* classes) const;

  // Writes per row the votes for its class minus the most votes for another class, as a share of all votes.
  void margins(const InputRows& rows, const Votes& votes, std::span<const std::int32_t> classes, double* margins) const;

  // Writes per row and member the leaf that the row reaches, as an index in the member's own graph; n_rows x n_members.
  // Where a value is missing, that is the leaf with the largest share of the row; ties go to the lowest index. -1 where
  // no leaf is reached, since no training row took any branch of a split whose value is missing.
  void apply(const InputRows& rows, std::int32_t* leaves) const;

  // Returns the nodes that each row visits in all members, with the share of the row at each node.
  Paths decision_path(const InputRows& rows) const;

  // The following functions are for a forest of a single graph.

  // Writes n_rows x n_classes shares that sum to one in each row. `shares` must be filled with zeros.
  void class_shares(const InputRows& rows, double* shares) const;

  // Writes per row by how much the sum of the oblique split at the root is above its threshold.
  void excess(const InputRows& rows, double* excess) const;

  // Writes the weight of each class that takes each branch, for rows of these classes and weights: n_classes numbers
  // for each branch of node 0, then of node 1, and so on. `weights_taken` must be filled with zeros. One thread adds up
  // the rows in their order.
  void branch_class_weights(const InputRows& rows, std::span<const std::int32_t> classes,
                            std::span<const double> weights, double* weights_taken) const;

 private:
  // A term of an oblique split. The cuts among its numbers are moved as thresholds are.
  struct CompactTerm {
    TermForm form = TermForm::linear;
    bool single_precision = false;
    std::uint32_t column = 0;
    std::uint32_t n_cuts = 0;
    std::uint32_t first_number = 0;
    double missing = 0.0;
  };
  // The part of a node that a row needs on its way down.
  struct Step {
    // Moved so that doubles can be compared without rounding them to float first. NaN at a leaf.
    double threshold = 0.0;
    // A threshold split has the child of the values above the threshold here; the other child is the next node, or in
    // below_. A leaf has itself here, and other splits have their first place in children_.
    std::uint32_t child = 0;
    std::uint32_t column : 29 = 0;
    std::uint32_t kind : 3 = 0;

    SplitKind split() const { return static_cast<SplitKind>(kind); }
  };
  static_assert(sizeof(Step) == 16);
  struct AtLeaf {
    double confidence = 0.0;
    std::int32_t prediction = 0;
    std::uint32_t first_class = 0;
  };
  struct AtSplit {
    std::int32_t label = 0;
    std::uint32_t first_branch = 0;
    std::int32_t missing_branch = -1;
    std::uint32_t first = 0;  // value of a subset split, term of an oblique split
  };
  // The other part of a node, needed at a leaf, at a split that is not a threshold, or where a value is missing.
  struct Place {
    double weight = 0.0;
    union {
      AtLeaf leaf;
      AtSplit split;
    };
    std::uint32_t n_branches = 0;  // 0: a leaf
    std::uint32_t count : 31 = 0;  // classes of a leaf, terms of an oblique split
    std::uint32_t is_shrunk : 1 = 0;

    Place() : split() {}
    // Class weights of a leaf divided by this are shares. 0: a leaf without training rows, which predicts its label.
    double weight_of_shares() const { return weight > 0.0 || !is_shrunk ? weight : 1.0; }
  };
  static_assert(sizeof(Place) == 32);
  class Bitwise;  // forest_bitwise.hpp
  // Consecutive rows.
  struct Block {
    // Row by row, with all values as doubles: nominal codes too, and missing values as NaN. Where rows are predicted
    // bit by bit, values are loaded when one is missing.
    std::vector<double> values;
    std::size_t width = 1;  // doubles per row
    std::vector<std::uint32_t> leaf_of;  // see find_leaves()
    // The leaves of a few rows in `n_ahead` members from `first_ahead` on, row by row.
    std::vector<std::uint32_t> leaves_ahead;
    std::uint32_t first_ahead = 0;
    std::uint32_t n_ahead = 0;
    std::uint32_t first_row = 0;
    std::uint32_t n_rows = 0;
    bool all_known = true;
    const Bitwise* bitwise = nullptr;  // if not null, it has loaded the rows
    std::vector<RowSet> conditions;  // these are for `bitwise`
    std::vector<RowSet> sets;
    std::vector<std::uint8_t> labels;

    const double* row(std::uint32_t i) const { return values.data() + i * width; }
  };
  // What a member predicts for one row.
  struct Prediction {
    std::int32_t label;
    double confidence;
  };
  // A share of a row that waits to go on from a node.
  struct Share {
    std::uint32_t node;
    std::uint32_t arrival;
    double share;
    // The lowest index on top, and of equal ones the first to arrive: sums are added in a fixed order, as exported
    // models add them.
    bool operator<(const Share& other) const {
      return node != other.node ? node > other.node : arrival > other.arrival;
    }
  };
  // The class weights of several leaves, mixed by the share of a row at each.
  struct Mixture {
    explicit Mixture(std::uint32_t n_classes) : shares(n_classes), weights(n_classes) {}

    std::vector<Share> waiting;  // for propagate()
    std::vector<double> shares;  // the weights of each leaf scaled to sum to one
    std::vector<double> weights;  // unscaled
    double weight = 0.0;
  };
  static double laplace(double of_class, double all) { return (of_class + 1.0) / (all + 2.0); }

  // forest_checks.cpp
  static std::span<const Graph* const> checked(std::span<const Graph* const> members);
  void check(const Votes& votes) const;
  void check_classes(std::span<const std::int32_t> classes, std::uint32_t n_rows) const;
  void check_single() const;

  void add(const Graph& graph);
  static Step leaf_step(std::uint32_t self);
  Place leaf_place(const Graph& graph, const Node& node, std::span<const double> shrunk, Mixture& mixture);
  void add_terms(const Graph& graph);
  void add_branch_weights(const Graph& graph, std::uint32_t first_branch);
  void add_last_step();
  bool are_in_depth_first_order(std::uint32_t root) const;
  std::uint32_t rows_per_block() const;
  void load(const InputRows& rows, Block& block) const;
  void find_leaves(std::uint32_t member, Block& block) const;
  void find_leaves_by_thresholds(std::uint32_t root, Block& block) const;
  void find_leaves_of_few_rows(std::uint32_t member, Block& block) const;
  static constexpr std::uint32_t side_by_side = 8;  // rows that go down together, so that their memory accesses overlap
  template <bool first_child_is_next>
  void go_down(std::uint32_t* nodes, const double* const* rows) const;
  std::uint32_t first_child(std::uint32_t node) const { return below_.empty() ? node + 1 : below_[node]; }
  bool is_at_leaf(std::uint32_t step) const { return step < places_.size(); }
  double sum(const Place& place, const double* row) const;
  std::int64_t branch(std::uint32_t node, const double* row) const;
  // A forest without missing branches need not look them up.
  std::int32_t missing_branch(std::uint32_t node) const {
    return has_missing_branches_ ? places_[node].split.missing_branch : -1;
  }
  std::uint32_t next(std::uint32_t node, const double* row) const;
  Prediction predict_row(std::uint32_t member, const Block& block, std::uint32_t i, Mixture& mixture) const;
  Prediction predict_mixed(std::uint32_t member, const Block& block, std::uint32_t i, Mixture& mixture) const;
  double branch_weight(std::uint32_t branch) const {
    return branch_weights_.empty() ? places_[children_[branch]].weight : branch_weights_[branch];
  }
  void mix_leaves(std::uint32_t root, const double* row, Mixture& mixture) const;
  void add_leaf(const Place& place, double share, Mixture& mixture) const;
  void add_shares(std::uint32_t member, const Block& block, std::uint32_t i, double vote, Mixture& mixture,
                  double* scores) const;
  std::int32_t largest(const double* weights) const;

  template <class Visit, class Take>
  void propagate(std::uint32_t root, const double* row, std::vector<Share>& waiting, const Visit& visit,
                 const Take& take) const;
  template <bool in_depth_first_order, class Visit, class Take>
  void propagate_in_order(std::uint32_t root, const double* row, std::vector<Share>& waiting, const Visit& visit,
                          const Take& take) const;
  const Bitwise* bitwise_for(std::uint32_t n_rows) const;
  void add_share_votes(std::uint32_t member, double vote, Block& block, Mixture& mixture, double* scores) const;
  void add_label_votes(std::span<const double> votes, Block& block, Mixture& mixture, double* scores) const;
  template <class Use>
  void for_each_block(const InputRows& rows, const Bitwise* bitwise, const Use& use) const;
  template <class Use>
  void count_votes_of_rows(const InputRows& rows, const Votes& votes, const Use& use) const;

  std::uint32_t n_classes_;
  std::vector<ColumnType> columns_;
  std::vector<bool> needs_numbers_;  // per column: whether a split or a term compares or multiplies its values
  bool only_thresholds_ = true;
  bool has_missing_branches_ = false;  // of some member
  bool first_child_is_next_ = true;  // of every threshold split
  bool in_depth_first_order_ = true;  // each member is a tree whose nodes are in this order
  std::vector<std::uint32_t> roots_;
  std::vector<Step> steps_;  // one per node, and one more, at which rows with a missing value stop
  std::vector<Place> places_;
  std::vector<std::uint32_t> below_;  // per node: the first child of a threshold split; empty if it is the next node
  std::vector<std::uint32_t> children_;
  std::vector<double> branch_weights_;  // per branch; empty if every member is without them
  std::vector<std::int32_t> value_branch_;
  std::vector<CompactTerm> terms_;
  std::vector<double> term_numbers_;
  std::vector<std::int32_t> class_index_;  // of the leaves
  std::vector<double> class_weight_;

  mutable std::atomic<std::uint64_t> rows_so_far_ = 0;
  mutable std::once_flag bitwise_is_made_;
  mutable std::unique_ptr<const Bitwise> bitwise_;
  mutable std::atomic<const Bitwise*> bitwise_in_use_ = nullptr;  // the same, for readers while it is being made
};

}  // namespace weaklearn::graph
