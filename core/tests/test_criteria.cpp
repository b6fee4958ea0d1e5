#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "criteria/registry.hpp"
#include "criteria/tolerance.hpp"
#include "naive_impurity.hpp"
#include "random_table.hpp"

namespace weaklearn::tests {
namespace {

using criteria::Entropy;
using criteria::Gini;
using criteria::KearnsMansour;

// By the definitions, from shares.
double direct(const Entropy&, const std::vector<double>& p) {
  double result = 0.0;
  for (const double x : p) result -= x > 0.0 ? x * std::log2(x) : 0.0;
  return result;
}
double direct(const Gini&, const std::vector<double>& p) {
  double squares = 0.0;
  for (const double x : p) squares += x * x;
  const double k = static_cast<double>(p.size());
  return (1 - squares) * k / (k - 1);
}
double direct(const KearnsMansour&, const std::vector<double>& p) {
  double roots = 0.0;
  for (const double x : p) roots += std::sqrt(x);
  return (roots * roots - 1) / (static_cast<double>(p.size()) - 1);
}

std::vector<double> random_classes(Random& random, std::uint32_t n_classes) {
  std::vector<double> classes(n_classes);
  for (double& x : classes) x = below(random, 3) == 0 ? 0.0 : uniform(random) * 50;
  return classes;
}

template <criteria::Additive C>
void laws(std::uint64_t seed) {
  const criteria::TermTable<C> table(500);
  for (std::uint32_t x = 0; x <= 500; ++x) {
    CHECK_EQUAL(table.term[x], C::term(double(x)));
    if (x < 500) CHECK_EQUAL(table.step[x], C::term(x + 1.0) - C::term(double(x)));
  }
  CHECK_EQUAL(criteria::TermTable<C>(0).term.size(), std::size_t{1});

  Random random(seed);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t n_classes = 2 + below(random, 6);
    const C criterion(n_classes);
    const std::vector<double> a = random_classes(random, n_classes);
    const std::vector<double> b = random_classes(random, n_classes);
    std::vector<double> both(n_classes);
    for (std::size_t k = 0; k < both.size(); ++k) both[k] = a[k] + b[k];
    const double total = std::accumulate(both.begin(), both.end(), 0.0);
    if (total == 0.0) continue;
    std::vector<double> shares = both;
    for (double& p : shares) p /= total;
    CHECK_NEAR(impurity(criterion, both), total * direct(criterion, shares), 1e-9 * total);
    CHECK(impurity(criterion, both) >= -1e-9);
    // Concave: no division of the rows makes things worse.
    CHECK(impurity(criterion, a) + impurity(criterion, b) <= impurity(criterion, both) + 1e-9 * total);
    std::vector<double> pure(n_classes, 0.0);
    pure[below(random, n_classes)] = total;
    CHECK_NEAR(impurity(criterion, pure), 0.0, 1e-9 * total);
  }
  // Gini and km are scaled to 1 at even classes, entropy is counted in bits.
  for (std::uint32_t k = 2; k < 9; ++k) {
    CHECK_NEAR(impurity(C(k), std::vector<double>(k, 1.0 / k)), C::in_bits ? std::log2(k) : 1.0, 1e-12);
  }
  CHECK_NEAR(impurity(C(1), {7.0}), 0.0, 1e-12);
  CHECK_EQUAL(impurity(C(3), {0.0, 0.0, 0.0}), 0.0);
}

void km_of_two_classes() {
  const KearnsMansour km(2);
  for (int i = 0; i <= 1000; ++i) {
    const double q = i / 1000.0;
    CHECK_NEAR(impurity(km, {q, 1 - q}), 2 * std::sqrt(q * (1 - q)), 1e-12);
  }
}

// Right to two units in the last place, exact for powers of two, the same bits for one number as for many.
void logarithm() {
  Random random(4);
  std::vector<double> numbers;
  for (int e = -1000; e <= 1000; ++e) {
    CHECK_EQUAL(criteria::log2_of(std::ldexp(1.0, e)), static_cast<double>(e));
    numbers.push_back(std::ldexp(1.0 + uniform(random), e / 20));
    numbers.push_back(1.0 + (uniform(random) - 0.5) * std::ldexp(1.0, -below(random, 50)));
  }
  for (const double x : numbers) {
    const auto expected = static_cast<double>(std::log2(static_cast<long double>(x)));
    CHECK_NEAR(criteria::log2_of(x), expected, 2 * std::numeric_limits<double>::epsilon() * std::abs(expected));
  }
  std::vector<double> terms = numbers;
  criteria::x_log2_x(terms.data(), terms.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) CHECK_EQUAL(terms[i], criteria::x_log2_x(numbers[i]));
  CHECK_EQUAL(criteria::x_log2_x(0.0), 0.0);
}

void tolerance() {
  for (const double bound : {0.0, 1.0, -1.0, 1e-12, 1e9, -1e9}) {
    const double hair = 0.5 * criteria::slack_at(bound);
    for (const double a : {bound, bound + hair, bound - hair}) {
      CHECK(!criteria::more(a, bound));
      CHECK(!criteria::less(a, bound));
      CHECK(criteria::at_least(a, bound));
      CHECK(criteria::at_most(a, bound));
    }
    CHECK(criteria::more(bound + 4 * hair, bound));
    CHECK(criteria::less(bound - 4 * hair, bound));
  }
}

// Criteria that are not sums over classes: one is compared with its formula, one with the function it tabulates.
void general() {
  Random random(9);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t n_classes = 2 + below(random, 5);
    std::vector<double> classes = random_classes(random, n_classes);
    const double total = std::accumulate(classes.begin(), classes.end(), 0.0);
    const double k = n_classes;
    const double largest = *std::ranges::max_element(classes);
    CHECK_NEAR(criteria::impurity_of(criteria::Error(n_classes), classes, total), (total - largest) * k / (k - 1),
               1e-9);
    std::vector<double> values;
    for (int i = 0; i <= 4096; ++i) {
      const double q = std::pow(i / 4096.0, 2) / 2;
      values.push_back(2 * std::sqrt(q * (1 - q)));
    }
    const criteria::Tabulated tabulated(n_classes, values);
    double sum = 0.0;
    for (const double x : classes) sum += total > 0.0 ? 2 * std::sqrt(x / total * (1 - x / total)) : 0.0;
    CHECK_NEAR(tabulated.of(classes, total), total * sum / (k * 2 * std::sqrt(1 / k * (1 - 1 / k))),
               1e-6 * (1 + total));
    const std::vector<double> pure = {7.0, 0.0};
    CHECK_EQUAL(tabulated.of(pure, 7.0), 0.0);
    CHECK_EQUAL(tabulated.of(std::vector<double>(2, 0.0), 0.0), 0.0);
  }
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  laws<weaklearn::criteria::Entropy>(1);
  laws<weaklearn::criteria::Gini>(2);
  laws<weaklearn::criteria::KearnsMansour>(3);
  km_of_two_classes();
  logarithm();
  tolerance();
  general();
  return report("criteria");
}
