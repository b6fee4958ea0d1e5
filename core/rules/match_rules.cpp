#include "rules/match_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "parallel/thread_pool.hpp"

namespace weaklearn::rules {
namespace {

constexpr std::uint32_t rows_per_block = rows_per_word * words_per_block;

std::vector<std::uint64_t> identity(const Condition& condition) {
  std::vector<std::uint64_t> key{condition.column, static_cast<std::uint64_t>(condition.kind),
                                 std::bit_cast<std::uint64_t>(condition.threshold)};
  key.insert(key.end(), condition.values.begin(), condition.values.end());
  return key;
}

}  // namespace

Matcher::Matcher(const Ruleset& ruleset)
    : columns_(ruleset.columns), needs_numbers_(ruleset.columns.size(), false), first_{0} {
  std::map<std::vector<std::uint64_t>, std::uint32_t> index_of;
  for (const Rule& rule : ruleset.rules) {
    for (const Condition& condition : rule.conditions) {
      const auto next = static_cast<std::uint32_t>(conditions_.size());
      const auto [place, is_new] = index_of.try_emplace(identity(condition), next);
      if (is_new) conditions_.push_back(condition);
      used_.push_back(place->second);
      if (condition.values.empty()) needs_numbers_[condition.column] = true;
    }
    first_.push_back(static_cast<std::uint32_t>(used_.size()));
    never_matches_.push_back(too_inaccurate(rule.error));
  }
}

void Matcher::evaluate(const graph::InputRows& rows, std::uint32_t first_row, std::uint32_t n_rows,
                       Block& block) const {
  std::ranges::fill(block, Word{0});
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    const Condition& condition = conditions_[c];
    const graph::InputColumn& column = rows.columns[condition.column];
    Word* words = block.data() + c * words_per_block;
    if (!condition.values.empty()) {
      const std::int32_t* codes = column.codes + first_row;
      write_bits(n_rows, words, [&](std::size_t row) {
        return codes[row] >= 0 && std::ranges::binary_search(condition.values, static_cast<std::uint32_t>(codes[row]));
      });
      continue;
    }
    const double threshold = condition.threshold;
    const bool above = condition.kind == ConditionKind::above;
    const bool single = columns_[condition.column].single_precision;
    // Comparisons with NaN are false, so a missing value fails either condition.
    write_bits(n_rows, words, [&](std::size_t row) {
      const double value = column.numbers[first_row + row];
      if (!single) return above ? value > threshold : value <= threshold;
      return above ? static_cast<float>(value) > static_cast<float>(threshold)
                   : static_cast<float>(value) <= static_cast<float>(threshold);
    });
  }
}

Word Matcher::matched(std::size_t rule, std::size_t word, Word candidates, const Block& block) const {
  if (never_matches_[rule]) return 0;
  for (std::uint32_t i = first_[rule]; i < first_[rule + 1] && candidates != 0; ++i)
    candidates &= block[used_[i] * words_per_block + word];
  return candidates;
}

template <class Use>
void Matcher::for_each_block(const graph::InputRows& rows, const Use& use) const {
  parallel::ThreadPool pool(rows.n_threads);
  std::vector<Block> blocks(pool.n_threads(), Block(conditions_.size() * words_per_block));
  pool.for_each((rows.n_rows + rows_per_block - 1) / rows_per_block, [&](std::uint32_t b, std::uint32_t thread) {
    const std::uint32_t first_row = b * rows_per_block;
    const std::uint32_t n_rows = std::min(rows_per_block, rows.n_rows - first_row);
    evaluate(rows, first_row, n_rows, blocks[thread]);
    use(first_row, n_rows, blocks[thread]);
  });
}

void Matcher::first_match(const graph::InputRows& rows, std::int32_t* first) const {
  for_each_block(rows, [&](std::uint32_t first_row, std::uint32_t n_rows, const Block& block) {
    std::fill_n(first + first_row, n_rows, -1);
    for (std::size_t w = 0; w * rows_per_word < n_rows; ++w) {
      const std::size_t in_word = n_rows - w * rows_per_word;
      Word open = in_word < rows_per_word ? (Word{1} << in_word) - 1 : ~Word{0};
      for (std::size_t rule = 0; rule + 1 < first_.size() && open != 0; ++rule) {
        const Word rows_of_rule = matched(rule, w, open, block);
        for_each_row(rows_of_rule, first_row + w * rows_per_word,
                     [&](std::size_t row) { first[row] = static_cast<std::int32_t>(rule); });
        open &= ~rows_of_rule;
      }
    }
  });
}

Matches Matcher::all_matches(const graph::InputRows& rows) const {
  std::vector<std::vector<std::int32_t>> rules_of(rows.n_rows);
  for_each_block(rows, [&](std::uint32_t first_row, std::uint32_t n_rows, const Block& block) {
    for (std::size_t w = 0; w * rows_per_word < n_rows; ++w) {
      const std::size_t in_word = n_rows - w * rows_per_word;
      const Word all = in_word < rows_per_word ? (Word{1} << in_word) - 1 : ~Word{0};
      for (std::size_t rule = 0; rule + 1 < first_.size(); ++rule)
        for_each_row(matched(rule, w, all, block), first_row + w * rows_per_word,
                     [&](std::size_t row) { rules_of[row].push_back(static_cast<std::int32_t>(rule)); });
    }
  });
  Matches matches{{0}, {}};
  for (const std::vector<std::int32_t>& rules : rules_of) {
    matches.rules.insert(matches.rules.end(), rules.begin(), rules.end());
    matches.row_start.push_back(static_cast<std::int64_t>(matches.rules.size()));
  }
  return matches;
}

}  // namespace weaklearn::rules
