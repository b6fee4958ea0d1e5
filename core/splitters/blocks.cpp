#include "splitters/blocks.hpp"

#include "parallel/wide.hpp"

namespace weaklearn::splitters {

WEAKLEARN_WIDE Gaps count_gaps(const data::Entry* entries, std::uint32_t n, float rounding) {
  std::uint32_t apart = 0;
  std::uint32_t close = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Gaps gap = gap_between(entries[i], entries[i + 1], rounding);
    apart += gap.apart;
    close += gap.close;
  }
  return {apart, close};
}

// Four sums side by side: each addition has to wait for the one before. Numbers of the other class are masked away; a
// jump would be guessed wrong for every other row.
WEAKLEARN_WIDE ClassSums sum_by_class(const data::Entry* block, const double* weights, data::Tagging tagging) {
  using Four = double __attribute__((vector_size(32)));
  using FourBits = std::uint64_t __attribute__((vector_size(32)));
  Four first = {};
  Four second = {};
  FourBits n = {};
  for (const data::Entry* row = block; row < block + block_rows; row += 4) {
    const FourBits k = {tagging.class_of(row[0].tag), tagging.class_of(row[1].tag), tagging.class_of(row[2].tag),
                        tagging.class_of(row[3].tag)};
    const Four w = {weights[tagging.row(row[0].tag)], weights[tagging.row(row[1].tag)], weights[tagging.row(row[2].tag)],
                    weights[tagging.row(row[3].tag)]};
    const FourBits of_first = k - 1;  // all ones or none
    first += reinterpret_cast<Four>(reinterpret_cast<FourBits>(w) & of_first);
    second += reinterpret_cast<Four>(reinterpret_cast<FourBits>(w) & ~of_first);
    n += k;
  }
  const auto n_second = static_cast<std::uint32_t>((n[0] + n[1]) + (n[2] + n[3]));
  return {{(first[0] + first[1]) + (first[2] + first[3]), (second[0] + second[1]) + (second[2] + second[3])},
          {block_rows - n_second, n_second}};
}

WEAKLEARN_WIDE bool any_below(const double* numbers, std::size_t n, double bound) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < n; ++i) any |= numbers[i] < bound ? 1U : 0U;
  return any != 0;
}

}  // namespace weaklearn::splitters
