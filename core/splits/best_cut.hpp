// The best cut of a continuous column at a node.
//
// Where rows of missing value take one branch (missing_takes_branch) and the node has such rows, every cut is tried
// twice: with all of these rows below and with all of them above it. The split of the missing from all known values is
// tried as well. Each of these counts as a tried cut if it leaves enough on both sides, the missing rows included.
// The best impurity wins. Ties go to the lowest cut, and at one cut to the side of larger known weight, then to the low
// side. A cut between values goes before the split of missing from known values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splits/threshold.hpp"

namespace weaklearn::splits {

// Searches the cuts of a column of which some rows at the node have no value.
template <class Weights>
class MissingCuts {
 public:
  using Count = typename Weights::Count;

  // In `counts`, all known weight is above the cut, and missing_weights are filled in.
  MissingCuts(const Weights& weights, const NodeView& node, const data::Column& column, CountScratch<Count>& counts,
              std::span<const double> factors)
      : weights_(weights), node_(node), column_(column), counts_(counts), factors_(factors) {}

  // `scan(search)` lets a CutSearch scan the known rows.
  template <class Scan>
  Split best(const Scan& scan) {
    Sides<Count>& sides = counts_.sides;
    counts_.known_weights = sides.high;
    const std::vector<std::uint32_t> rows = sides.rows_above;
    for (std::size_t k = 0; k < sides.high.size(); ++k) {
      sides.high[k] += counts_.missing_weights[k];
      // A class with missing rows always has some of them above.
      if constexpr (!Weights::unit) sides.rows_above[k] += counts_.missing_weights[k] != 0;
    }
    sides.sum_up(weights_);
    CutSearch<Weights> above(weights_, node_, column_, sides, factors_, counts_.survey);
    scan(above);

    sides.start_with_low(weights_, counts_.missing_weights, counts_.known_weights, rows);
    CutSearch<Weights> below(weights_, node_, column_, sides, factors_, counts_.survey);
    const bool tried_apart = below.may_be_tried();
    const bool may_be_apart = tried_apart && below.may_be_chosen();
    const Count missing = sides.low_weight;
    const double apart =
        weights_.impurity(sides.low_sum, missing) + weights_.impurity(sides.high_sum, sides.known - missing);
    scan(below);

    const std::uint64_t n_tried = above.n_tried() + below.n_tried() + tried_apart;
    const bool to_low = goes_below(below, above, missing);
    const CutSearch<Weights>& better = to_low ? below : above;
    if (may_be_apart && better.is_beaten_by(apart)) {
      Split split = better.score(apart, sides.known - missing, n_tried);
      split.known_together = true;
      split.missing_branch = 1;
      return split;
    }
    Split split = better.best(n_tried);
    split.missing_branch = to_low ? 0 : 1;
    return split;
  }

 private:
  // Whether the best cut has the missing rows below.
  bool goes_below(const CutSearch<Weights>& below, const CutSearch<Weights>& above, Count missing) const {
    if (!below.has_best() || !above.has_best()) return below.has_best();
    if (below.is_beaten_by(above.best_impurity())) return false;
    if (above.is_beaten_by(below.best_impurity())) return true;
    const std::uint32_t cut_below = below.best_code(column_);
    const std::uint32_t cut_above = above.best_code(column_);
    if (cut_below != cut_above) return cut_below < cut_above;
    const auto known_below = static_cast<double>(above.best_weight());
    return at_least(known_below, static_cast<double>(counts_.sides.known - missing) - known_below);
  }

  const Weights& weights_;
  const NodeView& node_;
  const data::Column& column_;
  CountScratch<Count>& counts_;
  std::span<const double> factors_;
};

// Sums up per class the weight of the rows of a node that have no value. `class_at(i)` is the class of the i-th row.
template <class Weights, class ClassAt>
void sum_up_missing(const Weights& weights, const NodeView& node, const data::Column& column, std::size_t n_classes,
                    const ClassAt& class_at, std::vector<typename Weights::Count>& missing) {
  missing.assign(n_classes, 0);
  std::visit(
      [&](const auto& codes) {
        for (std::size_t i = 0; i < node.rows.size(); ++i)
          if (codes[node.rows[i]] == column.n_codes) missing[class_at(i)] += weights.weight_of(node.rows[i]);
      },
      column.codes);
}

template <class Weights, class Element>
Split best_cut_of_list(const Weights& weights, const NodeView& node, const data::Column& column,
                       std::span<const Element> list, Scratch& scratch) {
  using Count = typename Weights::Count;
  auto& counts = scratch.counts<Count>();
  auto& sides = counts.sides;
  constexpr bool local = std::is_same_v<Element, CodedRow>;
  const std::size_t n_classes = local ? node.n_local : node.class_weights.size();
  const std::span<const double> factors = local ? node.local_factors : node.factors;
  const bool all_known = list.size() == node.rows.size();
  if (local && all_known && weights.node_sides != nullptr) {
    sides.start_from(*weights.node_sides);
  } else {
    sides.start(n_classes);
    if (!local && all_known) {
      for (std::size_t k = 0; k < n_classes; ++k) {
        sides.high[k] = static_cast<Count>(node.class_weights[k]);
        if constexpr (!Weights::unit) sides.rows_above[k] = node.class_rows[k];
      }
    } else {
      for (const Element& element : list) {
        const std::uint32_t k = class_of(element, node.tagging);
        sides.high[k] += weights.weight_of(row_of(element, node.tagging));
        if constexpr (!Weights::unit) ++sides.rows_above[k];
      }
    }
    if (node.missing_takes_branch && !all_known) {
      if constexpr (local)
        sum_up_missing(
            weights, node, column, n_classes, [&](std::size_t i) { return node.local_class[i]; },
            counts.missing_weights);
      else
        sum_up_missing(
            weights, node, column, n_classes, [&](std::size_t i) { return node.class_of[node.rows[i]]; },
            counts.missing_weights);
      if (list.empty()) return {};
      return MissingCuts<Weights>(weights, node, column, counts, factors).best([&](CutSearch<Weights>& search) {
        search.scan(list);
      });
    }
    sides.sum_up(weights);
  }
  CutSearch<Weights> search(weights, node, column, sides, factors, counts.survey);
  search.scan(list);
  return search.best(search.n_tried());
}

template <class Weights>
Split best_cut_of_table(const Weights& weights, const NodeView& node, const data::Column& column,
                        std::span<const typename Weights::Count> cells, Scratch& scratch) {
  using Count = typename Weights::Count;
  auto& counts = scratch.counts<Count>();
  auto& sides = counts.sides;
  const std::size_t n_local = node.n_local;
  // The scan of two classes does not count the rows above a cut, so it needs no cells to start if sums are exact.
  const bool knows_sides =
      Weights::forgives_rounding || (Weights::additive && node.exact && n_local == 2 && node.local_factors.empty());
  if (knows_sides && weights.node_sides != nullptr && column.n_missing == 0) {
    sides.start_from(*weights.node_sides);
  } else {
    sides.start(n_local);
    Count* const high = sides.high.data();
    for (std::uint32_t code = 0; code < column.n_codes; ++code) {
      const auto row = cells.subspan(code * n_local, n_local);
      for (std::size_t k = 0; k < n_local; ++k) high[k] += row[k];
      if constexpr (!Weights::forgives_rounding)
        for (std::size_t k = 0; k < n_local; ++k) sides.rows_above[k] += row[k] != 0;
    }
    const auto missing = cells.last(n_local);
    if (node.missing_takes_branch && std::ranges::any_of(missing, [](Count x) { return x != 0; })) {
      if (std::ranges::none_of(sides.high, [](Count x) { return x != 0; })) return {};
      counts.missing_weights.assign(missing.begin(), missing.end());
      return MissingCuts<Weights>(weights, node, column, counts, node.local_factors)
          .best([&](CutSearch<Weights>& search) { search.scan(cells, column.n_codes, n_local); });
    }
    sides.sum_up(weights);
  }
  CutSearch<Weights> search(weights, node, column, sides, node.local_factors, counts.survey);
  search.scan(cells, column.n_codes, n_local);
  return search.best(search.n_tried());
}

}  // namespace weaklearn::splits
