// Answering: the nodes of one or many graphs in one array. Rows go down it a block at a time, whole while
// their values are known, in fractions where not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "graph/graph.hpp"

namespace weaklearn::graph {

// One column of the rows to answer: numbers (NaN is unknown) or codes (outside [0, n_values): unknown).
struct InputColumn {
  data::Numbers numbers;
  const std::int32_t* codes = nullptr;
};

// The rows to answer, one column per attribute, and the threads to answer them with.
struct Questions {
  std::span<const InputColumn> columns;
  std::uint32_t n_rows = 0;
  std::uint32_t n_threads = 1;
};

// What each member's vote counts: votes[member], times its confidence in the answer if that is asked for.
struct Votes {
  std::span<const double> votes;
  bool confident = false;
};

class Forest {
 public:
  // Graphs of the same attributes and classes, each of them valid (Graph::problem() is empty). At least one.
  explicit Forest(std::span<const Graph* const> members);

  std::uint32_t n_members() const { return static_cast<std::uint32_t>(roots_.size()); }
  std::uint32_t n_classes() const { return n_classes_; }
  const std::vector<Attribute>& attributes() const { return attributes_; }
  bool asks_for_number(std::size_t attribute) const { return asks_for_number_[attribute]; }
  std::size_t nbytes() const;

  // The class that each member answers, as C4.5 does: the one of largest weight, the lowest number of equals.
  // n_members x n_rows of them. `confidences`, of the same size, may be null: the Laplace ratio
  // (w + 1) / (W + 2) of the weight w of that class among the weight W of the leaf; where an unknown value
  // leads to several leaves, of their weights blended.
  void answers(const Questions& questions, std::int32_t* classes, double* confidences) const;

  // n_rows x n_classes: what the members' votes for each class add up to. `scores` comes filled with zeros.
  void tally(const Questions& questions, const Votes& votes, double* scores) const;

  // The class of most votes; of equals the first in `priority`, which lists all classes.
  void predict(const Questions& questions, const Votes& votes, std::span<const std::uint32_t> priority,
               std::int32_t* classes) const;

  // Per row: the votes for its class minus those for the best of the others, as a share of all votes.
  void margins(const Questions& questions, const Votes& votes, std::span<const std::int32_t> classes,
               double* margins) const;

  // Of a single graph, n_rows x n_classes weights that sum to one in each row; `weights` comes filled
  // with zeros.
  void predict_proba(const Questions& questions, double* weights) const;

  // Of a single graph whose root is an oblique test: per row by how much the sum is above the threshold.
  void excess(const Questions& questions, double* excess) const;

  // Of a single graph: the weight of each class that takes each branch, when rows of these classes and weights
  // go down it, in fractions where a value is unknown. `taken` comes filled with zeros, n_classes for each
  // branch of node 0, then of node 1, and so on. Rows are added up in order, by one thread.
  void flow(const Questions& questions, std::span<const std::int32_t> classes, std::span<const double> weights,
            double* taken) const;

 private:
  // A term of an oblique test. The cuts among its numbers are moved as thresholds are.
  struct Addend {
    Form form = Form::linear;
    bool single_precision = false;
    std::uint32_t attribute = 0;
    std::uint32_t n_cuts = 0;
    std::uint32_t first_number = 0;
    double unknown = 0.0;
  };
  // What a row needs to know of a node on its way down, and no more. A leaf leads to itself.
  struct Step {
    double threshold = 0.0;            // moved so that doubles can be compared without rounding them first
    std::uint32_t branch[2] = {0, 0};  // of two branches by a threshold; else the first place in branches_
    std::uint32_t attribute = 0;
    Test test = Test::leaf;
  };
  // The rest, which is needed at the end of the way, or where a value is unknown.
  struct Place {
    double weight = 0.0;
    double confidence = 0.0;  // of a leaf
    std::int32_t label = 0;
    std::int32_t answer = 0;  // of a leaf
    std::uint32_t first_branch = 0;
    std::uint32_t n_branches = 0;
    std::uint32_t first_value = 0;
    std::uint32_t first_class = 0;
    std::uint32_t n_classes = 0;
    std::uint32_t first_term = 0;
    std::uint32_t n_terms = 0;
  };
  // Some rows, one after the other, all values as doubles: nominal codes too, unknown ones as NaN.
  struct Block {
    std::vector<double> values;
    std::vector<std::uint32_t> leaf_of;
    std::uint32_t first_row = 0;
    std::uint32_t n_rows = 0;
    bool all_known = true;
  };
  // A member's answer for one row.
  struct Answer {
    std::int32_t label;
    double confidence;
  };
  struct Blend;

  void add(const Graph& graph);
  void add_terms(const Graph& graph);
  void add_flow(std::span<const Graph* const> members);
  std::uint32_t rows_per_block() const;
  void load(std::span<const InputColumn> columns, Block& block) const;
  void walk(std::uint32_t root, Block& block) const;
  void walk_known(std::uint32_t root, Block& block) const;
  double sum(const Place& place, const double* row) const;
  std::int64_t branch(std::uint32_t node, const double* row) const;
  std::uint32_t next(std::uint32_t node, const double* row) const;
  Answer answer(std::uint32_t member, const Block& block, std::uint32_t i, Blend& blend) const;
  double flow_of(std::uint32_t branch) const {
    return flow_.empty() ? places_[branches_[branch]].weight : flow_[branch];
  }
  void spread(std::uint32_t root, const double* row, Blend& blend) const;
  void add_leaf(const Place& place, double share, Blend& blend) const;
  std::int32_t largest(const double* weights) const;

  template <class Branch, class Leaf>
  void travel(std::uint32_t root, const double* row, const Branch& take, const Leaf& reach) const;
  template <class Use>
  void for_each_block(const Questions& questions, const Use& use) const;
  template <class Use>
  void tally_blocks(const Questions& questions, const Votes& votes, const Use& use) const;

  std::uint32_t n_classes_;
  std::vector<Attribute> attributes_;
  std::vector<bool> asks_for_number_;  // per attribute: whether a test compares it with numbers
  bool only_thresholds_ = true;
  std::vector<std::uint32_t> roots_;
  std::vector<Step> steps_;  // the last one is where rows of unknown value end up
  std::vector<Place> places_;
  std::vector<std::uint32_t> branches_;
  std::vector<double> flow_;  // per branch; empty while there are only trees
  std::vector<std::int32_t> value_branch_;
  std::vector<Addend> addends_;
  std::vector<double> term_numbers_;
  std::vector<std::int32_t> class_index_;
  std::vector<double> class_weight_;
};

}  // namespace weaklearn::graph
