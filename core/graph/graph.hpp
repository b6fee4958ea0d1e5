// Fitted graphs: trees, and branching programs, in which several branches lead to the same node.
//
// Terms:
//   node           a split or a leaf (node.hpp); node 0 is the root
//   branch, child  an edge out of a split, and the node that it leads to; children have higher indices
//   branch weight  the weight of the training rows that take a branch; rows with a missing value are distributed
//                  over the branches in proportion to it, unless the node has a missing branch
//   missing branch the one branch that a row takes at a split where its value is missing, if the split has learned it
//   member         one of the graphs that predict together
//
// Entry points:
//   Draft             draft.hpp          growers add nodes to a draft
//   flatten()         flatten_draft.hpp  makes a graph of a draft
//   Graph             this file          flat and immutable once made
//   Forest            forest.hpp         the nodes of one or many graphs in a compact layout, for prediction
//   shrink()          shrink_shares.hpp  shrinks the class shares that a tree predicts
//   is_above()        oblique_terms.hpp  oblique splits while they are grown
//   count_agreements  agreement.hpp      how often members predict the same class
//   vote_probabilities  vote_probabilities.hpp  probabilities from votes; powers.hpp has the powers of shares
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/node.hpp"

namespace weaklearn::graph {

// What a column holds.
struct ColumnType {
  std::uint32_t n_values = 0;    // declared values of a nominal column, 0 for a continuous one
  bool single_precision = true;  // continuous: compare in float32

  bool operator==(const ColumnType&) const = default;
};

struct Graph {
  std::uint32_t n_classes = 0;
  std::vector<ColumnType> columns;
  std::vector<Node> nodes;
  std::vector<Term> terms;
  std::vector<std::uint32_t> children;     // per branch: the node that it leads to
  std::vector<double> branch_weights;      // per branch; empty: the weight of the child
  // Per node: its missing branch, -1 at a leaf or an oblique split. Empty: no node has one.
  std::vector<std::int32_t> missing_branch;
  std::vector<std::int32_t> value_branch;  // per value of a subset split: its branch, or -1 if it is in no subset
  std::vector<double> term_numbers;
  std::vector<std::int32_t> class_index;
  std::vector<double> class_weight;
  // Empty, or one number: lambda of the shrinkage of the class shares of a tree (shrink_shares.hpp).
  std::vector<double> shrinkage;

  // Calls use(name, array) for each array of a graph: the one list of them, for NumPy and for files.
  template <class GraphType, class Use>
  static void for_each_array(GraphType& graph, const Use& use) {
    use("nodes", graph.nodes);
    use("terms", graph.terms);
    use("children", graph.children);
    use("branch_weights", graph.branch_weights);
    use("missing_branch", graph.missing_branch);
    use("value_branch", graph.value_branch);
    use("term_numbers", graph.term_numbers);
    use("class_index", graph.class_index);
    use("class_weight", graph.class_weight);
    use("shrinkage", graph.shrinkage);
  }

  bool is_leaf(std::uint32_t node) const { return nodes[node].split == SplitKind::leaf; }
  std::span<const std::uint32_t> children_of(std::uint32_t node) const {
    return {children.data() + nodes[node].first_branch, nodes[node].n_branches};
  }
  std::uint32_t depth() const;  // splits on the longest path

  // Returns what is wrong, in words: an index out of range, a branch that leads back, a node that the root does not
  // reach, a number that is not finite. Returns an empty string for a valid graph. Graphs may come from untrusted
  // files.
  std::string problem() const;
};

}  // namespace weaklearn::graph
