// What C4.5's grower keeps of a node between its making and its splitting, and what a thread works with.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/dataset.hpp"
#include "data/node_rows.hpp"
#include "splits/node_view.hpp"

namespace weaklearn::tree {

// Rows whose value was unknown at a test, with their weights there: they go down every branch.
struct Unknown {
  data::Part part;
  std::vector<double> weights;
};

// A node to be split.
struct Job {
  std::uint32_t node = 0;
  std::uint32_t depth = 0;
  bool unit = true;  // all rows weigh 1
  data::Part part;
  std::shared_ptr<const std::vector<std::uint32_t>> tested;  // nominal attributes used up on the way here
  std::shared_ptr<const Unknown> unknown;                    // to be joined to the part before it is looked at
  double share = 1.0;                                        // of each unknown row that comes down this branch
};

// What one thread works with. The dataset is the whole one, or a copy of the rows of one subtree.
struct Worker {
  Worker(const data::Dataset& data, std::uint32_t number)
      : dataset(data), thread(number), branch_of(data.n_rows), local_number(data.n_classes) {}

  const data::Dataset& dataset;
  std::uint32_t thread;
  double least_gain = 0.0;               // what a threshold or a grouping must gain more than
  std::vector<double> weights;           // per row: what it weighs at the node in hand; empty while all weigh 1
  std::vector<std::uint8_t> branch_of;   // per row: the branch it takes at the test in hand, if a byte will do
  std::vector<splits::Split> splits;  // per column, of the node in hand
  std::vector<std::uint32_t> tabled;  // columns looked at by tables, several at a time, and the others
  std::vector<std::uint32_t> others;
  std::vector<std::uint32_t> local_number;
  std::vector<std::uint32_t> local_class;
  std::vector<std::uint32_t> class_rows;
  splits::Sides<std::uint32_t> unit_sides;  // of the node in hand, all above
  splits::Sides<double> real_sides;
  // Memory used again for every split.
  std::vector<std::uint32_t> row_numbers;
  std::vector<std::uint32_t> row_scratch;
  std::vector<std::uint32_t> starts;
  std::vector<std::uint32_t> n_rows;            // per branch, and of unknown value
  std::vector<std::uint32_t> live;              // branches that will be split further
  std::vector<std::uint32_t> bucket_of_branch;  // the part that a branch's rows go to
  std::vector<double> class_weights;            // per branch, and of unknown value, and class

  template <class Count>
  splits::Sides<Count>& sides() {
    if constexpr (std::is_same_v<Count, double>)
      return real_sides;
    else
      return unit_sides;
  }
  // Room for a number per row, made when it is first asked for.
  std::vector<std::uint32_t>& numbers_of_rows() {
    row_numbers.resize(dataset.n_rows);
    return row_numbers;
  }
  std::size_t class_of(std::uint32_t row) const { return static_cast<std::size_t>(dataset.classes[row]); }
};

// A node left for later, when the weights of its rows may have changed: a row is at several nodes where its
// value is unknown, with another weight at each.
struct Task {
  Task(Job left, const Worker& worker) : job(std::move(left)) {
    if (!job.unit)
      for (const std::uint32_t row : job.part.row_span()) weights.push_back(worker.weights[row]);
  }
  Task(Job left, std::vector<double> given) : job(std::move(left)), weights(std::move(given)) {}
  void restore_weights(Worker& worker) const {
    const auto rows = job.part.row_span();
    for (std::size_t i = 0; i < weights.size(); ++i) worker.weights[rows[i]] = weights[i];
  }

  Job job;
  std::vector<double> weights;  // of the rows of its part, where they do not all weigh 1
};

}  // namespace weaklearn::tree
