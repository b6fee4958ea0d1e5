// Which neighbours in a node's order differ enough for a cut between them.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "splits/node_view.hpp"
#include "splits/row_blocks.hpp"
#include "splits/sorted_scan.hpp"

namespace weaklearn::splits {

class Neighbours {
 public:
  Neighbours(const data::Column& column, data::Tagging tagging)
      : column_(column), tagging_(tagging), rounding_(column.single_precision ? 0.0F : 6.1e-8F) {}

  bool apart(const CodedRow& below, const CodedRow& above) const { return codes_apart(below.code, above.code); }
  bool apart(const data::Entry& below, const data::Entry& above) const {
    const Gaps gap = gap_between(below, above, rounding_);
    return gap.apart + gap.close == 1 ? gap.apart == 1 : looked_up(below, above);
  }
  bool codes_apart(std::uint32_t below, std::uint32_t above) const {
    return column_.values[below] < column_.values[above] - closest;
  }

  // How many are apart.
  std::uint32_t count(std::span<const data::Entry> list) const {
    const auto n = static_cast<std::uint32_t>(list.size() - 1);
    const Gaps gaps = count_gaps(list.data(), n, rounding_);
    return gaps.apart + gaps.close == n ? gaps.apart : count_each(list);
  }
  std::uint32_t count(std::span<const CodedRow> list) const { return count_each(list); }

  // The same of a block but for the doubtful ones, whose first rows are noted, counted from the given one on.
  std::uint32_t count_sure(std::span<const data::Entry> block, std::uint32_t first_row,
                           std::vector<std::uint32_t>& unsure) const {
    const auto n = static_cast<std::uint32_t>(block.size() - 1);
    const Gaps gaps = count_gaps(block.data(), n, rounding_);
    if (gaps.apart + gaps.close < n)
      for (std::uint32_t rest = doubtful_gaps(block.data(), n, rounding_); rest != 0; rest &= rest - 1)
        unsure.push_back(first_row + static_cast<std::uint32_t>(std::countr_zero(rest)));
    return gaps.apart;
  }
  std::uint32_t count_sure(std::span<const CodedRow> list, std::uint32_t, std::vector<std::uint32_t>&) const {
    return count_each(list);
  }

  // By the values themselves, where those of the entries are rounded.
  bool looked_up(const data::Entry& below, const data::Entry& above) const {
    return codes_apart(code_of(column_, tagging_.row(below.tag)), code_of(column_, tagging_.row(above.tag)));
  }
  bool looked_up(const CodedRow& below, const CodedRow& above) const { return apart(below, above); }

 private:
  template <class Element>
  std::uint32_t count_each(std::span<const Element> list) const {
    std::uint32_t n_apart = 0;
    for (std::size_t i = 0; i + 1 < list.size(); ++i) n_apart += apart(list[i], list[i + 1]);
    return n_apart;
  }

  const data::Column& column_;
  data::Tagging tagging_;
  float rounding_;  // how far the value of an entry can be from the value itself, relative to its size
};

}  // namespace weaklearn::splits
