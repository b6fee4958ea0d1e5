// Decides which adjacent values of a sorted list differ enough for a cut between them.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "splits/node_view.hpp"
#include "splits/row_blocks.hpp"
#include "splits/sorted_scan.hpp"

namespace weaklearn::splits {

class AdjacentValues {
 public:
  AdjacentValues(const data::Column& column, data::Tagging tagging)
      : column_(column), tagging_(tagging), rounding_(column.single_precision ? 0.0F : 6.1e-8F) {}

  bool are_apart(const CodedRow& below, const CodedRow& above) const { return are_codes_apart(below.code, above.code); }
  bool are_apart(const data::Entry& below, const data::Entry& above) const {
    const Gaps gap = gap_between(below, above, rounding_);
    return gap.apart + gap.close == 1 ? gap.apart == 1 : are_apart_exactly(below, above);
  }
  // Whether all values are far enough apart, as those of bins often are.
  bool are_all_apart() const { return column_.least_gap > 2 * smallest_gap; }
  bool are_codes_apart(std::uint32_t below, std::uint32_t above) const {
    return column_.values[below] < column_.values[above] - smallest_gap;
  }

  // Returns how many adjacent pairs of the list are far enough apart.
  std::uint32_t count_apart(std::span<const data::Entry> list) const {
    const auto n = static_cast<std::uint32_t>(list.size() - 1);
    const Gaps gaps = count_gaps(list.data(), n, rounding_);
    return gaps.apart + gaps.close == n ? gaps.apart : count_each(list);
  }
  std::uint32_t count_apart(std::span<const CodedRow> list) const {
    if (!are_all_apart()) return count_each(list);
    std::uint32_t n_apart = 0;
    for (std::size_t i = 0; i + 1 < list.size(); ++i) n_apart += list[i].code != list[i + 1].code;
    return n_apart;
  }

  // Returns the same for a block, but does not count the pairs of which the rounded values do not decide. The first
  // rows of these pairs are appended to `uncertain`, as `first_row` plus their position in the block.
  std::uint32_t count_certain(std::span<const data::Entry> block, std::uint32_t first_row,
                              std::vector<std::uint32_t>& uncertain) const {
    const auto n = static_cast<std::uint32_t>(block.size() - 1);
    const Gaps gaps = count_gaps(block.data(), n, rounding_);
    if (gaps.apart + gaps.close < n)
      for (std::uint32_t rest = uncertain_gaps(block.data(), n, rounding_); rest != 0; rest &= rest - 1)
        uncertain.push_back(first_row + static_cast<std::uint32_t>(std::countr_zero(rest)));
    return gaps.apart;
  }
  std::uint32_t count_certain(std::span<const CodedRow> list, std::uint32_t, std::vector<std::uint32_t>&) const {
    return count_each(list);
  }

  // Compares the values of the column. The values of entries may be rounded.
  bool are_apart_exactly(const data::Entry& below, const data::Entry& above) const {
    return are_codes_apart(code_of(column_, tagging_.row(below.tag)), code_of(column_, tagging_.row(above.tag)));
  }
  bool are_apart_exactly(const CodedRow& below, const CodedRow& above) const { return are_apart(below, above); }

 private:
  template <class Element>
  std::uint32_t count_each(std::span<const Element> list) const {
    std::uint32_t n_apart = 0;
    for (std::size_t i = 0; i + 1 < list.size(); ++i) n_apart += are_apart(list[i], list[i + 1]);
    return n_apart;
  }

  const data::Column& column_;
  data::Tagging tagging_;
  float rounding_;  // relative error of the value of an entry
};

}  // namespace weaklearn::splits
