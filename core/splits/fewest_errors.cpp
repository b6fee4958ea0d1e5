#include "splits/fewest_errors.hpp"

#include <algorithm>
#include <cassert>
#include <utility>
#include <variant>
#include <vector>

#include "parallel/prefetch.hpp"
#include "splits/value_table.hpp"

namespace weaklearn::splits {
namespace {

// The weights of rows in the form that fill_table needs.
struct RowWeights {
  using Count = double;
  std::span<const WeightAndClass> rows;

  double weight_of(std::uint32_t row) const { return rows[row].weight; }
};

double sum_of(std::span<const double> weights) {
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  return sum;
}

bool occurs(std::span<const double> class_weights) {
  return std::ranges::any_of(class_weights, [](double weight) { return weight != 0.0; });
}

// The weight of each local class, separately for rows whose value is known and rows whose value is missing.
struct ClassWeights {
  // `add_up` adds the weights of the known rows to its argument. It is not called if no value is missing.
  template <class AddUp>
  ClassWeights(const NodeView& node, const data::Column& column, const AddUp& add_up) {
    for (const double weight : node.class_weights)
      if (weight != 0.0) known.push_back(weight);
    // All rows of the node weigh more than 0, so a class has weight if and only if it has rows.
    assert(known.size() == node.n_local);
    missing.assign(known.size(), 0.0);
    if (column.n_missing > 0) {
      known.swap(missing);
      add_up(known);
      for (std::size_t k = 0; k < known.size(); ++k) missing[k] = std::max(missing[k] - known[k], 0.0);
    }
    known_total = sum_of(known);
  }

  // Returns the weight that a branch predicts correctly: the weight of its largest class, including its share of the
  // rows whose value is missing.
  double correct(std::span<const double> branch, double branch_weight) {
    const double share = branch_weight / known_total;
    with_missing.resize(branch.size());
    for (std::size_t k = 0; k < branch.size(); ++k) with_missing[k] = branch[k] + share * missing[k];
    return with_missing[criteria::largest(with_missing)];
  }

  std::vector<double> known;
  std::vector<double> missing;
  std::vector<double> with_missing;
  double known_total = 0.0;
};

// Scans the cuts upwards and keeps the best one.
class CutErrors {
 public:
  CutErrors(const NodeView& node, ClassWeights weights, double errors_to_beat)
      : weights_(std::move(weights)),
        low_(weights_.known.size(), 0.0),
        high_(weights_.known),
        total_(node.total),
        slack_(error_slack(node)),
        most_missing_(*std::ranges::max_element(weights_.missing)) {
    best_.errors = errors_to_beat;
    find_largest();
  }

  // Moves weight below the cut.
  void move(std::uint32_t k, double weight) {
    low_[k] += weight;
    high_[k] -= weight;
    low_weight_ += weight;
    most_low_ = std::max(most_low_, low_[k]);
    if (high_[largest_class_] < second_largest_) find_largest();
  }

  void consider(std::uint32_t code_below, std::uint32_t code_above) {
    // Of the known rows, each side predicts at most its largest class correctly. The missing rows are shared between
    // the sides, so they add at most the weight of their largest class. Half the slack covers the rounding of this
    // bound.
    if (total_ - most_low_ - high_[largest_class_] - most_missing_ >= best_.errors - 0.5 * slack_) return;
    const double correct =
        weights_.correct(low_, low_weight_) + weights_.correct(high_, weights_.known_total - low_weight_);
    if (total_ - correct >= best_.errors - slack_) return;
    best_.errors = total_ - correct;
    best_.split.kind = graph::SplitKind::threshold;
    best_.split.low = code_below;
    best_.split.high = code_above;
    best_.split.n_branches = 2;
  }

  const ErrorSplit& best() const { return best_; }

 private:
  // The weights above only fall. The largest class remains the largest until its weight is below the second largest
  // weight.
  void find_largest() {
    largest_class_ = 0;
    second_largest_ = 0.0;
    for (std::uint32_t k = 1; k < high_.size(); ++k) {
      second_largest_ = std::max(second_largest_, std::min(high_[k], high_[largest_class_]));
      if (high_[k] > high_[largest_class_]) largest_class_ = k;
    }
  }

  ClassWeights weights_;
  std::vector<double> low_;
  std::vector<double> high_;
  double total_;
  double slack_;
  double most_missing_;
  double low_weight_ = 0.0;
  double most_low_ = 0.0;
  double second_largest_ = 0.0;
  std::uint32_t largest_class_ = 0;
  ErrorSplit best_;
};

// An element of the list of rows by ascending value. A row that is not at the node weighs 0.
struct Element {
  std::uint32_t code;
  std::uint32_t local_class;
  double weight;
};

template <class ElementAt>
ErrorSplit best_cut_of_list(const NodeView& node, const data::Column& column, std::size_t n_elements,
                            double errors_to_beat, const ElementAt& element) {
  const auto add_up = [&](std::vector<double>& known) {
    for (std::size_t i = 0; i < n_elements; ++i) {
      const Element e = element(i);
      known[e.local_class] += e.weight;
    }
  };
  CutErrors cuts(node, {node, column, add_up}, errors_to_beat);
  bool any = false;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < n_elements; ++i) {
    const Element e = element(i);
    if (e.weight == 0.0) continue;
    if (any && e.code != last) cuts.consider(last, e.code);
    cuts.move(e.local_class, e.weight);
    any = true;
    last = e.code;
  }
  return cuts.best();
}

ErrorSplit best_cut_of_order(const NodeView& node, std::span<const WeightAndClass> rows, const data::Column& column,
                             double errors_to_beat) {
  const std::span<const std::uint32_t> order = column.order;
  if (column.n_codes == order.size())  // all values differ: the position of a row is its code
    return best_cut_of_list(node, column, order.size(), errors_to_beat, [&](std::size_t i) {
      parallel::prefetch_ahead(rows.data(), order, i);
      const WeightAndClass& row = rows[order[i]];
      return Element{static_cast<std::uint32_t>(i), row.local_class, row.weight};
    });
  return std::visit(
      [&](const auto& codes) {
        return best_cut_of_list(node, column, order.size(), errors_to_beat, [&](std::size_t i) {
          parallel::prefetch_ahead(rows.data(), order, i);
          parallel::prefetch_ahead(codes.data(), order, i);
          const WeightAndClass& row = rows[order[i]];
          return Element{codes[order[i]], row.local_class, row.weight};
        });
      },
      column.codes);
}

ErrorSplit best_cut_of_table(const NodeView& node, const data::Column& column, double errors_to_beat,
                             std::span<const double> cells) {
  const auto row_of = [&](std::uint32_t code) { return cells.subspan(std::size_t{code} * node.n_local, node.n_local); };
  const auto add_up = [&](std::vector<double>& known) {
    for (std::uint32_t code = 0; code < column.n_codes; ++code)
      for (std::size_t k = 0; k < known.size(); ++k) known[k] += row_of(code)[k];
  };
  CutErrors cuts(node, {node, column, add_up}, errors_to_beat);
  bool any = false;
  std::uint32_t last = 0;
  for (std::uint32_t code = 0; code < column.n_codes; ++code) {
    const auto class_weights = row_of(code);
    if (!occurs(class_weights)) continue;
    if (any) cuts.consider(last, code);
    for (std::uint32_t k = 0; k < node.n_local; ++k)
      if (class_weights[k] != 0.0) cuts.move(k, class_weights[k]);
    any = true;
    last = code;
  }
  return cuts.best();
}

// `for_each_value` calls its argument with the class weights of each value that occurs.
template <class ForEachValue>
ErrorSplit multiway_errors(const NodeView& node, const data::Column& column, double errors_to_beat,
                           const ForEachValue& for_each_value) {
  ClassWeights weights(node, column, [&](std::vector<double>& known) {
    for_each_value([&](std::span<const double> class_weights) {
      for (std::size_t k = 0; k < class_weights.size(); ++k) known[k] += class_weights[k];
    });
  });
  double correct = 0.0;
  std::uint32_t n_occurring = 0;
  for_each_value([&](std::span<const double> class_weights) {
    correct += weights.correct(class_weights, sum_of(class_weights));
    ++n_occurring;
  });
  ErrorSplit best{errors_to_beat, {}};
  if (n_occurring < 2 || node.total - correct >= errors_to_beat - error_slack(node)) return best;
  best.errors = node.total - correct;
  best.split.kind = graph::SplitKind::multiway;
  best.split.n_branches = column.n_codes;
  return best;
}

ErrorSplit multiway_errors_of_table(const NodeView& node, const data::Column& column, double errors_to_beat,
                                    std::span<const double> cells) {
  return multiway_errors(node, column, errors_to_beat, [&](const auto& visit) {
    for (std::size_t value = 0; value < column.n_codes; ++value) {
      const auto class_weights = cells.subspan(value * node.n_local, node.n_local);
      if (occurs(class_weights)) visit(class_weights);
    }
  });
}

ErrorSplit multiway_errors_of_list(const NodeView& node, std::span<const WeightAndClass> rows,
                                   const data::Column& column, double errors_to_beat, std::span<const CodedRow> list) {
  std::vector<double> class_weights(node.n_local);
  return multiway_errors(node, column, errors_to_beat, [&](const auto& visit) {
    for (std::size_t i = 0; i < list.size();) {
      std::ranges::fill(class_weights, 0.0);
      for (const std::uint32_t code = list[i].code; i < list.size() && list[i].code == code; ++i)
        class_weights[list[i].local_class] += rows[list[i].row].weight;
      visit(class_weights);
    }
  });
}

}  // namespace

ErrorSplit fewest_errors(const NodeView& node, std::span<const WeightAndClass> rows, const data::Column& column,
                         double errors_to_beat, Scratch& scratch) {
  if (!column.order.empty()) return best_cut_of_order(node, rows, column, errors_to_beat);
  if (table_is_cheap(node, column)) {
    const auto cells = fill_table(RowWeights{rows}, node, column, scratch);
    return column.nominal ? multiway_errors_of_table(node, column, errors_to_beat, cells)
                          : best_cut_of_table(node, column, errors_to_beat, cells);
  }
  const auto list = rows_by_code(node, column, scratch);
  if (column.nominal) return multiway_errors_of_list(node, rows, column, errors_to_beat, list);
  return best_cut_of_list(node, column, list.size(), errors_to_beat, [&](std::size_t i) {
    return Element{list[i].code, list[i].local_class, rows[list[i].row].weight};
  });
}

}  // namespace weaklearn::splits
