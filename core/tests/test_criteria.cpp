#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "criteria/class_factors.hpp"
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
  for (const std::uint32_t largest : {0U, 500U}) {
    const criteria::TermTable<C> table(largest);
    for (std::uint32_t x = 0; x <= 1000; ++x) {  // counts in the table and beyond it
      CHECK_EQUAL(table.term(x), C::term(double(x)));
      CHECK_EQUAL(table.step(x), C::term(x + 1.0) - C::term(double(x)));
    }
  }

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
    // A difference of exactly the slack is still a tie.
    CHECK(!criteria::more(bound + criteria::slack_at(bound), bound));
    CHECK(!criteria::less(bound - criteria::slack_at(bound), bound));
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
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& bad : std::vector<std::vector<double>>{
           {1.0}, {0.0, 0.0}, {0.0, -1.0}, {0.0, infinity}, {infinity, 1.0}, {0.0, std::nan(""), 1.0}})
    CHECK_THROWS(criteria::Tabulated(2, bad), std::invalid_argument);
}

// By the definitions of Murthy, Kasif and Salzberg (1994), from counts of both sides.
double direct(const std::string& name, const std::vector<double>& left, const std::vector<double>& right) {
  const auto total = [](const std::vector<double>& side) { return std::accumulate(side.begin(), side.end(), 0.0); };
  const double n = total(left) + total(right);
  double of_sides = 0.0;
  double greatest = 0.0;
  for (std::vector<double> side : {left, right}) {
    const double weight = total(side);
    if (weight == 0.0) continue;
    if (side.size() > 2) std::ranges::sort(side, std::greater<>());
    double squares = 0.0;
    double entropy = 0.0;
    double mean = 0.0;
    double mean_square = 0.0;
    for (std::size_t k = 0; k < side.size(); ++k) {
      const double p = side[k] / weight;
      squares += p * p;
      if (p > 0.0) entropy -= p * std::log2(p);
      mean += p * static_cast<double>(k);
      mean_square += p * static_cast<double>(k * k);
    }
    const double minority = weight - *std::ranges::max_element(side);
    greatest = std::max(greatest, minority);
    if (name == "sum_minority") of_sides += minority;
    if (name == "variance") of_sides += weight * (mean_square - mean * mean);
    if (name == "gini") of_sides += weight / n * (1 - squares);
    if (name == "gain") of_sides += weight / n * entropy;
  }
  if (name == "max_minority") return greatest;
  if (name == "gain") {
    for (std::size_t k = 0; k < left.size(); ++k) {
      const double p = (left[k] + right[k]) / n;
      if (p == 1.0) return 0.0;  // one class: nothing is left to separate
      if (p > 0.0) of_sides += p * std::log2(p);
    }
    return of_sides < -criteria::impurity_noise ? -1 / of_sides : criteria::infinite;
  }
  if (name == "twoing") {
    if (total(left) == 0.0 || total(right) == 0.0) return criteria::infinite;
    double apart = 0.0;
    for (std::size_t k = 0; k < left.size(); ++k) apart += std::abs(left[k] / total(left) - right[k] / total(right));
    const double value = total(left) / n * total(right) / n * apart * apart / 4;
    return value > criteria::impurity_noise ? 1 / value : criteria::infinite;
  }
  return of_sides;
}

void two_sided() {
  Random random(12);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t n_classes = 2 + below(random, 3);
    std::vector<double> left(n_classes);
    std::vector<double> right(n_classes);
    for (double& x : left) x = below(random, 4);
    for (double& x : right) x = below(random, 4);
    if (std::accumulate(left.begin(), left.end(), 0.0) + std::accumulate(right.begin(), right.end(), 0.0) == 0.0)
      continue;
    for (const std::string& name : criteria::two_sided_impurity_names())
      CHECK_NEAR(criteria::two_sided_impurity(name, left, right), direct(name, left, right), 1e-9);
    // Perfect: the rows of each side are of one class, and not of the same.
    const auto only_class = [&](const std::vector<double>& side) {
      std::size_t k = n_classes;
      for (std::size_t j = 0; j < n_classes; ++j)
        if (side[j] > 0.0) k = k == n_classes ? j : n_classes + 1;
      return k;
    };
    const std::size_t a = only_class(left);
    const std::size_t b = only_class(right);
    const criteria::TwoSides<std::dynamic_extent> sides{left, right};
    CHECK_EQUAL(criteria::is_perfect(sides), a < n_classes && b < n_classes && a != b);
  }
}

// The costs of errors: what predicting class j costs at a node, and the class that costs least.
void costs() {
  Random random(13);
  for (int round = 0; round < 500; ++round) {
    const std::size_t n = 2 + below(random, 3);
    criteria::ClassFactors factors{std::vector<double>(n, 1.0), std::vector<double>(n * n, 0.0)};
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j)
        if (k != j) factors.costs[k * n + j] = 1 + below(random, 4);
    std::vector<double> weights(n);
    for (double& x : weights) x = below(random, 5);
    std::vector<double> sums(n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) sums[j] += weights[k] * factors.costs[k * n + j];
      CHECK_EQUAL(factors.cost_of(weights, j), sums[j]);
    }
    const std::size_t preferred = below(random, static_cast<std::uint32_t>(n));
    const double least = *std::ranges::min_element(sums);
    const auto cheapest = static_cast<std::size_t>(std::ranges::find(sums, least) - sums.begin());
    CHECK_EQUAL(factors.label_of(weights, preferred), sums[preferred] == least ? preferred : cheapest);
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
  two_sided();
  costs();
  return report("criteria");
}
