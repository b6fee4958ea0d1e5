// The form in which files hold graphs: columns of numbers, without the numbers that follow from others.
//
// In a tree the class weights of a split are the sums over its branches, the weight of a node is the sum of its class
// weights, the label has the largest of them, and the branches follow from the order of the nodes. Files hold only
// what does not follow. A sum that differs in its last bits, because rows were added up in another order, has a
// correction in units of the last place (ulps), so that every number is restored to the bit.
//
// The columns are those of several graphs, one graph after the other. docs/guides/files.md describes them for readers
// of files; a change here changes the format.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace weaklearn::graph {

// Kinds of nodes in files. Those below `empty_leaf` are the SplitKinds. A split has the class weights and the errors
// that follow from its branches, unless its kind is own_numbers + SplitKind: the file then holds its own.
constexpr std::uint8_t empty_leaf = 5;   // without training weight: the class weights of its parent
constexpr std::uint8_t own_numbers = 5;  // added to the SplitKind, so that 6 to 9 are splits with numbers of their own

// The most class weights, and the most values of subset splits, in a file. A small file could otherwise describe a
// graph that fills the memory.
constexpr std::uint64_t max_expanded = std::uint64_t{1} << 28;

template <template <class> class List>
struct CompactForm {
  // Per graph.
  List<std::uint32_t> n_nodes;
  // Per graph, whether it has them; empty if no graph has.
  List<std::uint8_t> has_branch_weights;
  List<std::uint8_t> has_missing_branches;
  List<std::uint8_t> has_shrinkage;
  // Per node.
  List<std::uint8_t> kind;
  List<std::int32_t> column;  // of each threshold, multiway and subset split
  List<double> threshold;  // of each threshold and oblique split
  List<std::int32_t> missing_branch;  // of each threshold, multiway and subset split of the graphs that have them
  List<std::uint32_t> n_branches;  // of each subset split
  List<std::int32_t> rest_branch;  // of each subset split: the branch of the values that are not listed, or -1
  List<std::uint32_t> n_listed;  // of each subset split: its listed values
  List<std::uint32_t> n_terms;  // of each oblique split
  List<std::uint32_t> n_classes;  // of each node but empty leaves
  List<double> errors;  // of each leaf that is not empty, and each split with its own numbers
  List<std::uint32_t> children;  // per branch; empty if all graphs are trees in depth-first order
  List<double> branch_weights;  // per branch of the graphs that have them
  // Per listed value of a subset split.
  List<std::uint32_t> listed_value;
  List<std::int32_t> listed_branch;
  // Per term of an oblique split.
  List<std::int32_t> term_column;
  List<std::uint32_t> term_form;
  List<double> term_missing;
  List<double> term_influence;
  List<std::uint32_t> term_n_numbers;
  List<double> term_numbers;
  // Class weights of the leaves that are not empty and of the splits with their own numbers.
  List<std::int32_t> class_index;
  List<double> class_weight;
  // Per graph that has it.
  List<double> shrinkage;
  // What differs from the number that follows from others, by ascending position among all nodes or class weights.
  List<std::uint32_t> label_at;
  List<std::int32_t> label;
  List<std::uint32_t> weight_at;
  List<std::int64_t> weight_ulps;
  List<std::uint32_t> errors_at;
  List<std::int64_t> errors_ulps;
  List<std::uint32_t> class_weight_at;
  List<std::int64_t> class_weight_ulps;

  // Calls use(name, list) for each list: the one list of them.
  template <class Form, class Use>
  static void for_each_list(Form& form, const Use& use) {
    use("n_nodes", form.n_nodes);
    use("has_branch_weights", form.has_branch_weights);
    use("has_missing_branches", form.has_missing_branches);
    use("has_shrinkage", form.has_shrinkage);
    use("kind", form.kind);
    use("column", form.column);
    use("threshold", form.threshold);
    use("missing_branch", form.missing_branch);
    use("n_branches", form.n_branches);
    use("rest_branch", form.rest_branch);
    use("n_listed", form.n_listed);
    use("n_terms", form.n_terms);
    use("n_classes", form.n_classes);
    use("errors", form.errors);
    use("children", form.children);
    use("branch_weights", form.branch_weights);
    use("listed_value", form.listed_value);
    use("listed_branch", form.listed_branch);
    use("term_column", form.term_column);
    use("term_form", form.term_form);
    use("term_missing", form.term_missing);
    use("term_influence", form.term_influence);
    use("term_n_numbers", form.term_n_numbers);
    use("term_numbers", form.term_numbers);
    use("class_index", form.class_index);
    use("class_weight", form.class_weight);
    use("shrinkage", form.shrinkage);
    use("label_at", form.label_at);
    use("label", form.label);
    use("weight_at", form.weight_at);
    use("weight_ulps", form.weight_ulps);
    use("errors_at", form.errors_at);
    use("errors_ulps", form.errors_ulps);
    use("class_weight_at", form.class_weight_at);
    use("class_weight_ulps", form.class_weight_ulps);
  }
};

template <class T>
using Owned = std::vector<T>;
template <class T>
using Viewed = std::span<const T>;
using CompactGraphs = CompactForm<Owned>;
using CompactView = CompactForm<Viewed>;

// Returns graphs in compact form. Numbers that no node refers to are left out. Throws std::invalid_argument if the
// graphs are too large for a file.
CompactGraphs compact(std::span<const Graph* const> graphs);

// Returns the graphs of a compact form. Throws std::invalid_argument, with the reason, if it does not describe valid
// graphs with these classes and columns. The form may come from an untrusted file.
std::vector<Graph> expand(const CompactView& form, std::uint32_t n_classes, const std::vector<ColumnType>& columns);

// Calls use(graph) for each of these graphs in turn, so that not all of them are in memory. `use` may move from the
// graph. What the form holds beyond the graphs is refused after the last call.
void expand_each(const CompactView& form, std::uint32_t n_classes, const std::vector<ColumnType>& columns,
                 const std::function<void(Graph&)>& use);

}  // namespace weaklearn::graph
