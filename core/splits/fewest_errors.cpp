#include "splits/fewest_errors.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "splits/value_table.hpp"

namespace weaklearn::splits {
namespace {

// As the value table asks for weights.
struct RowWeights {
  using Count = double;
  std::span<const WeighedRow> rows;

  double weight_of(std::uint32_t row) const { return rows[row].weight; }
};

double sum_of(std::span<const double> weights) {
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  return sum;
}

bool occurs(std::span<const double> of_value) {
  return std::ranges::any_of(of_value, [](double weight) { return weight != 0.0; });
}

// The weight of each class present, apart for rows of known and of unknown value.
struct ClassWeights {
  // `add_up` adds the known rows' weights to those it is given; without unknown ones there is no need to.
  template <class AddUp>
  ClassWeights(const NodeView& node, const data::Column& column, const AddUp& add_up) {
    for (const double weight : node.class_weights)
      if (weight != 0.0) known.push_back(weight);
    unknown.assign(known.size(), 0.0);
    if (column.n_missing > 0) {
      known.swap(unknown);
      add_up(known);
      for (std::size_t k = 0; k < known.size(); ++k) unknown[k] = std::max(unknown[k] - known[k], 0.0);
    }
    known_total = sum_of(known);
  }

  // What a branch answers right: the weight of its label, its share of the unknown rows included.
  double right(std::span<const double> branch, double branch_weight) {
    const double share = branch_weight / known_total;
    joined.resize(branch.size());
    for (std::size_t k = 0; k < branch.size(); ++k) joined[k] = branch[k] + share * unknown[k];
    return joined[criteria::largest(joined)];
  }

  std::vector<double> known;
  std::vector<double> unknown;
  std::vector<double> joined;
  double known_total = 0.0;
};

// Looks at the cuts upwards and keeps the best.
class CutErrors {
 public:
  CutErrors(const NodeView& node, ClassWeights weights, double errors_to_beat)
      : weights_(std::move(weights)),
        low_(weights_.known.size(), 0.0),
        high_(weights_.known),
        total_(node.total),
        slack_(error_slack(node)),
        most_unknown_(*std::ranges::max_element(weights_.unknown)) {
    best_.errors = errors_to_beat;
    find_top();
  }

  // Moves weight below the cut.
  void move(std::uint32_t k, double weight) {
    low_[k] += weight;
    high_[k] -= weight;
    low_weight_ += weight;
    most_low_ = std::max(most_low_, low_[k]);
    if (high_[top_] < second_) find_top();
  }

  void consider(std::uint32_t code_below, std::uint32_t code_above) {
    // No branch answers more right than its largest class and all that is unknown of some class. Half the
    // slack is for the rounding of this bound.
    if (total_ - most_low_ - high_[top_] - most_unknown_ >= best_.errors - 0.5 * slack_) return;
    const double right =
        weights_.right(low_, low_weight_) + weights_.right(high_, weights_.known_total - low_weight_);
    if (total_ - right >= best_.errors - slack_) return;
    best_.errors = total_ - right;
    best_.split.test = graph::SplitKind::threshold;
    best_.split.low = code_below;
    best_.split.high = code_above;
    best_.split.n_branches = 2;
  }

  const ErrorSplit& best() const { return best_; }

 private:
  // The weights above only fall: the largest class there stays so until it is below what was second.
  void find_top() {
    top_ = 0;
    second_ = 0.0;
    for (std::uint32_t k = 1; k < high_.size(); ++k) {
      second_ = std::max(second_, std::min(high_[k], high_[top_]));
      if (high_[k] > high_[top_]) top_ = k;
    }
  }

  ClassWeights weights_;
  std::vector<double> low_;
  std::vector<double> high_;
  double total_;
  double slack_;
  double most_unknown_;
  double low_weight_ = 0.0;
  double most_low_ = 0.0;
  double second_ = 0.0;
  std::uint32_t top_ = 0;
  ErrorSplit best_;
};

// A row in the list of those by ascending value; an absent one weighs 0.
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

ErrorSplit best_cut_of_order(const NodeView& node, std::span<const WeighedRow> rows, const data::Column& column,
                             double errors_to_beat) {
  const std::span<const std::uint32_t> order = column.order;
  if (column.n_codes == order.size())  // all different: a row's place is its code
    return best_cut_of_list(node, column, order.size(), errors_to_beat, [&](std::size_t i) {
      data::prefetch(rows.data(), order, i);
      const WeighedRow& row = rows[order[i]];
      return Element{static_cast<std::uint32_t>(i), row.local_class, row.weight};
    });
  return std::visit(
      [&](const auto& codes) {
        return best_cut_of_list(node, column, order.size(), errors_to_beat, [&](std::size_t i) {
          data::prefetch(rows.data(), order, i);
          data::prefetch(codes.data(), order, i);
          const WeighedRow& row = rows[order[i]];
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
    const auto of_value = row_of(code);
    if (!occurs(of_value)) continue;
    if (any) cuts.consider(last, code);
    for (std::uint32_t k = 0; k < node.n_local; ++k)
      if (of_value[k] != 0.0) cuts.move(k, of_value[k]);
    any = true;
    last = code;
  }
  return cuts.best();
}

// `for_each_value` calls back with the class weights of each value that occurs.
template <class ForEachValue>
ErrorSplit multiway_errors(const NodeView& node, const data::Column& column, double errors_to_beat,
                           const ForEachValue& for_each_value) {
  ClassWeights weights(node, column, [&](std::vector<double>& known) {
    for_each_value([&](std::span<const double> of_value) {
      for (std::size_t k = 0; k < of_value.size(); ++k) known[k] += of_value[k];
    });
  });
  double right = 0.0;
  std::uint32_t n_occurring = 0;
  for_each_value([&](std::span<const double> of_value) {
    right += weights.right(of_value, sum_of(of_value));
    ++n_occurring;
  });
  ErrorSplit best{errors_to_beat, {}};
  if (n_occurring < 2 || node.total - right >= errors_to_beat - error_slack(node)) return best;
  best.errors = node.total - right;
  best.split.test = graph::SplitKind::multiway;
  best.split.n_branches = column.n_codes;
  return best;
}

ErrorSplit multiway_errors_of_table(const NodeView& node, const data::Column& column, double errors_to_beat,
                                    std::span<const double> cells) {
  return multiway_errors(node, column, errors_to_beat, [&](const auto& visit) {
    for (std::size_t value = 0; value < column.n_codes; ++value) {
      const auto of_value = cells.subspan(value * node.n_local, node.n_local);
      if (occurs(of_value)) visit(of_value);
    }
  });
}

ErrorSplit multiway_errors_of_list(const NodeView& node, std::span<const WeighedRow> rows, const data::Column& column,
                                   double errors_to_beat, std::span<const CodedRow> list) {
  std::vector<double> of_value(node.n_local);
  return multiway_errors(node, column, errors_to_beat, [&](const auto& visit) {
    for (std::size_t i = 0; i < list.size();) {
      std::ranges::fill(of_value, 0.0);
      for (const std::uint32_t code = list[i].code; i < list.size() && list[i].code == code; ++i)
        of_value[list[i].local_class] += rows[list[i].row].weight;
      visit(of_value);
    }
  });
}

}  // namespace

ErrorSplit fewest_errors(const NodeView& node, std::span<const WeighedRow> rows, const data::Column& column,
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
