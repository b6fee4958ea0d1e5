#include "oblique/axis_split.hpp"

namespace weaklearn::oblique {

void find_positions(const Features& features, std::size_t f, std::span<const std::uint32_t> rows,
                    std::vector<Position>& positions) {
  const Feature& feature = features[f];
  const data::Column& column = features.dataset().columns[feature.column];
  positions.clear();
  if (feature.value >= 0) {  // 0 or 1; a missing value lies between them
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const double number = features.number(f, rows[i]);
      positions.push_back({number <= 0.0 ? 0U : number >= 1.0 ? 2U : 1U, i});
    }
    return;
  }
  // The value of rank r has position 2r + 1. Missing values have the position of the mean, which is one of these or an
  // even position between two of them.
  const double mean = feature.missing / feature.scale;
  const auto above = std::ranges::lower_bound(column.values, mean);
  const auto rank = static_cast<std::uint32_t>(above - column.values.begin());
  const bool is_value = above != column.values.end() && *above == mean;
  const std::uint32_t mean_position = 2 * rank + (is_value ? 1 : 0);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t code = data::code_of(column, rows[i]);
    positions.push_back({code == column.n_codes ? mean_position : 2 * code + 1, i});
  }
}

}  // namespace weaklearn::oblique
