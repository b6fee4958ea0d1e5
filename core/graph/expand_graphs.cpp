#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "graph/class_weight_sums.hpp"
#include "graph/compact_graphs.hpp"

namespace weaklearn::graph {
namespace {

constexpr std::uint32_t no_node = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void refuse(const std::string& reason) { throw std::invalid_argument(reason); }

// Reads a list of a compact form from its start to its end.
template <class T>
class Reader {
 public:
  Reader(const char* name, std::span<const T> values) : name_(name), values_(values) {}

  T next() {
    if (position_ == values_.size()) refuse(too_short());
    return values_[position_++];
  }
  std::span<const T> next(std::size_t count) {
    if (count > values_.size() - position_) refuse(too_short());
    position_ += count;
    return values_.subspan(position_ - count, count);
  }
  void require_end() const {
    if (position_ != values_.size())
      refuse("its \"" + std::string(name_) + "\" has " + std::to_string(values_.size()) + " numbers, expected " +
             std::to_string(position_));
  }

 private:
  std::string too_short() const {
    return "its \"" + std::string(name_) + "\" has too few numbers: " + std::to_string(values_.size());
  }
  const char* name_;
  std::span<const T> values_;
  std::size_t position_ = 0;
};

// Corrections by ascending position. A graph takes those of its own range of positions, the last first or the first
// first.
class Corrections {
 public:
  Corrections(const char* name, std::span<const std::uint32_t> at, std::span<const std::int64_t> ulps)
      : name_(name), at_(at), ulps_(ulps) {
    if (at.size() != ulps.size() || std::ranges::adjacent_find(at, std::ranges::greater_equal()) != at.end())
      refuse("the corrections of its \"" + std::string(name) + "\" are not in ascending order, or not all there");
  }

  // Starts with the corrections of the positions below `end`, which no graph before has taken.
  void begin(std::uint64_t end) {
    while (upper_ < at_.size() && at_[upper_] < end) ++upper_;
    current_ = upper_;
  }
  // Corrects the number at a position. Positions must descend from call to call.
  double corrected(std::uint64_t position, double value) {
    if (!has_any_from(position)) return value;
    if (at_[--current_] != position) refuse_position();
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(ulps_[current_]));
  }
  // Whether a number at this position or after it is not corrected yet.
  bool has_any_from(std::uint64_t position) const { return current_ != lower_ && at_[current_ - 1] >= position; }
  // Corrects numbers from `first`, `count` of them, of an array that starts at a position.
  void correct(std::vector<double>& values, std::uint64_t start, std::uint64_t first, std::uint32_t count) {
    while (has_any_from(start + first)) {
      const std::uint64_t position = at_[current_ - 1];
      if (position >= start + first + count) refuse_position();
      values[position - start] = corrected(position, values[position - start]);
    }
  }
  // Requires that all corrections of the graph are used.
  void end() {
    if (current_ != lower_) refuse_position();
    lower_ = upper_;
  }
  void require_end() const {
    if (upper_ != at_.size()) refuse("its \"" + std::string(name_) + "\" has a correction beyond the last number");
  }

 private:
  [[noreturn]] void refuse_position() const {
    refuse("its \"" + std::string(name_) + "\" has a correction of a number that does not follow from others");
  }

  const char* name_;
  std::span<const std::uint32_t> at_;
  std::span<const std::int64_t> ulps_;
  std::size_t lower_ = 0, upper_ = 0;  // the corrections of the present graph
  std::size_t current_ = 0;            // those before it are not used yet
};

class Expander {
 public:
  Expander(const CompactView& form, std::uint32_t n_classes, const std::vector<ColumnType>& columns)
      : n_classes_(n_classes),
        columns_(columns),
        form_(form),
        sums_(n_classes),
        stores_children_(!form.children.empty()) {
    const std::size_t n_graphs = form.n_nodes.size();
    for (const auto* flags : {&form.has_branch_weights, &form.has_missing_branches, &form.has_shrinkage})
      if (!flags->empty() && flags->size() != n_graphs)
        refuse("its graphs are not described: expected one flag per graph");
    if (form.label_at.size() != form.label.size() ||
        std::ranges::adjacent_find(form.label_at, std::ranges::greater_equal()) != form.label_at.end())
      refuse("its labels are not in ascending order, or not all there");
  }

  // Makes the graph of an index; the indices must ascend by one from 0. Reuses the memory of the graph.
  void next(std::size_t index, Graph& graph) {
    Graph::for_each_array(graph, [](const char*, auto& array) { array.clear(); });
    graph.n_classes = n_classes_;
    graph.columns = columns_;
    if (form_.n_nodes[index] == 0) refuse("it has no node");
    const auto kinds = kind_.next(form_.n_nodes[index]);
    has_empty_leaves_ = std::ranges::find(kinds, empty_leaf) != kinds.end();
    graph.nodes.resize(kinds.size());
    parent_.assign(kinds.size(), no_node);
    parent_[0] = 0;
    read_splits(graph, kinds, index);
    read_class_weights(graph, kinds);
    add_up(graph, kinds);
    read_labels(graph, kinds);
    first_node_ += kinds.size();
    n_class_weights_ += graph.class_weight.size();
    if (is_set(form_.has_shrinkage, index)) graph.shrinkage.push_back(shrinkage_.next());
    if (const std::string problem = graph.problem(); !problem.empty()) refuse(problem);
  }

  void require_end() const {
    kind_.require_end();
    column_.require_end();
    threshold_.require_end();
    missing_branch_.require_end();
    n_branches_.require_end();
    rest_branch_.require_end();
    n_listed_.require_end();
    n_terms_.require_end();
    n_of_classes_.require_end();
    errors_.require_end();
    children_.require_end();
    branch_weights_.require_end();
    listed_value_.require_end();
    listed_branch_.require_end();
    term_column_.require_end();
    term_form_.require_end();
    term_missing_.require_end();
    term_influence_.require_end();
    term_n_numbers_.require_end();
    term_numbers_.require_end();
    class_index_.require_end();
    class_weight_.require_end();
    shrinkage_.require_end();
    weight_corrections_.require_end();
    errors_corrections_.require_end();
    class_weight_corrections_.require_end();
    if (next_label_ != form_.label_at.size()) refuse("its \"label\" has a node that does not exist");
  }

 private:
  // Whether the form holds the class weights and errors of a node, and whether they are sums over its branches. An
  // empty leaf has neither.
  static bool has_own_numbers(std::uint8_t kind) {
    return kind > empty_leaf || kind == static_cast<std::uint8_t>(SplitKind::leaf);
  }
  static bool is_sum(std::uint8_t kind) { return kind < empty_leaf && !has_own_numbers(kind); }
  static bool is_set(std::span<const std::uint8_t> flags, std::size_t index) {
    return !flags.empty() && flags[index] != 0;
  }

  // Reads kinds, columns, thresholds, branches and numbers of classes of all nodes, from the first to the last.
  void read_splits(Graph& graph, std::span<const std::uint8_t> kinds, std::size_t index) {
    struct Branch {
      std::uint32_t slot;  // in `children`
      std::uint32_t from;  // the node that it starts from
    };
    std::vector<Branch> waiting;  // branches whose child is not reached yet, if children are in depth-first order
    std::uint64_t n_class_weights = 0;
    const bool has_missing_branches = is_set(form_.has_missing_branches, index);
    if (has_missing_branches) graph.missing_branch.assign(kinds.size(), -1);
    if (!stores_children_) graph.children.resize(kinds.size() - 1);
    std::size_t n_children = 0;
    for (std::uint32_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i] > own_numbers + static_cast<std::uint8_t>(SplitKind::oblique)) refuse("an unknown kind of node");
      Node& node = graph.nodes[i];
      node.split = static_cast<SplitKind>(kinds[i] >= empty_leaf ? kinds[i] - own_numbers : kinds[i]);
      if (!stores_children_ && i > 0) {
        if (waiting.empty()) refuse("node " + std::to_string(i) + ": the root does not reach it");
        graph.children[waiting.back().slot] = i;
        parent_[i] = waiting.back().from;
        waiting.pop_back();
      }
      node.first_value = static_cast<std::uint32_t>(graph.value_branch.size());
      node.first_term = static_cast<std::uint32_t>(graph.terms.size());
      node.first_branch = static_cast<std::uint32_t>(n_children);
      if (node.split != SplitKind::leaf) read_split(graph, i, has_missing_branches);
      if (stores_children_) {
        for (const std::uint32_t child : children_.next(node.n_branches)) {
          if (child <= i || child >= kinds.size())
            refuse("node " + std::to_string(i) + ": a branch leads to a node that does not exist, or back");
          graph.children.push_back(child);
          if (parent_[child] == no_node) parent_[child] = i;
        }
      } else {
        if (node.n_branches > kinds.size() - 1 - n_children)
          refuse("node " + std::to_string(i) + ": its branches do not exist");
        for (std::uint32_t b = node.n_branches; b-- > 0;)
          waiting.push_back({static_cast<std::uint32_t>(n_children) + b, i});
      }
      n_children += node.n_branches;
      if (kinds[i] != empty_leaf) {
        node.n_classes = n_of_classes_.next();
        if (node.n_classes > n_classes_) refuse("node " + std::to_string(i) + ": it has more classes than there are");
      } else if (parent_[i] != no_node) {  // otherwise the graph is refused below
        node.n_classes = graph.nodes[parent_[i]].n_classes;
      }
      node.first_class = static_cast<std::uint32_t>(n_class_weights);
      n_class_weights += node.n_classes;
      check_size(n_class_weights);
    }
    if (!waiting.empty()) refuse("a branch leads to a node that does not exist");
    if (std::ranges::find(parent_, no_node) != parent_.end()) refuse("it has a node that the root does not reach");
    if (is_set(form_.has_branch_weights, index)) {
      const auto weights = branch_weights_.next(n_children);
      graph.branch_weights.assign(weights.begin(), weights.end());
    }
    graph.class_index.resize(n_class_weights);
    graph.class_weight.resize(n_class_weights);
  }

  // Reads what the split of a node needs, and checks what is used before the whole graph is checked.
  void read_split(Graph& graph, std::uint32_t i, bool has_missing_branches) {
    Node& node = graph.nodes[i];
    if (node.split == SplitKind::threshold || node.split == SplitKind::oblique) {
      node.threshold = threshold_.next();
      node.n_branches = 2;
    }
    if (node.split == SplitKind::oblique) {
      read_terms(graph, node);
      return;
    }
    node.column = column_.next();
    if (node.column < 0 || static_cast<std::size_t>(node.column) >= columns_.size())
      refuse("node " + std::to_string(i) + ": its column does not exist");
    if (has_missing_branches) graph.missing_branch[i] = missing_branch_.next();
    const std::uint32_t n_values = columns_[static_cast<std::size_t>(node.column)].n_values;
    if (node.split == SplitKind::multiway) {
      const bool has_branch_for_missing =
          has_missing_branches && graph.missing_branch[i] == static_cast<std::int64_t>(n_values);
      node.n_branches = n_values + has_branch_for_missing;
    }
    if (node.split != SplitKind::subset) return;
    node.n_branches = n_branches_.next();
    n_values_ += n_values;
    check_size();
    graph.value_branch.resize(graph.value_branch.size() + n_values, rest_branch_.next());
    const std::uint32_t n_listed = n_listed_.next();
    const auto values = listed_value_.next(n_listed);
    const auto branches = listed_branch_.next(n_listed);
    for (std::size_t k = 0; k < n_listed; ++k) {
      if (values[k] >= n_values) refuse("node " + std::to_string(i) + ": a value of its subsets does not exist");
      graph.value_branch[node.first_value + values[k]] = branches[k];
    }
  }

  void read_terms(Graph& graph, Node& node) {
    node.n_terms = n_terms_.next();
    const auto columns = term_column_.next(node.n_terms);
    for (const std::int32_t column : columns) {
      Term term;
      term.column = column;
      term.form = static_cast<TermForm>(term_form_.next());
      term.missing = term_missing_.next();
      term.influence = term_influence_.next();
      term.first_number = static_cast<std::uint32_t>(graph.term_numbers.size());
      const auto numbers = term_numbers_.next(term_n_numbers_.next());
      term.n_numbers = static_cast<std::uint32_t>(numbers.size());
      graph.term_numbers.insert(graph.term_numbers.end(), numbers.begin(), numbers.end());
      graph.terms.push_back(term);
    }
  }

  // Reads the class weights and errors that the form holds, with the weights and labels that follow from them.
  void read_class_weights(Graph& graph, std::span<const std::uint8_t> kinds) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (!has_own_numbers(kinds[i])) continue;
      Node& node = graph.nodes[i];
      node.errors = errors_.next();
      const auto indices = class_index_.next(node.n_classes);
      const auto weights = class_weight_.next(node.n_classes);
      WeightAndLabel sum;
      for (std::size_t k = 0; k < indices.size(); ++k) {
        if (static_cast<std::uint32_t>(indices[k]) >= n_classes_)
          refuse("node " + std::to_string(i) + ": a class weight belongs to a class that does not exist");
        graph.class_index[node.first_class + k] = indices[k];
        graph.class_weight[node.first_class + k] = weights[k];
        sum.add(indices[k], weights[k]);
      }
      node.weight = sum.weight;
      node.label = sum.label;
    }
  }

  // Adds up what follows from branches and class weights, from the last node to the first.
  void add_up(Graph& graph, std::span<const std::uint8_t> kinds) {
    class_weight_corrections_.begin(n_class_weights_ + graph.class_weight.size());
    errors_corrections_.begin(first_node_ + kinds.size());
    weight_corrections_.begin(first_node_ + kinds.size());
    for (auto i = static_cast<std::uint32_t>(kinds.size()); i-- > 0;) {
      Node& node = graph.nodes[i];
      if (is_sum(kinds[i])) {
        add_up_classes(graph, kinds, i);
        node.errors = summed_errors(graph, i);
      }
      if (!has_own_numbers(kinds[i])) node.errors = errors_corrections_.corrected(first_node_ + i, node.errors);
      node.weight = weight_corrections_.corrected(first_node_ + i, node.weight);
    }
    class_weight_corrections_.end();
    errors_corrections_.end();
    weight_corrections_.end();
  }

  void add_up_classes(Graph& graph, std::span<const std::uint8_t> kinds, std::uint32_t i) {
    Node& node = graph.nodes[i];
    WeightAndLabel sum;
    std::uint32_t n_summed = 0;
    const auto is_empty_leaf = [&](std::uint32_t child) { return kinds[child] == empty_leaf; };
    sums_.add_up(graph, i, is_empty_leaf, [&](std::int32_t index, double weight) {
      if (n_summed == node.n_classes) refuse_classes(i);
      graph.class_index[node.first_class + n_summed] = index;
      graph.class_weight[node.first_class + n_summed++] = weight;
      sum.add(index, weight);
    });
    if (n_summed != node.n_classes) refuse_classes(i);
    if (class_weight_corrections_.has_any_from(n_class_weights_ + node.first_class)) {
      class_weight_corrections_.correct(graph.class_weight, n_class_weights_, node.first_class, node.n_classes);
      sum = weight_and_label(graph, node);
    }
    node.weight = sum.weight;
    node.label = sum.label;
  }

  [[noreturn]] static void refuse_classes(std::uint32_t i) {
    refuse("node " + std::to_string(i) + ": its number of classes is not that of its branches");
  }

  // Reads the labels that do not follow from class weights. Empty leaves have the class weights and the label of their
  // parent.
  void read_labels(Graph& graph, std::span<const std::uint8_t> kinds) {
    const std::uint64_t end = first_node_ + kinds.size();
    std::size_t next_node = 1;
    const auto fill_empty_leaves_before = [&](std::size_t node) {
      for (; has_empty_leaves_ && next_node < node; ++next_node)
        if (kinds[next_node] == empty_leaf) fill_empty_leaf(graph, next_node);
    };
    for (; next_label_ < form_.label_at.size() && form_.label_at[next_label_] < end; ++next_label_) {
      const std::size_t node = form_.label_at[next_label_] - first_node_;
      fill_empty_leaves_before(node + 1);
      graph.nodes[node].label = form_.label[next_label_];
    }
    fill_empty_leaves_before(kinds.size());
  }

  void fill_empty_leaf(Graph& graph, std::size_t i) const {
    Node& node = graph.nodes[i];
    const Node& parent = graph.nodes[parent_[i]];
    node.label = parent.label;
    std::copy_n(graph.class_index.begin() + parent.first_class, node.n_classes,
                graph.class_index.begin() + node.first_class);
    std::copy_n(graph.class_weight.begin() + parent.first_class, node.n_classes,
                graph.class_weight.begin() + node.first_class);
  }

  void check_size(std::uint64_t more_class_weights = 0) const {
    if (n_class_weights_ + more_class_weights > max_expanded || n_values_ > max_expanded)
      refuse("it has more than " + std::to_string(max_expanded) + " class weights or values of subset splits");
  }

  std::uint32_t n_classes_;
  const std::vector<ColumnType>& columns_;
  const CompactView& form_;
  Reader<std::uint8_t> kind_{"kind", form_.kind};
  Reader<std::int32_t> column_{"column", form_.column};
  Reader<double> threshold_{"threshold", form_.threshold};
  Reader<std::int32_t> missing_branch_{"missing_branch", form_.missing_branch};
  Reader<std::uint32_t> n_branches_{"n_branches", form_.n_branches};
  Reader<std::int32_t> rest_branch_{"rest_branch", form_.rest_branch};
  Reader<std::uint32_t> n_listed_{"n_listed", form_.n_listed};
  Reader<std::uint32_t> n_terms_{"n_terms", form_.n_terms};
  Reader<std::uint32_t> n_of_classes_{"n_classes", form_.n_classes};
  Reader<double> errors_{"errors", form_.errors};
  Reader<std::uint32_t> children_{"children", form_.children};
  Reader<double> branch_weights_{"branch_weights", form_.branch_weights};
  Reader<std::uint32_t> listed_value_{"listed_value", form_.listed_value};
  Reader<std::int32_t> listed_branch_{"listed_branch", form_.listed_branch};
  Reader<std::int32_t> term_column_{"term_column", form_.term_column};
  Reader<std::uint32_t> term_form_{"term_form", form_.term_form};
  Reader<double> term_missing_{"term_missing", form_.term_missing};
  Reader<double> term_influence_{"term_influence", form_.term_influence};
  Reader<std::uint32_t> term_n_numbers_{"term_n_numbers", form_.term_n_numbers};
  Reader<double> term_numbers_{"term_numbers", form_.term_numbers};
  Reader<std::int32_t> class_index_{"class_index", form_.class_index};
  Reader<double> class_weight_{"class_weight", form_.class_weight};
  Reader<double> shrinkage_{"shrinkage", form_.shrinkage};
  Corrections weight_corrections_{"weight", form_.weight_at, form_.weight_ulps};
  Corrections errors_corrections_{"errors", form_.errors_at, form_.errors_ulps};
  Corrections class_weight_corrections_{"class_weight", form_.class_weight_at, form_.class_weight_ulps};
  ClassWeightSums sums_;
  bool stores_children_;
  std::size_t next_label_ = 0;
  std::uint64_t first_node_ = 0;  // of the present graph, among the nodes of all graphs
  std::uint64_t n_class_weights_ = 0;  // of the graphs before
  std::uint64_t n_values_ = 0;  // of the subset splits so far
  std::vector<std::uint32_t> parent_;  // the first node with a branch to each node
  bool has_empty_leaves_ = false;  // the present graph
};

}  // namespace

void expand_each(const CompactView& form, std::uint32_t n_classes, const std::vector<ColumnType>& columns,
                 const std::function<void(Graph&)>& use) {
  Expander expander(form, n_classes, columns);
  Graph graph;
  for (std::size_t index = 0; index < form.n_nodes.size(); ++index) {
    expander.next(index, graph);
    use(graph);
  }
  expander.require_end();
}

std::vector<Graph> expand(const CompactView& form, std::uint32_t n_classes, const std::vector<ColumnType>& columns) {
  std::vector<Graph> graphs;
  graphs.reserve(form.n_nodes.size());
  expand_each(form, n_classes, columns, [&](Graph& graph) { graphs.push_back(std::move(graph)); });
  return graphs;
}

}  // namespace weaklearn::graph
