// A classifier that asks questions: nodes and branches, a tree or, when nodes are shared, a program.
// Flat and immutable once made; node 0 is the root, and branches lead to nodes of higher numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weaklearn::graph {

enum class Test : std::uint8_t {
  leaf = 0,
  threshold = 1,  // two branches: value <= threshold, value > threshold
  value = 2,      // one branch per declared value
  subset = 3,     // one branch per set of values
  oblique = 4,    // two branches: the sum of its terms <= threshold, > threshold; no attribute of its own
};

// What an attribute's value adds to the sum of an oblique test.
enum class Form : std::uint8_t {
  linear = 0,  // its numbers: the coefficient of the value
  steps = 1,   // ascending cuts, then the score up to the first, between each and the next, above the last
  values = 2,  // the score of each declared value
};

struct Term {
  std::int32_t attribute = -1;
  Form form = Form::linear;
  double unknown = 0.0;            // the score where the value is unknown
  double influence = 0.0;          // how much the score varied among the training instances
  std::uint32_t first_number = 0;  // term_numbers[first_number .. first_number + n_numbers)
  std::uint32_t n_numbers = 0;
};

struct Node {
  Test test = Test::leaf;
  std::int32_t attribute = -1;
  std::int32_t label = 0;          // class index of the majority
  double threshold = 0.0;
  double weight = 0.0;             // n: weight of the training instances
  double errors = 0.0;             // e: training errors, or their pessimistic estimate once pruned
  std::uint32_t first_branch = 0;  // branches[first_branch .. first_branch + n_branches)
  std::uint32_t n_branches = 0;
  std::uint32_t first_value = 0;   // subset: value_branch[first_value + code] is the branch of a value
  std::uint32_t n_values = 0;
  std::uint32_t first_class = 0;   // class_index / class_weight[first_class .. first_class + n_classes)
  std::uint32_t n_classes = 0;     // classes with weight at this node; the rest have none
  std::uint32_t first_term = 0;    // oblique: terms[first_term .. first_term + n_terms), added up in this order
  std::uint32_t n_terms = 0;
};

struct Attribute {
  std::uint32_t n_values = 0;    // declared values of a nominal attribute, 0 for a continuous one
  bool single_precision = true;  // continuous: compare in float32
};

struct Graph {
  std::uint32_t n_classes = 0;
  std::vector<Attribute> attributes;
  std::vector<Node> nodes;
  std::vector<std::uint32_t> branches;      // node at the end of each branch
  std::vector<double> flow;                 // training weight that takes each branch; empty: all that its end has
  std::vector<std::int32_t> value_branch;   // -1: the value is in no subset
  std::vector<Term> terms;
  std::vector<double> term_numbers;
  std::vector<std::int32_t> class_index;
  std::vector<double> class_weight;

  bool is_leaf(std::uint32_t node) const { return nodes[node].test == Test::leaf; }
  std::span<const std::uint32_t> branches_of(std::uint32_t node) const {
    return {branches.data() + nodes[node].first_branch, nodes[node].n_branches};
  }
  std::uint32_t depth() const;  // tests on the longest path

  // Empty when every index is in range, branches lead onwards, node 0 reaches every node and all numbers
  // are finite; otherwise what is wrong, in words. Files come from strangers.
  std::string problem() const;
};

}  // namespace weaklearn::graph
