// Weights that are products or counts: the same trees as with the numbers that they stand for.
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "check.hpp"
#include "data/weight_view.hpp"
#include "random_table.hpp"
#include "tree/weight_unit.hpp"

namespace weaklearn::tests {
namespace {

using data::WeightView;

void views_return_their_numbers() {
  const std::vector<double> numbers{0.5, 0.0, 3.0};
  const std::vector<std::uint8_t> counts{0, 255, 2};
  const WeightView view = numbers;
  const WeightView product = WeightView::product(numbers, 0.1);
  const WeightView bytes = std::span<const std::uint8_t>(counts);
  CHECK(WeightView().empty());
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK_EQUAL(view[row], numbers[row]);
    CHECK_EQUAL(product[row], numbers[row] * 0.1);
    CHECK_EQUAL(bytes[row], static_cast<double>(counts[row]));
  }
  CHECK(view.numbers() == numbers.data() && WeightView::product(numbers, 1.0).numbers() == numbers.data());
  CHECK(product.numbers() == nullptr && bytes.numbers() == nullptr);
  CHECK(bytes.has_counts() && !view.has_counts() && !product.has_counts());
}

// A product that is rounded when it is read is the rounded product, also if it is tiny or 0.
void products_are_rounded_as_numbers_are() {
  Random random(3);
  std::uniform_real_distribution<double> uniform;
  data::Dataset dataset;
  dataset.has_bins = true;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> numbers{0.0, 1e-300, 1e-20};
    for (int i = 0; i < 20; ++i) numbers.push_back(uniform(random));
    const double factor = 3.0 * uniform(random) + 1e-3;
    std::vector<double> values;
    for (const double number : numbers) values.push_back(number * factor);
    const tree::WeightUnit unit(dataset, values);
    const WeightView product = WeightView::product(numbers, factor);
    CHECK_EQUAL(tree::WeightUnit(dataset, product).value(), unit.value());
    const WeightView rounded = product.rounded_to(unit.value());
    for (std::size_t row = 0; row < values.size(); ++row) CHECK_EQUAL(rounded[row], unit.of_row(values[row]));
  }
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  weaklearn::tests::views_return_their_numbers();
  weaklearn::tests::products_are_rounded_as_numbers_are();
  return weaklearn::tests::report("weight_view");
}
