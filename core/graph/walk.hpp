// Answering: rows go down a graph, whole while their values are known, in fractions where not.
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

class Walker {
 public:
  // Keeps a reference to the graph, which must be valid (Graph::problem() is empty).
  explicit Walker(const Graph& graph);

  // The answer of C4.5: the class of largest weight, the lowest number of equals.
  void predict(std::span<const InputColumn> columns, std::uint32_t n_rows, std::int32_t* classes,
               std::uint32_t n_threads) const;
  // n_rows x n_classes weights that sum to one in each row; `weights` must come filled with zeros.
  void predict_proba(std::span<const InputColumn> columns, std::uint32_t n_rows, double* weights,
                     std::uint32_t n_threads) const;

 private:
  // What a row needs to know of a node, and no more.
  struct Step {
    double threshold = 0.0;       // moved so that doubles can be compared without rounding them first
    std::int32_t attribute = -1;  // -1: a leaf
    Test test = Test::leaf;
    std::uint32_t branch[2] = {0, 0};  // of a threshold
  };

  static constexpr std::int32_t unknown = -1;
  std::int32_t branch_of(std::uint32_t node, const InputColumn& column, std::size_t row) const;
  std::int64_t next(std::uint32_t node, const Step& step, std::span<const InputColumn> columns,
                    std::size_t row) const;
  // The leaf that a row reaches, or -1 where an unknown value sends it to several.
  std::int32_t leaf_of(std::span<const InputColumn> columns, std::size_t row) const;
  void spread(std::span<const InputColumn> columns, std::size_t row, double* weights) const;
  void add_leaf(std::uint32_t node, double share, double* weights) const;
  std::int32_t largest(const double* weights) const;

  const Graph& graph_;
  std::vector<Step> steps_;
  std::vector<std::int32_t> answers_;  // per leaf
  std::vector<double> class_share_;    // per class weight of the graph: its share of the node's weight
};

}  // namespace weaklearn::graph
