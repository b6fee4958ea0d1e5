#include "data/row_codes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

namespace weaklearn::data {

RowCodes::RowCodes(const Dataset& dataset) {
  for (const Column& column : dataset.columns)
    std::visit(
        [&](const auto& codes) {
          constexpr std::uint32_t width = sizeof codes[0];
          views_.push_back({reinterpret_cast<const std::byte*>(codes.data()), width, width});
        },
        column.codes);
}

void RowCodes::copy_rows(const RowCodes& from, const std::vector<bool>& wanted, std::span<const std::uint32_t> rows) {
  // The widest codes come first, so that each code is aligned.
  std::uint32_t n_bytes = 0;
  places_.assign(wanted.size(), 0);
  all_bytes_ = true;
  for (const std::uint32_t width : {4U, 2U, 1U})
    for (std::size_t c = 0; c < wanted.size(); ++c)
      if (wanted[c] && views_[c].width == width) {
        places_[c] = std::exchange(n_bytes, n_bytes + width);
        all_bytes_ = all_bytes_ && width == 1;
      }
  bytes_per_row_ = (n_bytes + 3) / 4 * 4;
  if (const std::size_t size = rows.size() * bytes_per_row_; copies_.size() < size) {
    // A vector that grows takes up to twice the memory, and keeps what it had until it has copied it.
    copies_ = std::vector<std::byte>();
    copies_.resize(size);
  }
  for (std::size_t c = 0; c < wanted.size(); ++c)
    if (wanted[c]) views_[c] = {copies_.data() + places_[c], bytes_per_row_, views_[c].width};
  if (from.bytes_per_row_ > 0) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::memcpy(copies_.data() + i * bytes_per_row_, from.copies_.data() + std::size_t{rows[i]} * bytes_per_row_,
                  bytes_per_row_);
    return;
  }
  const auto gather = [&]<class Code>(std::size_t c, std::span<const std::uint32_t> some, std::byte* to) {
    const auto* const codes = reinterpret_cast<const Code*>(from.views_[c].first);
    for (const std::uint32_t row : some) {
      *reinterpret_cast<Code*>(to) = codes[row];
      to += bytes_per_row_;
    }
  };
  constexpr std::size_t block = 256;  // rows that stay in the cache while all their columns are copied
  for (std::size_t first = 0; first < rows.size(); first += block) {
    const auto some = rows.subspan(first, std::min(block, rows.size() - first));
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      if (!wanted[c]) continue;
      std::byte* const to = copies_.data() + first * bytes_per_row_ + places_[c];
      if (views_[c].width == 1)
        gather.template operator()<std::uint8_t>(c, some, to);
      else if (views_[c].width == 2)
        gather.template operator()<std::uint16_t>(c, some, to);
      else
        gather.template operator()<std::uint32_t>(c, some, to);
    }
  }
}

}  // namespace weaklearn::data
