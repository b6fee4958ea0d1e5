// The search for the best cut of a continuous column, by the rules of C4.5. A cut lies between values that are more
// than 1e-5 apart and leaves at least `minsplit` on each side. Ties go to the lowest cut. The gain is reduced by a
// charge for the number of cuts tried (the penalty of Release 8). Bins leave fewer cuts to try. The charge is then for
// as many as the column would have without bins, or the tree would grow larger than without. best_cut.hpp starts the
// search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "splits/adjacent_values.hpp"
#include "splits/cut_limits.hpp"
#include "splits/node_view.hpp"
#include "splits/row_blocks.hpp"
#include "splits/sorted_scan.hpp"
#include "splits/two_class_threshold.hpp"
#include "splits/value_table_scan.hpp"

namespace weaklearn::splits {

// Scans the cuts upwards and keeps the best one.
template <class Weights>
class CutSearch {
 public:
  using Count = typename Weights::Count;

  // The sums of `sides` are computed. `factors` are those of its classes. Weight that is on a side and not in the
  // scanned list or table stays there: that is how rows of missing value are counted on one side.
  CutSearch(const Weights& weights, const NodeView& node, const data::Column& column, Sides<Count>& sides,
            std::span<const double> factors, BlockSurvey<Count>& survey)
      : weights_(weights),
        node_(node),
        values_(column, node.tagging),
        sides_(sides),
        factors_(factors),
        survey_(survey) {
    known_ = sides.known;
    node_impurity_ = sides.impurity;
    const double known = static_cast<double>(known_);
    const double minsplit = least_side(node, known);
    lowest_ = Weights::round_up(minsplit - slack_at(minsplit));
    highest_ = Weights::round_down(known - minsplit + slack_at(known - minsplit));
    if (less(known, 2 * node.min_objects)) highest_ = 0;  // no cut is possible
    n_without_bins_ = cuts_without_bins(column.shared_bins, known, minsplit);
    if constexpr (!Weights::unit)
      if (!factors.empty()) bound_by_effective_rows(column.shared_bins);
    min_objects_above_minsplit_ = node.min_objects > minsplit;
    widest_slack_ = criteria::slack * std::max(node.total, node_impurity_);
    start();
  }

  // Scans the rows of a node, sorted by ascending value.
  template <class Element>
  void scan(std::span<const Element> list) {
    by_row_ = std::is_same_v<Element, data::Entry>;
    if constexpr (criteria::Screened<typename Weights::Criterion>)
      if (factors_.empty() && sides_.high.size() == 2 && static_cast<double>(known_) > 1e-290 &&
          !has_fixed_rows(list.size()))
        return scan_two_classes(list);
    if constexpr (!Weights::additive)
      scan(list, GeneralScan<Weights>(weights_, node_, sides_));
    else if constexpr (Weights::unit)
      scan(list, CountScan<Weights>(weights_, node_, sides_));
    else
      scan(list, WeightScan<Weights>(weights_, node_, sides_));
  }

  // Scans the weights of a node by code and class.
  void scan(std::span<const Count> cells, std::uint32_t n_codes, std::size_t n_local) {
    if constexpr (!Weights::unit)
      if (!factors_.empty()) return scan_by_effective_rows(cells, n_codes, n_local);
    if constexpr (Weights::additive)
      if (n_local == 2 && sides_.low_weight == 0) return scan_two_class_table(cells, n_codes);
    const auto steps = TableScan<Weights>(weights_, sides_, lowest_, highest_).steps(cells, n_codes, n_local);
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      const CodedRow below{steps[i].code, 0, 0};
      const CodedRow above{steps[i + 1].code, 0, 0};
      if (steps[i].low < lowest_ || steps[i].low > highest_ || !values_.are_apart(below, above)) continue;
      ++n_tried_;
      if (steps[i].impurity < bound_) keep(below, above, steps[i].low, steps[i].impurity);
    }
  }

  // Returns the split of the best cut, with the charge for `n_tried` cuts.
  Split best(std::uint64_t n_tried) const {
    if (!has_best_) return {};
    Split split = score(best_impurity_, best_weight_, n_tried);
    if (split.kind == graph::SplitKind::leaf) return split;
    split.low = best_low_;
    split.high = best_high_;
    split.by_row = by_row_;
    return split;
  }

  // Returns a threshold split of this impurity that leaves this weight below, or no split if its gain is too small.
  Split score(double impurity, Count low_weight, std::uint64_t n_tried) const {
    Split split;
    double gain = (node_impurity_ - impurity) / node_.total;
    // Heavy rows are not more evidence: the cut must pay for its choice even if no row weighed more than 1.
    if (node_.threshold_penalty) gain -= criteria::log2_of_count(n_tried) / node_.total * node_.largest_factor;
    if (at_most(gain, node_.least_gain)) return split;
    const double known = static_cast<double>(known_);
    const double low = static_cast<double>(low_weight);
    split.gain = gain;
    const double total_term = known == node_.total ? sides_.known_term : weights_.x_log2_x(node_.total);
    split.split_info = (total_term - weights_.x_log2_x(node_.total - known) - weights_.x_log2_x(low) -
                        weights_.x_log2_x(known - low)) /
                       node_.total;
    split.kind = graph::SplitKind::threshold;
    split.n_branches = 2;
    return split;
  }

  // What the scan has found. A cut is charged for at least as many as the column has without bins.
  std::uint64_t n_tried() const { return std::max(n_tried_, n_without_bins_); }
  bool has_best() const { return has_best_; }
  Count best_weight() const { return best_weight_; }  // below the best cut
  double best_impurity() const { return best_impurity_; }
  std::uint32_t best_code(const data::Column& column) const { return by_row_ ? code_of(column, best_low_) : best_low_; }
  // Whether an impurity is better than that of the best cut or, without a cut, good enough for a split.
  bool is_beaten_by(double impurity) const { return impurity < bound_; }

  // Returns whether the sides as they are now leave enough weight on both sides for a cut that counts as tried, and
  // for one that may be chosen.
  bool may_be_tried() const {
    if constexpr (!Weights::unit)
      if (!factors_.empty()) return highest_ != 0 && EffectiveSides(sides_, factors_).have(least_side_);
    return sides_.low_weight >= lowest_ && sides_.low_weight <= highest_;
  }
  bool may_be_chosen() const {
    if constexpr (!Weights::unit)
      if (!factors_.empty()) return EffectiveSides(sides_, factors_).have(node_.min_objects);
    return has_min_objects(sides_.low_weight);
  }

 private:
  // Whether rows of missing value stay on one side. The scan of two classes does not know them.
  bool has_fixed_rows(std::size_t n_scanned) const {
    return node_.missing_takes_branch && n_scanned < node_.rows.size();
  }

  // With factors, a cut is allowed by the effective rows of its sides. Weights bound nothing.
  void bound_by_effective_rows(const data::SharedBins& shared) {
    const double rows = EffectiveSides(sides_, factors_).all();
    least_side_ = least_side(node_, rows);
    n_without_bins_ = cuts_without_bins(shared, rows, least_side_);
    lowest_ = 0;
    highest_ = less(rows, 2 * node_.min_objects) ? 0 : std::numeric_limits<Count>::max();
  }

  // The same for two classes: the cuts do not wait for each other, so that several are computed at a time.
  void scan_two_class_table(std::span<const Count> cells, std::uint32_t n_codes) {
    const TwoClassTable<Weights> table(weights_, sides_, cells, n_codes);
    std::size_t begin = 0;
    std::size_t end = table.n_cuts();
    while (begin < end && table.low(begin) < lowest_) ++begin;
    while (end > begin && table.low(end - 1) > highest_) --end;
    const auto are_apart = [&](std::size_t i) { return values_.are_codes_apart(table.code(i), table.code(i + 1)); };
    if (node_.threshold_penalty && values_.are_all_apart())
      n_tried_ += end - begin;
    else if (node_.threshold_penalty)
      for (std::size_t i = begin; i < end; ++i) n_tried_ += are_apart(i);
    for (std::size_t block = begin; block < end; block += block_rows) {
      const std::size_t n = std::min<std::size_t>(block_rows, end - block);
      if (!any_below(table.impurities() + block, n, bound_)) continue;
      for (std::size_t i = block; i < block + n; ++i)
        if (table.impurities()[i] < bound_ && are_apart(i))
          keep(CodedRow{table.code(i), 0, 0}, CodedRow{table.code(i + 1), 0, 0}, table.low(i), table.impurities()[i]);
    }
  }

  // `rows` is one of the scans of sorted_scan.hpp.
  template <class Element, class RowScan>
  void scan_by_effective_rows(std::span<const Element> list, RowScan&& rows) {
    if (highest_ == 0) return;
    EffectiveSides sides(sides_, factors_);
    Block<Count> block;
    for (std::size_t start = 0; start + 1 < list.size(); start += block_rows) {
      const std::size_t n = std::min<std::size_t>(block_rows, list.size() - 1 - start);
      rows.next(list.subspan(start, n), block);
      for (std::size_t i = start; i < start + n; ++i) {
        sides.move(class_of(list[i], node_.tagging), weights_.weight_of(row_of(list[i], node_.tagging)));
        try_cut(sides, list[i], list[i + 1], block.low[i - start], block.impurity[i - start]);
      }
    }
  }

  void scan_by_effective_rows(std::span<const Count> cells, std::uint32_t n_codes, std::size_t n_local) {
    if (highest_ == 0) return;
    EffectiveSides sides(sides_, factors_);
    const auto steps = TableScan<Weights>(weights_, sides_, lowest_, highest_).steps(cells, n_codes, n_local);
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      for (std::size_t k = 0; k < n_local; ++k) sides.move(k, cells[steps[i].code * n_local + k]);
      try_cut(sides, CodedRow{steps[i].code, 0, 0}, CodedRow{steps[i + 1].code, 0, 0}, steps[i].low, steps[i].impurity);
    }
  }

  template <class Element>
  void try_cut(const EffectiveSides& sides, const Element& below, const Element& above, Count low, double impurity) {
    if (!sides.have(least_side_) || !values_.are_apart(below, above)) return;
    ++n_tried_;
    if (impurity < bound_ && sides.have(node_.min_objects)) note(below, above, low, impurity);
  }

  // `rows` is one of the scans of sorted_scan.hpp.
  template <class Element, class RowScan>
  void scan(std::span<const Element> list, RowScan&& rows) {
    if constexpr (!Weights::unit)
      if (!factors_.empty()) return scan_by_effective_rows(list, rows);
    Block<Count> block;
    for (std::size_t start = 0; start + 1 < list.size();) {
      const std::size_t n_cuts = list.size() - 1 - start;
      const std::size_t n = std::min<std::size_t>(block_rows, n_cuts);
      rows.next(list.subspan(start, n), block);
      // The weight below only grows, so the cuts that leave enough on both sides are consecutive.
      std::size_t begin = 0;
      std::size_t end = n;
      while (begin < n && block.low[begin] < lowest_) ++begin;
      while (end > begin && block.low[end - 1] > highest_) --end;
      n_tried_ += values_.count_apart(list.subspan(start + begin, end - begin + 1));
      if (any_below(block.impurity + begin, end - begin, bound_))
        for (std::size_t i = begin; i < end; ++i)
          if (block.impurity[i] < bound_ && values_.are_apart(list[start + i], list[start + i + 1]))
            keep(list[start + i], list[start + i + 1], block.low[i], block.impurity[i]);
      if (end < n) break;
      start += n;
    }
  }

  // Computes only cuts that can be the best, with the same result as the plain scan. The plain scan keeps a cut if it
  // beats the cut kept before by more than the slack; the best cut is the last one kept. This scan skips
  //   - cuts that do not beat the cut kept before, which changes nothing, and
  //   - cuts that are worse than some other cut by three times the slack.
  // A cut of the second kind matters only if the plain scan keeps it just before the best cut and the best cut then
  // beats it by too little. If the best cut beats the cut kept before by more than three times the slack, it would have
  // beaten any skipped cut, too. Otherwise there is a near tie, and the scan is repeated with every cut.
  template <class Element>
  void scan_two_classes(std::span<const Element> list) {
    if (list.size() < 2) return;
    TwoClassCuts<Weights, Element> cuts(weights_, node_, sides_, list, survey_);
    scan_blocks(cuts, list);
    if (!near_tie_) return;
    start();
    check_every_cut_ = true;
    scan_blocks(cuts, list);
  }

  template <class Element>
  void scan_blocks(TwoClassCuts<Weights, Element>& cuts, std::span<const Element> list) {
    TwoClassBlock<Count> block;
    if (list.size() - 1 <= block.room) {
      cuts.load_all(block);
      scan_block(cuts, block, list, values_.count_apart(list));
      return;
    }
    survey(cuts, list);
    set_target(cuts, list);
    for (std::size_t b = 0; b < cuts.n_blocks() && cuts.low_at(b) <= highest_; ++b) {
      if (cuts.low_at(b + 1) < lowest_) continue;
      const auto rows = list.subspan(b * block_rows, cuts.n_cuts(b) + 1);
      const bool all_count = cuts.low_at(b) >= lowest_ && cuts.low_at(b + 1) <= highest_;
      if (all_count && cuts.lower_bound(b) > estimate_limit()) {
        n_tried_ += survey_.n_apart[b];
      } else {
        cuts.load_block(b, block);
        scan_block(cuts, block, rows, survey_.n_apart[b]);
      }
    }
  }

  // Surveys the blocks and counts the gaps of each block while its rows are in the cache. The uncertain gaps are looked
  // up afterwards, all at once, so that the memory accesses overlap.
  template <class Element>
  void survey(TwoClassCuts<Weights, Element>& cuts, std::span<const Element> list) {
    auto& uncertain = survey_.uncertain;
    uncertain.clear();
    cuts.survey([&](std::size_t b) {
      const auto rows = list.subspan(b * block_rows, cuts.n_cuts(b) + 1);
      survey_.n_apart[b] = values_.count_certain(rows, static_cast<std::uint32_t>(b * block_rows), uncertain);
    });
    for (const std::uint32_t row : uncertain)
      survey_.n_apart[row / block_rows] += values_.are_apart_exactly(list[row], list[row + 1]);
  }

  // Sets the target from the best cut at the end of a block. A cut that is worse than the target cannot be the best.
  template <class Element>
  void set_target(const TwoClassCuts<Weights, Element>& cuts, std::span<const Element> list) {
    float least = std::numeric_limits<float>::infinity();
    std::size_t best = cuts.n_blocks();
    for (std::size_t b = 0; b < cuts.n_blocks(); ++b) {
      const Count low = cuts.low_at(b + 1);
      if (cuts.at_end(b) >= least || low < lowest_ || low > highest_ || !has_min_objects(low)) continue;
      const std::size_t row = cuts.last_row(b);
      if (!values_.are_apart(list[row], list[row + 1])) continue;
      least = cuts.at_end(b);
      best = b;
    }
    if (best < cuts.n_blocks()) target_ = cuts.impurity_at_end(best) + 3 * widest_slack_;
  }

  // Estimates above this limit belong to cuts that cannot be the best.
  float estimate_limit() const {
    if (check_every_cut_) return std::numeric_limits<float>::max();
    return static_cast<float>(std::min(bound_, target_) / static_cast<double>(known_)) +
           Weights::Criterion::screening_error;
  }

  // Scans the cuts of a block. `rows` are the rows of the block and the row after it. `n_apart` of their gaps are large
  // enough for a cut.
  template <class Element>
  void scan_block(const TwoClassCuts<Weights, Element>& cuts, TwoClassBlock<Count>& block,
                  std::span<const Element> rows, std::uint32_t n_apart) {
    constexpr float excluded = std::numeric_limits<float>::infinity();
    std::size_t begin = 0;
    std::size_t end = block.n;
    while (begin < end && block.low(begin) < lowest_) block.impurity[begin++] = excluded;
    while (end > begin && block.low(end - 1) > highest_) --end;
    if (begin == end) return;
    if (end - begin < block.n) n_apart = values_.count_apart(rows.subspan(begin, end - begin + 1));
    n_tried_ += n_apart;
    if (n_apart < end - begin || min_objects_above_minsplit_)
      for (std::size_t i = begin; i < end; ++i)
        if (!values_.are_apart(rows[i], rows[i + 1]) || !has_min_objects(block.low(i))) block.impurity[i] = excluded;
    const float least = least_of(block.impurity, end);
    if (least > estimate_limit()) return;
    const float limit = check_every_cut_ ? estimate_limit()
                                         : least + 2 * Weights::Criterion::screening_error +
                                               static_cast<float>(3 * widest_slack_ / static_cast<double>(known_));
    for (std::size_t i = begin; i < end; ++i) {
      if (block.impurity[i] > limit) continue;
      const double impurity = cuts.impurity(block, i);
      if (impurity >= bound_) continue;
      near_tie_ = has_best_ && bound_ - impurity <= 3 * widest_slack_;
      keep(rows[i], rows[i + 1], block.low(i), impurity);
    }
  }

  void start() {
    // The search starts as if a cut of the least gain had been kept, so a cut must gain more than that.
    bound_ = node_impurity_ - (node_.least_gain + criteria::slack) * node_.total;
    has_best_ = false;
    near_tie_ = false;
    n_tried_ = 0;
  }

  static std::uint32_t code_or_row(const CodedRow& element, const NodeView&) { return element.code; }
  static std::uint32_t code_or_row(const data::Entry& element, const NodeView& node) {
    return row_of(element, node.tagging);
  }

  bool has_min_objects(Count low_weight) const {
    return at_least(static_cast<double>(low_weight), node_.min_objects) &&
           at_least(static_cast<double>(known_ - low_weight), node_.min_objects);
  }

  // Keeps a cut that beats the best so far, if it leaves enough on both sides.
  template <class Element>
  void keep(const Element& below, const Element& above, Count low_weight, double impurity) {
    if (has_min_objects(low_weight)) note(below, above, low_weight, impurity);
  }

  template <class Element>
  void note(const Element& below, const Element& above, Count low_weight, double impurity) {
    has_best_ = true;
    best_impurity_ = impurity;
    best_low_ = code_or_row(below, node_);
    best_high_ = code_or_row(above, node_);
    best_weight_ = low_weight;
    bound_ = impurity - criteria::slack * std::max(node_.total, node_impurity_ - impurity);
  }

  const Weights& weights_;
  const NodeView& node_;
  AdjacentValues values_;
  Sides<Count>& sides_;
  std::span<const double> factors_;  // of the classes of sides_; empty if rows weigh what they count
  double least_side_ = 0.0;  // with factors: the least effective rows on each side
  BlockSurvey<Count>& survey_;
  Count known_ = 0;  // the known weight
  Count lowest_ = 0;  // least weight below a cut
  Count highest_ = 0;  // greatest weight below a cut
  bool min_objects_above_minsplit_ = false;  // then the bounds above are not enough
  double node_impurity_ = 0.0;  // of all known rows
  double bound_ = 0.0;  // a cut beats the best if its impurity is below this
  double target_ = std::numeric_limits<double>::infinity();  // the best impurity is not above this
  double widest_slack_ = 0.0;  // impurities that differ by more are never equal
  bool near_tie_ = false;  // the best cut beats the cut kept before by little
  bool check_every_cut_ = false;
  bool has_best_ = false;
  bool by_row_ = false;
  double best_impurity_ = 0.0;
  std::uint32_t best_low_ = 0;
  std::uint32_t best_high_ = 0;
  Count best_weight_ = 0;
  std::uint64_t n_tried_ = 0;
  std::uint64_t n_without_bins_ = 0;  // the least number of cuts to charge for
};

}  // namespace weaklearn::splits
