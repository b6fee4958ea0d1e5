#include "oblique/axis_split.hpp"

namespace weaklearn::oblique {

void place_rows(const Features& features, std::size_t f, std::span<const std::uint32_t> rows,
                std::vector<Place>& places) {
  const Feature& feature = features[f];
  const data::Column& column = features.dataset().columns[feature.attribute];
  places.clear();
  if (feature.value >= 0) {  // 0 or 1, and the unknown between them
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const double number = features.number(f, rows[i]);
      places.push_back({number <= 0.0 ? 0U : number >= 1.0 ? 2U : 1U, i});
    }
    return;
  }
  // Values at odd places by their rank, the mean with one of them or between two.
  const double mean = feature.unknown / feature.scale;
  const auto above = std::ranges::lower_bound(column.values, mean);
  const auto rank = static_cast<std::uint32_t>(above - column.values.begin());
  const bool is_value = above != column.values.end() && *above == mean;
  const std::uint32_t place_of_mean = 2 * rank + (is_value ? 1 : 0);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t code = data::code_of(column, rows[i]);
    places.push_back({code == column.n_codes ? place_of_mean : 2 * code + 1, i});
  }
}

}  // namespace weaklearn::oblique
