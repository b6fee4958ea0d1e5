#include "data/code_views.hpp"

#include <algorithm>

#include "parallel/pool.hpp"

namespace weaklearn::data {

CodeViews::CodeViews(const Dataset& dataset, const std::vector<bool>& wanted, parallel::Pool& pool)
    : n_rows_(dataset.n_rows) {
  for (const Column& column : dataset.columns)
    std::visit(
        [&](const auto& codes) {
          constexpr std::uint32_t width = sizeof codes[0];
          of_column_.push_back({reinterpret_cast<const std::byte*>(codes.data()), width, width});
        },
        column.codes);
  of_row_ = of_column_;
  constexpr std::uint32_t stay_in_cache = 1U << 16;
  if (n_rows_ > stay_in_cache) put_together(dataset, wanted, pool);
}

void CodeViews::put_together(const Dataset& dataset, const std::vector<bool>& wanted, parallel::Pool& pool) {
  constexpr std::uint32_t width = sizeof together_[0];
  const auto n_wanted = static_cast<std::uint32_t>(std::ranges::count(wanted, true));
  together_ = std::make_unique_for_overwrite<std::uint32_t[]>(std::size_t{n_rows_} * n_wanted);
  const std::uint32_t* first = together_.get();
  for (std::size_t c = 0; c < wanted.size(); ++c)
    if (wanted[c]) of_row_[c] = {reinterpret_cast<const std::byte*>(first++), n_wanted * width, width};

  constexpr std::uint32_t block = 256;  // of rows, which stay in the cache until all columns are there
  pool.for_each((n_rows_ + block - 1) / block, [&](std::uint32_t b, std::uint32_t) {
    const std::uint32_t begin = b * block;
    const std::uint32_t n = std::min(block, n_rows_ - begin);
    std::uint32_t* to = together_.get() + std::size_t{begin} * n_wanted;
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      if (!wanted[c]) continue;
      std::visit(
          [&](const auto& codes) {
            for (std::uint32_t i = 0; i < n; ++i) to[std::size_t{i} * n_wanted] = codes[begin + i];
          },
          dataset.columns[c].codes);
      ++to;
    }
  });
}

}  // namespace weaklearn::data
