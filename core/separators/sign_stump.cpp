#include "separators/sign_stump.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace weaklearn::separators {
namespace {

using data::PresortedColumn;

// Consecutive rows by ascending value. The sum of their signed weights and the sum of their absolute weights bound the
// sums below all cuts of the block. So most blocks can be skipped.
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
  double sum;    // of the signed weights
  double total;  // of the absolute weights
};

// Scans the cuts of a column upwards. The edge of a cut is the sum above minus the sum below, or the reverse. So the
// best cut is the one with the largest or the smallest sum below.
struct Cuts {
  double slack;
  double most = -std::numeric_limits<double>::infinity();
  double least = std::numeric_limits<double>::infinity();
  std::size_t most_at = 0;  // the position after the cut; 0 if there is none so far
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

  bool can_improve(double below, const Block& block) const {
    return below + 0.5 * (block.sum + block.total) > most + slack ||
           below + 0.5 * (block.sum - block.total) < least - slack;
  }

  void consider(double below, std::size_t at, const Block& block) {
    for (std::size_t i = 0; i < Block::size; ++i) {
      if ((block.order[i] & PresortedColumn::same) == 0) consider(below, at + i);
      below += block.values[i];
    }
  }

  // Returns the position after the best cut, or 0 if there is none. Ties go to the lowest cut.
  std::size_t best(double sum, SignStump& stump) const {
    if (most_at == 0) return 0;
    const double rising = sum - 2.0 * least;  // the edge if the output above the cut is 1
    const double falling = 2.0 * most - sum;  // the edge if it is -1
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

SignStump cut_of_list(const data::Column& column, const data::PresortedRows& rows, const PresortedColumn& presorted,
                      std::span<const double> signed_weights, double sum, double slack) {
  const std::span<const std::uint32_t> order = presorted.order;
  SignStump stump;
  if (order.empty()) return stump;
  if (order.size() < rows.rows.size()) sum = sum_of(presorted, signed_weights);
  Cuts cuts{slack};
  double below = signed_weights[order[0]];
  std::size_t i = 1;
  for (; i + Block::size <= order.size(); i += Block::size) {
    const Block block(signed_weights.data(), order.data() + i);
    if (cuts.can_improve(below, block)) cuts.consider(below, i, block);
    below += block.sum;
  }
  for (; i < order.size(); ++i) {
    if ((order[i] & PresortedColumn::same) == 0) cuts.consider(below, i);
    below += signed_weights[order[i] & ~PresortedColumn::same];
  }
  const std::size_t at = cuts.best(sum, stump);
  if (at == 0) return stump;
  const auto code_at = [&](std::size_t position) {
    return data::code_of(column, rows.rows[order[position] & ~PresortedColumn::same]);
  };
  stump.low = code_at(at - 1);
  stump.high = code_at(at);
  return stump;
}

// Sums the signed weights of each code.
void sum_by_code(const data::Column& column, const PresortedColumn& presorted, std::span<const double> signed_weights,
                 SignScratch& scratch) {
  scratch.sum_of_code.assign(std::size_t{column.n_codes} + 1, 0.0);
  std::visit(
      [&](const auto& codes) {
        for (std::size_t i = 0; i < codes.size(); ++i) scratch.sum_of_code[codes[i]] += signed_weights[i];
      },
      presorted.codes);
}

SignStump cut_of_codes(const data::Column& column, const PresortedColumn& presorted, double sum, double slack,
                       const SignScratch& scratch) {
  SignStump stump;
  Cuts cuts{slack};
  double below = 0.0;
  bool any = false;
  for (std::uint32_t code = 0; code < column.n_codes; ++code) {
    if (!presorted.occurs[code]) continue;
    if (any) cuts.consider(below, code);
    below += scratch.sum_of_code[code];
    any = true;
  }
  const std::size_t at = cuts.best(sum - scratch.sum_of_code[column.n_codes], stump);
  if (at == 0) return stump;
  stump.high = static_cast<std::uint32_t>(at);
  for (stump.low = stump.high - 1; !presorted.occurs[stump.low];) --stump.low;
  return stump;
}

SignStump signs_of_values(const data::Column& column, double slack, const SignScratch& scratch) {
  SignStump stump;
  stump.value_sign.resize(column.n_codes, 0);
  for (std::uint32_t code = 0; code < column.n_codes; ++code) {
    const double sum = scratch.sum_of_code[code];
    if (std::abs(sum) <= slack) continue;
    stump.value_sign[code] = sum > 0.0 ? 1 : -1;
    stump.edge += std::abs(sum);
  }
  return stump;
}

}  // namespace

SignStump sign_stump(const data::Dataset& dataset, const data::PresortedRows& rows, std::uint32_t c,
                     std::span<const double> signed_weights, double sum, double slack, SignScratch& scratch) {
  const data::Column& column = dataset.columns[c];
  const PresortedColumn& presorted = rows.columns[c];
  SignStump stump;
  if (presorted.listed) {
    stump = cut_of_list(column, rows, presorted, signed_weights, sum, slack);
  } else {
    sum_by_code(column, presorted, signed_weights, scratch);
    stump =
        column.nominal ? signs_of_values(column, slack, scratch) : cut_of_codes(column, presorted, sum, slack, scratch);
  }
  stump.column = stump.edge > 0.0 ? static_cast<std::int32_t>(c) : SignStump::none;
  return stump;
}

void compute_outputs(const SignStump& stump, const data::Dataset& dataset, const data::PresortedRows& rows,
                     std::span<double> outputs) {
  if (stump.column == SignStump::constant) {
    std::ranges::fill(outputs, stump.sign);
    return;
  }
  const auto c = static_cast<std::size_t>(stump.column);
  const data::Column& column = dataset.columns[c];
  const PresortedColumn& presorted = rows.columns[c];
  const auto output_of = [&](std::uint32_t code) {
    if (code == column.n_codes) return 0.0;
    if (column.nominal) return static_cast<double>(stump.value_sign[code]);
    return code <= stump.low ? -stump.sign : stump.sign;
  };
  if (presorted.listed)
    std::visit(
        [&](const auto& codes) {
          for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = output_of(codes[rows.rows[i]]);
        },
        column.codes);
  else
    std::visit(
        [&](const auto& codes) {
          for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = output_of(codes[i]);
        },
        presorted.codes);
}

}  // namespace weaklearn::separators
