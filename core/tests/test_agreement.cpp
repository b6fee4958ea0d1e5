// How often the members of a committee agree.
#include <span>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "graph/agreement.hpp"
#include "random_table.hpp"

namespace weaklearn::tests {
namespace {

// By any number of threads the same bits; the rows one by one; codes of one byte and of more; ends of blocks.
void agreements_are_counted() {
  Random random(6);
  for (const std::uint32_t n_rows : {1U, 15U, 16U, 239U, 240U, 241U, 5000U}) {
    const std::uint32_t n_members = 4;
    const std::uint32_t n_classes = n_rows % 2 == 0 ? 3 : 300;
    std::vector<std::int32_t> classes(std::size_t{n_members} * n_rows);
    for (auto& number : classes) number = static_cast<std::int32_t>(below(random, n_classes));
    std::vector<double> weights(n_rows);
    for (double& weight : weights) weight = uniform(random);
    for (const bool weighted : {false, true}) {
      const std::span<const double> given = weighted ? std::span<const double>(weights) : std::span<const double>();
      const std::vector<double> one = graph::count_agreements(classes, n_members, given, 1);
      CHECK(one == graph::count_agreements(classes, n_members, given, 3));
      for (std::uint32_t i = 0; i < n_members; ++i)
        for (std::uint32_t j = 0; j < n_members; ++j) {
          double expected = 0.0;
          for (std::uint32_t row = 0; row < n_rows; ++row)
            if (classes[i * n_rows + row] == classes[j * n_rows + row]) expected += weighted ? weights[row] : 1.0;
          CHECK_NEAR(one[i * n_members + j], expected, weighted ? 1e-9 : 0.0);
        }
    }
  }
}

void bad_arguments_are_refused() {
  const std::vector<std::int32_t> classes{0, 1, 1, 0};
  const std::vector<std::int32_t> negative{0, 1, -1, 0};
  const std::vector<double> weights{1.0, 2.0, 3.0};
  CHECK_THROWS(graph::count_agreements(classes, 0, {}, 1), std::invalid_argument);
  CHECK_THROWS(graph::count_agreements(classes, 3, {}, 1), std::invalid_argument);
  CHECK_THROWS(graph::count_agreements(negative, 2, {}, 1), std::invalid_argument);
  CHECK_THROWS(graph::count_agreements(classes, 2, weights, 1), std::invalid_argument);
  CHECK(graph::count_agreements({}, 2, {}, 1) == std::vector<double>(4, 0.0));
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  agreements_are_counted();
  bad_arguments_are_refused();
  return report("agreement");
}
