#include "separators/sign_stump.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace weaklearn::separators {
namespace {

using data::PresortedColumn;

// Some rows by ascending value. Their sum and the sum of their sizes say how far the sum below a cut can come
// between them: most blocks need no further look.
struct Block {
  static constexpr std::size_t size = 16;

  Block(const double* signed_weights, const std::uint32_t* rows) : order(rows) {
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    double sizes[4] = {0.0, 0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < size; ++i) {
      values[i] = signed_weights[order[i] & ~PresortedColumn::same];
      sums[i % 4] += values[i];
      sizes[i % 4] += std::abs(values[i]);
    }
    sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    total = (sizes[0] + sizes[1]) + (sizes[2] + sizes[3]);
  }

  const std::uint32_t* order;
  double values[size];
  double sum;
  double total;
};

// The cuts of a column, upwards: the edge of a cut is the sum above it minus the sum below, or the reverse, so
// only the largest and the smallest sum below a cut count.
struct Cuts {
  double slack;
  double most = -std::numeric_limits<double>::infinity();
  double least = std::numeric_limits<double>::infinity();
  std::size_t most_at = 0;  // 0: none so far
  std::size_t least_at = 0;

  void consider(double below, std::size_t at) {
    if (below > most + slack) {
      most = below;
      most_at = at;
    }
    if (below < least - slack) {
      least = below;
      least_at = at;
    }
  }

  bool can_gain(double below, const Block& block) const {
    return below + 0.5 * (block.sum + block.total) > most + slack ||
           below + 0.5 * (block.sum - block.total) < least - slack;
  }

  void consider(double below, std::size_t at, const Block& block) {
    for (std::size_t i = 0; i < Block::size; ++i) {
      if ((block.order[i] & PresortedColumn::same) == 0) consider(below, at + i);
      below += block.values[i];
    }
  }

  // The place of the best cut, 0 if there is none; of equals the lowest.
  std::size_t best(double sum, SignStump& stump) const {
    if (most_at == 0) return 0;
    const double rising = sum - 2.0 * least;  // 1 above the cut
    const double falling = 2.0 * most - sum;
    const bool equal = std::abs(rising - falling) <= slack;
    const bool rises = equal ? least_at <= most_at : rising > falling;
    stump.sign = rises ? 1.0 : -1.0;
    stump.edge = rises ? rising : falling;
    return rises ? least_at : most_at;
  }
};

double sum_of(const PresortedColumn& column, std::span<const double> signed_weights) {
  double sum = 0.0;
  for (const std::uint32_t element : column.order) sum += signed_weights[element & ~PresortedColumn::same];
  return sum;
}

SignStump cut_of_list(const data::Column& column, const data::PresortedRows& rows, const PresortedColumn& here,
                      std::span<const double> signed_weights, double sum, double slack) {
  const std::span<const std::uint32_t> order = here.order;
  SignStump stump;
  if (order.empty()) return stump;
  if (order.size() < rows.rows.size()) sum = sum_of(here, signed_weights);
  Cuts cuts{slack};
  double below = signed_weights[order[0]];
  std::size_t i = 1;
  for (; i + Block::size <= order.size(); i += Block::size) {
    const Block block(signed_weights.data(), order.data() + i);
    if (cuts.can_gain(below, block)) cuts.consider(below, i, block);
    below += block.sum;
  }
  for (; i < order.size(); ++i) {
    if ((order[i] & PresortedColumn::same) == 0) cuts.consider(below, i);
    below += signed_weights[order[i] & ~PresortedColumn::same];
  }
  const std::size_t at = cuts.best(sum, stump);
  if (at == 0) return stump;
  const auto code_at = [&](std::size_t place) {
    return data::code_of(column, rows.rows[order[place] & ~PresortedColumn::same]);
  };
  stump.low = code_at(at - 1);
  stump.high = code_at(at);
  return stump;
}

// The sum of signed weights of each code, unknown last.
void fill(const data::Column& column, const PresortedColumn& here, std::span<const double> signed_weights,
          SignScratch& scratch) {
  scratch.of_code.assign(std::size_t{column.n_codes} + 1, 0.0);
  std::visit(
      [&](const auto& codes) {
        for (std::size_t i = 0; i < codes.size(); ++i) scratch.of_code[codes[i]] += signed_weights[i];
      },
      here.codes);
}

SignStump cut_of_codes(const data::Column& column, const PresortedColumn& here, double sum, double slack,
                       const SignScratch& scratch) {
  SignStump stump;
  Cuts cuts{slack};
  double below = 0.0;
  bool any = false;
  for (std::uint32_t code = 0; code < column.n_codes; ++code) {
    if (!here.occurs[code]) continue;
    if (any) cuts.consider(below, code);
    below += scratch.of_code[code];
    any = true;
  }
  const std::size_t at = cuts.best(sum - scratch.of_code[column.n_codes], stump);
  if (at == 0) return stump;
  stump.high = static_cast<std::uint32_t>(at);
  for (stump.low = stump.high - 1; !here.occurs[stump.low];) --stump.low;
  return stump;
}

SignStump signs_of_values(const data::Column& column, double slack, const SignScratch& scratch) {
  SignStump stump;
  stump.of_value.resize(column.n_codes, 0);
  for (std::uint32_t code = 0; code < column.n_codes; ++code) {
    const double of_value = scratch.of_code[code];
    if (std::abs(of_value) <= slack) continue;
    stump.of_value[code] = of_value > 0.0 ? 1 : -1;
    stump.edge += std::abs(of_value);
  }
  return stump;
}

}  // namespace

SignStump sign_stump(const data::Dataset& dataset, const data::PresortedRows& rows, std::uint32_t c,
                     std::span<const double> signed_weights, double sum, double slack, SignScratch& scratch) {
  const data::Column& column = dataset.columns[c];
  const PresortedColumn& here = rows.columns[c];
  SignStump stump;
  if (here.listed) {
    stump = cut_of_list(column, rows, here, signed_weights, sum, slack);
  } else {
    fill(column, here, signed_weights, scratch);
    stump = column.nominal ? signs_of_values(column, slack, scratch)
                           : cut_of_codes(column, here, sum, slack, scratch);
  }
  stump.attribute = stump.edge > 0.0 ? static_cast<std::int32_t>(c) : SignStump::none;
  return stump;
}

void say(const SignStump& stump, const data::Dataset& dataset, const data::PresortedRows& rows,
         std::span<double> outputs) {
  if (stump.attribute == SignStump::constant) {
    std::ranges::fill(outputs, stump.sign);
    return;
  }
  const auto c = static_cast<std::size_t>(stump.attribute);
  const data::Column& column = dataset.columns[c];
  const PresortedColumn& here = rows.columns[c];
  const auto said = [&](std::uint32_t code) {
    if (code == column.n_codes) return 0.0;
    if (column.nominal) return static_cast<double>(stump.of_value[code]);
    return code <= stump.low ? -stump.sign : stump.sign;
  };
  if (here.listed)
    std::visit(
        [&](const auto& codes) {
          for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = said(codes[rows.rows[i]]);
        },
        column.codes);
  else
    std::visit(
        [&](const auto& codes) {
          for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = said(codes[i]);
        },
        here.codes);
}

}  // namespace weaklearn::separators
