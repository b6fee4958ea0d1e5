#include "data/row_codes.hpp"

#include <algorithm>
#include <utility>

#include "parallel/thread_pool.hpp"

namespace weaklearn::data {

RowCodes::RowCodes(const Dataset& dataset, const std::vector<bool>& wanted, parallel::ThreadPool& pool)
    : n_rows_(dataset.n_rows) {
  for (const Column& column : dataset.columns)
    std::visit(
        [&](const auto& codes) {
          constexpr std::uint32_t width = sizeof codes[0];
          of_column_.push_back({reinterpret_cast<const std::byte*>(codes.data()), width, width});
        },
        column.codes);
  of_row_ = of_column_;
  constexpr std::uint32_t rows_that_stay_in_cache = 1U << 16;
  if (n_rows_ > rows_that_stay_in_cache) interleave(dataset, wanted, pool);
}

void RowCodes::interleave(const Dataset& dataset, const std::vector<bool>& wanted, parallel::ThreadPool& pool) {
  // The widest codes come first, so that each code is aligned.
  std::uint32_t stride = 0;
  std::vector<std::uint32_t> offset(wanted.size());
  for (const std::uint32_t width : {4U, 2U, 1U})
    for (std::size_t c = 0; c < wanted.size(); ++c)
      if (wanted[c] && of_column_[c].width == width) offset[c] = std::exchange(stride, stride + width);
  stride = (stride + 3) / 4 * 4;
  interleaved_ = std::make_unique_for_overwrite<std::byte[]>(std::size_t{n_rows_} * stride);
  for (std::size_t c = 0; c < wanted.size(); ++c)
    if (wanted[c]) of_row_[c] = {interleaved_.get() + offset[c], stride, of_column_[c].width};

  constexpr std::uint32_t block = 256;  // rows that stay in the cache while all their columns are copied
  pool.for_each((n_rows_ + block - 1) / block, [&](std::uint32_t b, std::uint32_t) {
    const std::uint32_t begin = b * block;
    const std::uint32_t end = std::min(n_rows_, begin + block);
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      if (!wanted[c]) continue;
      std::visit(
          [&]<class Code>(const CodeArray<Code>& codes) {
            std::byte* to = interleaved_.get() + std::size_t{begin} * stride + offset[c];
            for (std::uint32_t row = begin; row < end; ++row, to += stride) *reinterpret_cast<Code*>(to) = codes[row];
          },
          dataset.columns[c].codes);
    }
  });
}

}  // namespace weaklearn::data
