#include "graph/agreement.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <stdexcept>

#include "parallel/thread_pool.hpp"

namespace weaklearn::graph {
namespace {

// So many rows that their count fits into a byte, so the compiler can count many rows at a time in bytes.
constexpr std::size_t rows_of_bytes = 240;
constexpr std::size_t rows_per_tile = 2048;  // rows whose weights stay in the cache for all members
constexpr std::size_t n_lanes = 16;          // independent sums, which can be computed at the same time

// The class that each member predicts for each row, member after member.
struct MemberClasses {
  std::span<const std::int32_t> classes;  // each at least 0
  std::uint32_t n_members = 0;
  std::uint32_t n_rows = 0;
};

template <class Code>
double count_equal(const Code* a, const Code* b, std::size_t n_rows) {
  std::uint64_t total = 0;
  std::size_t row = 0;
  for (; row + rows_of_bytes <= n_rows; row += rows_of_bytes) {
    std::uint8_t equal = 0;
    for (std::size_t r = 0; r < rows_of_bytes; ++r)
      equal = static_cast<std::uint8_t>(equal + (a[row + r] == b[row + r]));
    total += equal;
  }
  for (; row < n_rows; ++row) total += a[row] == b[row];
  return static_cast<double>(total);
}

// A weight counts or is masked out by a bit operation, which compilers apply to many rows at a time.
template <class Code>
double weigh_equal(const Code* a, const Code* b, std::span<const std::uint64_t> weights) {
  const auto weight_if_equal = [&](std::size_t row) {
    return std::bit_cast<double>(weights[row] & -static_cast<std::uint64_t>(a[row] == b[row]));
  };
  std::array<double, n_lanes> sums{};
  std::size_t row = 0;
  for (; row + n_lanes <= weights.size(); row += n_lanes)
    for (std::size_t lane = 0; lane < n_lanes; ++lane) sums[lane] += weight_if_equal(row + lane);
  for (std::size_t lane = 0; row < weights.size(); ++row, ++lane) sums[lane] += weight_if_equal(row);
  double total = 0.0;
  for (const double sum : sums) total += sum;
  return total;
}

template <class Code>
void count_pairs(const MemberClasses& members, std::span<const double> weights, std::uint32_t n_threads, double* out) {
  const std::size_t n_members = members.n_members;
  const std::size_t n_rows = members.n_rows;
  std::vector<Code> codes(members.classes.size());
  std::ranges::transform(members.classes, codes.begin(), [](std::int32_t k) { return static_cast<Code>(k); });
  std::vector<std::uint64_t> bits(weights.size());
  std::ranges::transform(weights, bits.begin(), [](double weight) { return std::bit_cast<std::uint64_t>(weight); });
  parallel::ThreadPool pool(n_threads);
  pool.for_each(members.n_members, [&](std::uint32_t i, std::uint32_t) {
    double* row_of_i = out + i * n_members;
    const Code* a = codes.data() + i * n_rows;
    std::fill(row_of_i + i, row_of_i + n_members, 0.0);
    const std::size_t tile = weights.empty() ? n_rows : rows_per_tile;
    for (std::size_t start = 0; start < n_rows; start += tile) {
      const std::size_t length = std::min(tile, n_rows - start);
      for (std::size_t j = i; j < n_members; ++j) {
        const Code* b = codes.data() + j * n_rows + start;
        row_of_i[j] += weights.empty() ? count_equal<Code>(a + start, b, length)
                                       : weigh_equal<Code>(a + start, b, std::span(bits).subspan(start, length));
      }
    }
    for (std::size_t j = i; j < n_members; ++j) out[j * n_members + i] = row_of_i[j];
  });
}

}  // namespace

std::vector<double> count_agreements(std::span<const std::int32_t> classes, std::uint32_t n_members,
                                     std::span<const double> weights, std::uint32_t n_threads) {
  if (n_members == 0 || classes.size() % n_members != 0)
    throw std::invalid_argument("every member must have a class for each row");
  const MemberClasses members{classes, n_members, static_cast<std::uint32_t>(classes.size() / n_members)};
  const auto [lowest, highest] = std::ranges::minmax_element(classes);
  if (lowest != classes.end() && *lowest < 0) throw std::invalid_argument("a class is out of range");
  if (!weights.empty() && weights.size() != members.n_rows)
    throw std::invalid_argument("one weight per row is needed, or none");
  std::vector<double> result(std::size_t{n_members} * n_members);
  if (highest == classes.end() || *highest < 256)  // fits into a byte
    count_pairs<std::uint8_t>(members, weights, n_threads, result.data());
  else
    count_pairs<std::int32_t>(members, weights, n_threads, result.data());
  return result;
}

}  // namespace weaklearn::graph
