// The rows of one fit: a dataset, the weight of each row, and what follows from them once for the whole tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "criteria/class_factors.hpp"
#include "data/dataset.hpp"
#include "data/weight_view.hpp"
#include "tree/weight_unit.hpp"

namespace weaklearn::tree {

struct TrainingRows {
  // Without weights every row weighs 1. The factors are part of the weights already. The weights must exist as long as
  // this.
  TrainingRows(const data::Dataset& dataset, data::WeightView weights, criteria::ClassFactors classes = {});

  // For rows that are counted elsewhere. The dataset describes the columns and has no rows, and `tables` are those of
  // all rows: of each column, a line per code, then one for missing values, with a cell per class.
  TrainingRows(const data::Dataset& dataset, std::span<const double> tables, WeightUnit unit, bool all_weigh_one,
               criteria::ClassFactors classes);

  TrainingRows(const TrainingRows&) = delete;
  TrainingRows& operator=(const TrainingRows&) = delete;

  const data::Dataset& dataset;
  // Per row: those given, or rounded ones if rounding changes any. Empty if every row weighs 1 and all growers that
  // need no more than counts can do without them. They are numbers in memory if values are missing, because weights
  // change then, or if some column is searched in sorted order, where they are read most often.
  data::WeightView weights;
  criteria::ClassFactors classes;
  std::uint32_t n_present = 0;  // rows of weight > 0
  double total = 0.0;
  bool unit = true;  // all present rows weigh 1, and classes have no factors
  bool has_missing = false;  // values are missing, so that a row may go down several branches in shares
  bool sums_are_exact = true;  // sums of the weights do not depend on their order
  WeightUnit unit_weight;  // of a dataset with bins: all weights are multiples of it, also those of shares of rows

  // The largest number of rows of weight 1 that a node can have.
  std::uint32_t largest_count() const { return unit ? static_cast<std::uint32_t>(total) : 0; }

  // Returns the rows of a node with these class weights: their sum, or the effective number.
  double rows_in(std::span<const double> class_weights) const {
    return criteria::effective_rows(class_weights, classes.factors);
  }

  // Returns the rows of weight > 0, ascending. They are not kept, because most growers reorder them.
  std::vector<std::uint32_t> present() const;

  // Returns whether the value of a column is missing in some present row.
  bool lacks_values(std::size_t column) const;

  // Returns the code of C4.5's threshold for a cut between two codes. It is the greatest value of all present rows that
  // does not exceed the midpoint.
  std::uint32_t cut_between(std::size_t column, std::uint32_t low_code, std::uint32_t high_code) const;

 private:
  void round_weights();

  std::vector<double> own_weights_;  // where `weights` are, if they are not those given
  std::vector<std::vector<bool>> occurs_;  // per column and code; empty if all rows are present
  std::vector<bool> lacks_values_;  // per column, if rows are counted elsewhere
};

}  // namespace weaklearn::tree
