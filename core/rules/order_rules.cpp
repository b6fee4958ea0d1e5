#include "rules/order_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace weaklearn::rules {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

std::int32_t choose_default(const CountedRows& rows, const std::vector<bool>& is_covered) {
  std::vector<Count> uncovered(rows.n_classes(), 0);
  for (std::uint32_t row = 0; row < rows.n_rows(); ++row)
    if (!is_covered[row]) uncovered[rows.class_of(row)] += rows.count_of(row);
  std::int32_t best = 0;
  for (std::int32_t label = 1; label < static_cast<std::int32_t>(uncovered.size()); ++label)
    if (rows.is_more(uncovered[label], uncovered[best]) ||
        (!rows.is_more(uncovered[best], uncovered[label]) &&
         rows.is_more(rows.class_total(label), rows.class_total(best))))
      best = label;
  return best;
}

// The rows of other classes that rules match, each row once.
class FalsePositives {
 public:
  explicit FalsePositives(const CountedRows& rows) : rows_(rows), seen_by_(rows.n_rows(), 0) {}

  Count count(std::int32_t label, const std::vector<PrunedRule>& rules, const std::vector<std::uint32_t>& selected,
              const std::vector<bool>& is_covered) {
    ++round_;
    Count sum = 0;
    for (const std::uint32_t rule : selected) {
      for (const std::uint32_t row : matched_rows(rules[rule])) {
        if (is_covered[row] || seen_by_[row] == round_) continue;
        seen_by_[row] = round_;
        if (rows_.class_of(row) != label) sum += rows_.count_of(row);
      }
    }
    return sum;
  }

 private:
  const CountedRows& rows_;
  std::vector<std::uint32_t> seen_by_;  // per row: the last round that counted it
  std::uint32_t round_ = 0;
};

// Per row the positions in the list of the rules that match it, ascending.
class MatchingRules {
 public:
  MatchingRules(std::uint32_t n_rows, const std::vector<PrunedRule>& rules, const std::vector<std::uint32_t>& order)
      : first_(n_rows + std::size_t{1}, 0) {
    for (const std::uint32_t rule : order)
      for (const std::uint32_t row : matched_rows(rules[rule])) ++first_[row + 1];
    for (std::size_t row = 0; row < n_rows; ++row) first_[row + 1] += first_[row];
    positions_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t position = 0; position < order.size(); ++position)
      for (const std::uint32_t row : matched_rows(rules[order[position]])) positions_[next[row]++] = position;
  }

  // The first two rules of the list that match a row and were not removed.
  struct FirstTwo {
    std::uint32_t first = none;
    std::uint32_t second = none;
  };
  FirstTwo first_two(std::uint32_t row, const std::vector<bool>& removed) const {
    FirstTwo result;
    for (std::size_t i = first_[row]; i < first_[row + 1]; ++i) {
      if (removed[positions_[i]]) continue;
      if (result.first != none) {
        result.second = positions_[i];
        break;
      }
      result.first = positions_[i];
    }
    return result;
  }

 private:
  std::vector<std::size_t> first_;  // per row
  std::vector<std::uint32_t> positions_;
};

// The uses of all rules of a list, kept up to date while rules are removed.
class Uses {
 public:
  Uses(const CountedRows& rows, const std::vector<PrunedRule>& rules, const OrderedRules& ordered)
      : rows_(rows),
        rules_(rules),
        ordered_(ordered),
        matching_(rows.n_rows(), rules, ordered.order),
        removed_(ordered.order.size(), false),
        uses_(ordered.order.size()) {
    for (std::uint32_t row = 0; row < rows.n_rows(); ++row) add(row, 1);
  }

  std::optional<std::uint32_t> first_harmful() const {
    for (std::uint32_t position = 0; position < uses_.size(); ++position)
      if (!removed_[position] && rows_.is_more(uses_[position].worse, uses_[position].better)) return position;
    return std::nullopt;
  }

  void remove(std::uint32_t position) {
    const std::vector<std::uint32_t>& affected = matched_rows(rules_[ordered_.order[position]]);
    for (const std::uint32_t row : affected) add(row, -1);
    removed_[position] = true;
    for (const std::uint32_t row : affected) add(row, 1);
  }

  bool is_removed(std::uint32_t position) const { return removed_[position]; }
  const Use& use(std::uint32_t position) const { return uses_[position]; }

  std::vector<Count> classes_of_others() const {
    std::vector<Count> counts(rows_.n_classes(), 0);
    for (std::uint32_t row = 0; row < rows_.n_rows(); ++row)
      if (matching_.first_two(row, removed_).first == none) counts[rows_.class_of(row)] += rows_.count_of(row);
    return counts;
  }

 private:
  void add(std::uint32_t row, Count sign) {
    const auto [first, second] = matching_.first_two(row, removed_);
    if (first == none) return;
    const Count count = sign * rows_.count_of(row);
    const std::int32_t given = rules_[ordered_.order[first]].label;
    const std::int32_t next = second == none ? ordered_.default_class : rules_[ordered_.order[second]].label;
    const std::int32_t label = rows_.class_of(row);
    Use& use = uses_[first];
    use.rows += count;
    if (given != label) use.errors += count;
    if (given == next) return;
    if (given == label)
      use.better += count;
    else if (next == label)
      use.worse += count;
  }

  const CountedRows& rows_;
  const std::vector<PrunedRule>& rules_;
  const OrderedRules& ordered_;
  MatchingRules matching_;
  std::vector<bool> removed_;
  std::vector<Use> uses_;
};

}  // namespace

const std::vector<std::uint32_t>& matched_rows(const PrunedRule& rule) {
  static const std::vector<std::uint32_t> no_rows;
  return too_inaccurate(rule.error) ? no_rows : rule.rows;
}

OrderedRules order_rules(const CountedRows& rows, const std::vector<PrunedRule>& rules,
                         const std::vector<std::vector<std::uint32_t>>& selected) {
  OrderedRules result;
  std::vector<bool> is_covered(rows.n_rows(), false);
  std::vector<bool> is_placed(selected.size(), false);
  FalsePositives false_positives(rows);
  for (std::size_t placed = 0; placed < selected.size(); ++placed) {
    std::optional<std::size_t> best;
    Count fewest = 0;
    for (std::size_t label = 0; label < selected.size(); ++label) {
      if (is_placed[label]) continue;
      const Count count = false_positives.count(static_cast<std::int32_t>(label), rules, selected[label], is_covered);
      if (best && !rows.is_more(fewest, count)) continue;
      fewest = count;
      best = label;
    }
    is_placed[*best] = true;
    std::vector<std::uint32_t> order = selected[*best];
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return rules[a].error < rules[b].error; });
    for (const std::uint32_t rule : order)
      for (const std::uint32_t row : matched_rows(rules[rule])) is_covered[row] = true;
    result.order.insert(result.order.end(), order.begin(), order.end());
  }
  result.default_class = choose_default(rows, is_covered);
  return result;
}

std::vector<Use> remove_rules(const CountedRows& rows, const std::vector<PrunedRule>& rules, OrderedRules& ordered,
                              std::vector<Count>& classes_of_others) {
  Uses uses(rows, rules, ordered);
  while (const std::optional<std::uint32_t> harmful = uses.first_harmful()) uses.remove(*harmful);
  classes_of_others = uses.classes_of_others();
  std::vector<std::uint32_t> remaining;
  std::vector<Use> result;
  for (std::uint32_t position = 0; position < ordered.order.size(); ++position) {
    if (uses.is_removed(position)) continue;
    remaining.push_back(ordered.order[position]);
    result.push_back(uses.use(position));
  }
  ordered.order = std::move(remaining);
  return result;
}

}  // namespace weaklearn::rules
