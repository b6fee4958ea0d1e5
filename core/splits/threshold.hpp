// The best cut of a continuous attribute, by C4.5's rules: between values more than 1e-5 apart, with at
// least `minsplit` on each side, the lowest of the cuts of greatest gain, and a charge for having had
// a choice (the penalty of Release 8).
#pragma once

#include <cmath>
#include <limits>

#include "splits/adjacent_values.hpp"
#include "splits/node_view.hpp"
#include "splits/row_blocks.hpp"
#include "splits/sorted_scan.hpp"
#include "splits/two_class_threshold.hpp"
#include "splits/value_table_scan.hpp"

namespace weaklearn::splits {

// C4.5's `minsplit`, from the weight of the rows whose value is known.
inline double least_side(const NodeView& node, double known) {
  const double tenth = 0.10 * known / static_cast<double>(node.class_weights.size());
  if (at_most(tenth, node.min_objects)) return node.min_objects;
  return std::min(tenth, 25.0);
}

// Looks at the cuts upwards and keeps the best.
template <class Weights>
class CutSearch {
 public:
  using Count = typename Weights::Count;

  // All weight is above the cut, and summed up.
  CutSearch(const Weights& weights, const NodeView& node, const data::Column& column, Sides<Count>& sides,
            Survey<Count>& survey)
      : weights_(weights), node_(node), neighbours_(column, node.tagging), sides_(sides), survey_(survey) {
    known_ = sides.known;
    whole_ = sides.whole;
    const double known = static_cast<double>(known_);
    const double minsplit = least_side(node, known);
    lowest_ = Weights::least(minsplit - slack_at(minsplit));
    highest_ = Weights::greatest(known - minsplit + slack_at(known - minsplit));
    if (less(known, 2 * node.min_objects)) highest_ = 0;  // no cut is possible
    more_than_minsplit_ = node.min_objects > minsplit;
    widest_slack_ = criteria::slack * std::max(node.total, whole_);
    start();
  }

  // Over a node's rows in ascending order of value.
  template <class Element>
  void scan(std::span<const Element> list) {
    by_row_ = std::is_same_v<Element, data::Entry>;
    if constexpr (criteria::Screened<typename Weights::Criterion>)
      if (sides_.high.size() == 2 && static_cast<double>(known_) > 1e-290) return scan_two_classes(list);
    if constexpr (!Weights::additive)
      scan(list, GeneralWalk<Weights>(weights_, node_, sides_));
    else if constexpr (Weights::whole)
      scan(list, CountWalk<Weights>(weights_, node_, sides_));
    else
      scan(list, WeightWalk<Weights>(weights_, node_, sides_));
  }

  // Over the weights of a node by code and class.
  void scan(std::span<const Count> cells, std::uint32_t n_codes, std::size_t n_local) {
    const auto steps = TableWalk<Weights>(weights_, sides_, lowest_, highest_).steps(cells, n_codes, n_local);
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      const CodedRow below{steps[i].code, 0, 0};
      const CodedRow above{steps[i + 1].code, 0, 0};
      if (steps[i].low < lowest_ || steps[i].low > highest_ || !neighbours_.apart(below, above)) continue;
      ++tries_;
      if (steps[i].parts < below_) keep(below, above, steps[i].low, steps[i].parts);
    }
  }

  Split best() const {
    Split split;
    if (!found_) return split;
    double gain = (whole_ - best_parts_) / node_.total;
    if (node_.threshold_penalty) gain -= criteria::log2_of_count(tries_) / node_.total;
    if (at_most(gain, node_.least_gain)) return split;
    const double known = static_cast<double>(known_);
    const double low = static_cast<double>(best_weight_);
    split.gain = gain;
    const double total_term = known == node_.total ? sides_.known_term : weights_.x_log2_x(node_.total);
    split.split_info = (total_term - weights_.x_log2_x(node_.total - known) -
                        weights_.x_log2_x(low) - weights_.x_log2_x(known - low)) /
                       node_.total;
    split.test = graph::SplitKind::threshold;
    split.low = best_low_;
    split.high = best_high_;
    split.by_row = by_row_;
    split.n_branches = 2;
    return split;
  }

 private:
  template <class Element, class Walk>
  void scan(std::span<const Element> list, Walk&& walk) {
    Block<Count> block;
    for (std::size_t start = 0; start + 1 < list.size();) {
      const std::size_t n_cuts = list.size() - 1 - start;
      const std::size_t n = std::min<std::size_t>(block_rows, n_cuts);
      walk.next(list.subspan(start, n), block);
      // The weight below only grows: the cuts that leave enough on both sides lie together.
      std::size_t begin = 0;
      std::size_t end = n;
      while (begin < n && block.low[begin] < lowest_) ++begin;
      while (end > begin && block.low[end - 1] > highest_) --end;
      tries_ += neighbours_.count(list.subspan(start + begin, end - begin + 1));
      if (any_below(block.parts + begin, end - begin, below_))
        for (std::size_t i = begin; i < end; ++i)
          if (block.parts[i] < below_ && neighbours_.apart(list[start + i], list[start + i + 1]))
            keep(list[start + i], list[start + i + 1], block.low[i], block.parts[i]);
      if (end < n) break;
      start += n;
    }
  }

  // Looks only at cuts that can be the best. That is the last in a row of cuts each of which beats the one before by
  // more than the slack. Left out are cuts that do not beat the one held, and such as are worse than another by three
  // times the slack. Those can matter only as the one before the best: where the one before is further from it than
  // that, the best would have beaten any of them and been the last, too. Otherwise every cut is looked at.
  template <class Element>
  void scan_two_classes(std::span<const Element> list) {
    if (list.size() < 2) return;
    TwoClassCuts<Weights, Element> cuts(weights_, node_, sides_, list, survey_);
    look_at_blocks(cuts, list);
    if (!close_call_) return;
    start();
    every_cut_ = true;
    look_at_blocks(cuts, list);
  }

  template <class Element>
  void look_at_blocks(TwoClassCuts<Weights, Element>& cuts, std::span<const Element> list) {
    TwoClassBlock<Count> block;
    if (list.size() - 1 <= block.room) {
      cuts.look_into_all(block);
      look_at(cuts, block, list, neighbours_.count(list));
      return;
    }
    survey(cuts, list);
    aim(cuts, list);
    for (std::size_t b = 0; b < cuts.n_blocks() && cuts.low_at(b) <= highest_; ++b) {
      if (cuts.low_at(b + 1) < lowest_) continue;
      const auto rows = list.subspan(b * block_rows, cuts.n_cuts(b) + 1);
      const bool all_count = cuts.low_at(b) >= lowest_ && cuts.low_at(b + 1) <= highest_;
      if (all_count && cuts.least(b) > screened_limit()) {
        tries_ += survey_.n_apart[b];
      } else {
        cuts.look_into(b, block);
        look_at(cuts, block, rows, survey_.n_apart[b]);
      }
    }
  }

  // Which neighbours are apart is told while they are at hand; looked up are only the doubtful ones, all in a row, so
  // that none has to wait for another.
  template <class Element>
  void survey(TwoClassCuts<Weights, Element>& cuts, std::span<const Element> list) {
    auto& unsure = survey_.unsure;
    unsure.clear();
    cuts.survey([&](std::size_t b) {
      const auto rows = list.subspan(b * block_rows, cuts.n_cuts(b) + 1);
      survey_.n_apart[b] = neighbours_.count_sure(rows, static_cast<std::uint32_t>(b * block_rows), unsure);
    });
    for (const std::uint32_t row : unsure)
      survey_.n_apart[row / block_rows] += neighbours_.looked_up(list[row], list[row + 1]);
  }

  // The best of the cuts at the ends of blocks tells how good a cut has to be.
  template <class Element>
  void aim(const TwoClassCuts<Weights, Element>& cuts, std::span<const Element> list) {
    float least = std::numeric_limits<float>::infinity();
    std::size_t best = cuts.n_blocks();
    for (std::size_t b = 0; b < cuts.n_blocks(); ++b) {
      const Count low = cuts.low_at(b + 1);
      if (cuts.at_end(b) >= least || low < lowest_ || low > highest_ || !leaves_enough(low)) continue;
      const std::size_t row = cuts.last_row(b);
      if (!neighbours_.apart(list[row], list[row + 1])) continue;
      least = cuts.at_end(b);
      best = b;
    }
    if (best < cuts.n_blocks()) aim_ = cuts.parts_at_end(best) + 3 * widest_slack_;
  }

  // What a cut must not be above to be worth a look.
  float screened_limit() const {
    if (every_cut_) return std::numeric_limits<float>::max();
    return static_cast<float>(std::min(below_, aim_) / static_cast<double>(known_)) +
           Weights::Criterion::screening_error;
  }

  // `rows` are those of the block and the one after it, `n_apart` of which are apart.
  template <class Element>
  void look_at(const TwoClassCuts<Weights, Element>& cuts, TwoClassBlock<Count>& block, std::span<const Element> rows,
               std::uint32_t n_apart) {
    constexpr float never = std::numeric_limits<float>::infinity();
    std::size_t begin = 0;
    std::size_t end = block.n;
    while (begin < end && block.low(begin) < lowest_) block.parts[begin++] = never;
    while (end > begin && block.low(end - 1) > highest_) --end;
    if (begin == end) return;
    if (end - begin < block.n) n_apart = neighbours_.count(rows.subspan(begin, end - begin + 1));
    tries_ += n_apart;
    if (n_apart < end - begin || more_than_minsplit_)
      for (std::size_t i = begin; i < end; ++i)
        if (!neighbours_.apart(rows[i], rows[i + 1]) || !leaves_enough(block.low(i))) block.parts[i] = never;
    const float least = least_of(block.parts, end);
    if (least > screened_limit()) return;
    const float near = every_cut_ ? screened_limit()
                                  : least + 2 * Weights::Criterion::screening_error +
                                        static_cast<float>(3 * widest_slack_ / static_cast<double>(known_));
    for (std::size_t i = begin; i < end; ++i) {
      if (block.parts[i] > near) continue;
      const double parts = cuts.parts(block, i);
      if (parts >= below_) continue;
      close_call_ = found_ && below_ - parts <= 3 * widest_slack_;
      keep(rows[i], rows[i + 1], block.low(i), parts);
    }
  }

  void start() {
    // As if a split of the least gain were held: by default those that gain nothing are no splits.
    below_ = whole_ - (node_.least_gain + criteria::slack) * node_.total;
    found_ = false;
    close_call_ = false;
    tries_ = 0;
  }

  static std::uint32_t place(const CodedRow& element, const NodeView&) { return element.code; }
  static std::uint32_t place(const data::Entry& element, const NodeView& node) { return row_of(element, node.tagging); }

  bool leaves_enough(Count low_weight) const {
    return at_least(static_cast<double>(low_weight), node_.min_objects) &&
           at_least(static_cast<double>(known_ - low_weight), node_.min_objects);
  }

  // Notes a cut that beats the best so far, if it leaves enough on both sides.
  template <class Element>
  void keep(const Element& below, const Element& above, Count low_weight, double parts) {
    if (!leaves_enough(low_weight)) return;
    found_ = true;
    best_parts_ = parts;
    best_low_ = place(below, node_);
    best_high_ = place(above, node_);
    best_weight_ = low_weight;
    below_ = parts - criteria::slack * std::max(node_.total, whole_ - parts);
  }

  const Weights& weights_;
  const NodeView& node_;
  Neighbours neighbours_;
  Sides<Count>& sides_;
  Survey<Count>& survey_;
  Count known_ = 0;
  Count lowest_ = 0;   // bounds of the weight below a cut
  Count highest_ = 0;
  bool more_than_minsplit_ = false;  // the least number of objects is more than what the bounds ask for
  double whole_ = 0.0;               // impurity of all known rows, times their weight
  double below_ = 0.0;               // what the parts must stay below to beat the best
  double aim_ = std::numeric_limits<double>::infinity();  // what the best will not be above
  double widest_slack_ = 0.0;        // at most this is what counts as equal
  bool close_call_ = false;          // the best beat the one before by little
  bool every_cut_ = false;           // none is left out
  bool found_ = false;
  bool by_row_ = false;
  double best_parts_ = 0.0;
  std::uint32_t best_low_ = 0;
  std::uint32_t best_high_ = 0;
  Count best_weight_ = 0;
  std::uint64_t tries_ = 0;
};

template <class Weights, class Element>
Split best_cut_of_list(const Weights& weights, const NodeView& node, const data::Column& column,
                       std::span<const Element> list, Scratch& scratch) {
  using Count = typename Weights::Count;
  auto& sides = scratch.counts<Count>().sides;
  constexpr bool local = std::is_same_v<Element, CodedRow>;
  const std::size_t n_classes = local ? node.n_local : node.class_weights.size();
  const bool all_known = list.size() == node.rows.size();
  if (local && all_known && weights.of_node != nullptr) {
    sides.start_as(*weights.of_node);
  } else {
    sides.start(n_classes);
    if (!local && all_known) {
      for (std::size_t k = 0; k < n_classes; ++k) {
        sides.high[k] = static_cast<Count>(node.class_weights[k]);
        if constexpr (!Weights::whole) sides.left[k] = node.class_rows[k];
      }
    } else {
      for (const Element& element : list) {
        const std::uint32_t k = class_of(element, node.tagging);
        sides.high[k] += weights.weight_of(row_of(element, node.tagging));
        if constexpr (!Weights::whole) ++sides.left[k];
      }
    }
    sides.sum_up(weights);
  }
  CutSearch<Weights> search(weights, node, column, sides, scratch.counts<typename Weights::Count>().survey);
  search.scan(list);
  return search.best();
}

template <class Weights>
Split best_cut_of_table(const Weights& weights, const NodeView& node, const data::Column& column,
                        std::span<const typename Weights::Count> cells, Scratch& scratch) {
  auto& sides = scratch.counts<typename Weights::Count>().sides;
  const std::size_t n_local = node.n_local;
  if (Weights::forgives_rounding && weights.of_node != nullptr && column.n_missing == 0) {
    sides.start_as(*weights.of_node);
  } else {
    sides.start(n_local);
    typename Weights::Count* const high = sides.high.data();
    for (std::uint32_t code = 0; code < column.n_codes; ++code) {
      const auto row = cells.subspan(code * n_local, n_local);
      for (std::size_t k = 0; k < n_local; ++k) high[k] += row[k];
      if constexpr (!Weights::forgives_rounding)
        for (std::size_t k = 0; k < n_local; ++k) sides.left[k] += row[k] != 0;
    }
    sides.sum_up(weights);
  }
  CutSearch<Weights> search(weights, node, column, sides, scratch.counts<typename Weights::Count>().survey);
  search.scan(cells, column.n_codes, n_local);
  return search.best();
}

}  // namespace weaklearn::splits
