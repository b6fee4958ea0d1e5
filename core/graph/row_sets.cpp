#include "graph/row_sets.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "parallel/simd.hpp"

namespace weaklearn::graph {
namespace {

using parallel::FourWords;

constexpr std::uint32_t n_parts = words_per_set / 4;

// A set in registers.
struct Loaded {
  FourWords part[n_parts];
};

WEAKLEARN_INLINE void load(const RowSet& set, Loaded& loaded) {
  for (std::uint32_t p = 0; p < n_parts; ++p) parallel::read(set.words + 4 * p, loaded.part[p]);
}
WEAKLEARN_INLINE void store(const Loaded& loaded, RowSet& set) {
  for (std::uint32_t p = 0; p < n_parts; ++p) parallel::write(loaded.part[p], set.words + 4 * p);
}
WEAKLEARN_INLINE void add(Loaded& loaded, const RowSet& set) {
  for (std::uint32_t p = 0; p < n_parts; ++p) {
    FourWords part;
    parallel::read(set.words + 4 * p, part);
    loaded.part[p] = loaded.part[p] | part;
  }
}

// Bit i of a byte as byte i of a word.
constexpr std::array<Word, 256> spread_bits = [] {
  std::array<Word, 256> result{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (std::size_t i = 0; i < 8; ++i) result[byte] |= (byte >> i & 1) << (8 * i);
  return result;
}();

// Returns for 8 rows the numbers whose bits are given by sets, the lowest bit first: one number per byte.
WEAKLEARN_INLINE Word numbers_of(const RowSet* bits, std::uint32_t n_bits, std::uint32_t eight) {
  Word result = 0;
  const std::uint32_t word = eight / 8;
  const std::uint32_t shift = eight % 8 * 8;
  for (std::uint32_t b = 0; b < n_bits; ++b) result |= spread_bits[bits[b].words[word] >> shift & 255] << b;
  return result;
}

}  // namespace

void insert_rows(const std::uint32_t* places, std::uint32_t n_rows, RowSet* sets) {
  if (n_rows < rows_per_set) {
    for (std::uint32_t i = 0; i < n_rows; ++i)
      sets[places[i]].words[i / rows_per_word] |= Word{1} << (i % rows_per_word);
    return;
  }
  // Neighbours often go to the same set. Rows of different words need not wait for each other.
  for (std::uint32_t bit = 0; bit < rows_per_word; ++bit)
    for (std::uint32_t word = 0; word < words_per_set; ++word)
      sets[places[word * rows_per_word + bit]].words[word] |= Word{1} << bit;
}

WEAKLEARN_WIDE void add_following(RowSet* sets, std::size_t n) {
  if (n == 0) return;
  Loaded all;
  load(sets[n - 1], all);
  for (std::size_t i = n - 1; i > 0; --i) {
    add(all, sets[i - 1]);
    store(all, sets[i - 1]);
  }
}

WEAKLEARN_WIDE void unite(const RowSet* sets, std::span<const std::uint32_t> places, RowSet& out) {
  Loaded all = {};
  for (const std::uint32_t place : places) add(all, sets[place]);
  store(all, out);
}

WEAKLEARN_WIDE void take_steps(std::span<const SetStep> steps, std::uint32_t ring, const RowSet* conditions,
                               RowSet* sets) {
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const SetStep step = steps[i];
    Loaded rows;
    Loaded condition;
    load(sets[i & ring], rows);
    load(conditions[step.condition], condition);
    for (std::uint32_t p = 0; p < n_parts; ++p) {
      condition.part[p] = condition.part[p] & rows.part[p];
      rows.part[p] = rows.part[p] & ~condition.part[p];
    }
    store(rows, sets[step.left]);
    store(condition, sets[step.right]);
  }
}

WEAKLEARN_WIDE void take_steps_or_stop(std::span<const SetStep> steps, std::span<const std::uint32_t> missing,
                                       std::uint32_t ring, const RowSet* conditions, RowSet* sets, RowSet& stopped) {
  Loaded all_stopped;
  load(stopped, all_stopped);
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const SetStep step = steps[i];
    Loaded rows;
    Loaded condition;
    Loaded is_missing;
    load(sets[i & ring], rows);
    load(conditions[step.condition], condition);
    load(conditions[missing[i]], is_missing);
    for (std::uint32_t p = 0; p < n_parts; ++p) {
      all_stopped.part[p] = all_stopped.part[p] | (rows.part[p] & is_missing.part[p]);
      rows.part[p] = rows.part[p] & ~is_missing.part[p];
      condition.part[p] = condition.part[p] & rows.part[p];
      rows.part[p] = rows.part[p] & ~condition.part[p];
    }
    store(rows, sets[step.left]);
    store(condition, sets[step.right]);
  }
  store(all_stopped, stopped);
}

// Four sets are united at a time until one remains. Where a set is among its four gives two bits of its index.
WEAKLEARN_WIDE void write_indices(RowSet* sets, std::size_t n, std::uint16_t* indices) {
  RowSet bits[16];
  std::uint32_t n_bits = 0;
  while (n > 1) {
    Loaded low_bit = {};
    Loaded high_bit = {};
    const std::size_t n_fours = (n + 3) / 4;
    std::fill(sets + n, sets + 4 * n_fours, RowSet());
    for (std::size_t four = 0; four < n_fours; ++four) {
      Loaded first;
      Loaded second;
      Loaded third;
      Loaded fourth;
      load(sets[4 * four], first);
      load(sets[4 * four + 1], second);
      load(sets[4 * four + 2], third);
      load(sets[4 * four + 3], fourth);
      for (std::uint32_t p = 0; p < n_parts; ++p) {
        low_bit.part[p] = low_bit.part[p] | second.part[p] | fourth.part[p];
        third.part[p] = third.part[p] | fourth.part[p];
        high_bit.part[p] = high_bit.part[p] | third.part[p];
        first.part[p] = first.part[p] | second.part[p] | third.part[p];
      }
      store(first, sets[four]);
    }
    n = n_fours;
    store(low_bit, bits[n_bits]);
    store(high_bit, bits[n_bits + 1]);
    n_bits += 2;
  }
  const std::uint32_t n_low = std::min(n_bits, 8U);
  for (std::uint32_t eight = 0; eight < rows_per_set / 8; ++eight) {
    const Word low = numbers_of(bits, n_low, eight);
    const Word high = numbers_of(bits + 8, n_bits - n_low, eight);
    for (std::uint32_t i = 0; i < 8; ++i)
      indices[8 * eight + i] = static_cast<std::uint16_t>((low >> (8 * i) & 255) | (high >> (8 * i) & 255) << 8);
  }
}

WEAKLEARN_WIDE void write_labels(const RowSet* sets, std::span<const LabelledSets> groups, std::uint8_t* labels) {
  RowSet bits[8];
  std::uint32_t all_bits = 0;
  std::uint32_t i = 0;
  for (const LabelledSets& group : groups) {
    Loaded all = {};
    for (; i < group.end; ++i) add(all, sets[i]);
    all_bits |= group.label;
    for (std::uint32_t rest = group.label; rest != 0; rest &= rest - 1) {
      Loaded sum = all;
      RowSet& of_bit = bits[std::countr_zero(rest)];
      add(sum, of_bit);
      store(sum, of_bit);
    }
  }
  const auto n_bits = static_cast<std::uint32_t>(std::bit_width(all_bits));
  for (std::uint32_t eight = 0; eight < rows_per_set / 8; ++eight) {
    const Word eight_labels = numbers_of(bits, n_bits, eight);
    for (std::uint32_t k = 0; k < 8; ++k) labels[8 * eight + k] = static_cast<std::uint8_t>(eight_labels >> (8 * k));
  }
}

}  // namespace weaklearn::graph
