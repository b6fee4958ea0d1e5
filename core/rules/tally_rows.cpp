#include "rules/tally_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <variant>

#include "parallel/simd.hpp"

namespace weaklearn::rules {
namespace {

struct Input {
  const Word* all = nullptr;
  const Word* own_class = nullptr;
  const Count* counts = nullptr;  // null: every row counts 1
  const Count* squares = nullptr;  // null: classes have no factors
  std::span<const Word* const> conditions;
  std::size_t n_words = 0;
};

WEAKLEARN_INLINE Count count_in(Word word, std::size_t index, const Count* counts) {
  if (counts == nullptr) return std::popcount(word);
  Count sum = 0;
  for_each_row(word, index * rows_per_word, [&](std::size_t row) { sum += counts[row]; });
  return sum;
}

WEAKLEARN_INLINE void add(Tally& tally, const Input& input, Word word, std::size_t index) {
  tally.rows += count_in(word, index, input.counts);
  tally.errors += count_in(word & ~input.own_class[index], index, input.counts);
  if (input.squares != nullptr) tally.squares += count_in(word, index, input.squares);
}

// Most blocks of rows fail two conditions near the root, and the others need not be looked at.
WEAKLEARN_WIDE void tally_words(const Input& input, Tally* tallies, Word* matched) {
  for (std::size_t first = 0; first < input.n_words; first += words_per_block) {
    Word fail_none[words_per_block];
    Word fail_one[words_per_block] = {};
    for (std::size_t j = 0; j < words_per_block; ++j) fail_none[j] = input.all[first + j];
    Word any = 1;
    for (const Word* condition : input.conditions) {
      const Word* satisfied = condition + first;
      any = 0;
      for (std::size_t j = 0; j < words_per_block; ++j) {
        fail_one[j] = (fail_one[j] & satisfied[j]) | (fail_none[j] & ~satisfied[j]);
        fail_none[j] &= satisfied[j];
        any |= fail_one[j] | fail_none[j];
      }
      if (any == 0) break;
    }
    for (std::size_t j = 0; j < words_per_block; ++j) matched[first + j] = fail_none[j];
    if (any == 0) continue;
    for (std::size_t j = 0; j < words_per_block; ++j) {
      if (fail_none[j] != 0) add(tallies[0], input, fail_none[j], first + j);
      if (fail_one[j] == 0) continue;
      for (std::size_t c = 0; c < input.conditions.size(); ++c)
        if (const Word fails = fail_one[j] & ~input.conditions[c][first + j]; fails != 0)
          add(tallies[1 + c], input, fails, first + j);
    }
  }
}

template <class Code>
WEAKLEARN_INLINE void write_range(const data::CodeArray<Code>& codes, std::uint32_t first, std::uint32_t n,
                                  Word* words) {
  // One comparison: codes below `first` become large numbers.
  const Code* code = codes.data();
  write_bits(codes.size(), words, [=](std::size_t row) { return static_cast<std::uint32_t>(code[row]) - first < n; });
}

// Writes the rows whose code is in [first, first + n).
WEAKLEARN_WIDE void find_codes(const data::Codes& codes, std::uint32_t first, std::uint32_t n, Word* words) {
  if (const auto* bytes = std::get_if<0>(&codes))
    write_range(*bytes, first, n, words);
  else if (const auto* shorts = std::get_if<1>(&codes))
    write_range(*shorts, first, n, words);
  else
    write_range(std::get<2>(codes), first, n, words);
}

}  // namespace

void tally_rows(const CountedRows& rows, std::int32_t label, std::span<const Word* const> conditions,
                std::span<Tally> tallies, RowBits& matched) {
  std::ranges::fill(tallies, Tally{});
  const Input input{rows.all().data(),   rows.rows_of_class(label).data(), rows.counts(), rows.squares(), conditions,
                    rows.all().n_words()};
  tally_words(input, tallies.data(), matched.data());
  for (std::size_t c = 1; c < tallies.size(); ++c) {
    tallies[c].rows += tallies[0].rows;
    tallies[c].errors += tallies[0].errors;
    tallies[c].squares += tallies[0].squares;
  }
}

void find_rows(const CountedRows& rows, const Condition& condition, RowBits& satisfied) {
  const data::Column& column = rows.dataset().columns[condition.column];
  const std::uint32_t n_codes = column.n_codes;
  if (condition.kind == ConditionKind::equals) {
    find_codes(column.codes, condition.values[0], 1, satisfied.data());
  } else if (condition.kind == ConditionKind::one_of) {
    std::vector<std::uint8_t> in_set(n_codes + std::size_t{1}, 0);
    for (const std::uint32_t value : condition.values) in_set[value] = 1;
    std::visit(
        [&](const auto& codes) {
          write_bits(codes.size(), satisfied.data(), [&](std::size_t row) { return in_set[codes[row]] != 0; });
        },
        column.codes);
  } else {
    const std::uint32_t first_above = codes_up_to(column, condition.threshold);
    const bool above = condition.kind == ConditionKind::above;
    find_codes(column.codes, above ? first_above : 0, above ? n_codes - first_above : first_above, satisfied.data());
  }
}

}  // namespace weaklearn::rules
