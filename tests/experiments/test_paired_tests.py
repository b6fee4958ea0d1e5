"""Tests and intervals for paired results, against simple formulas, published values and laws."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from weaklearn.experiments import (
    corrected_t_test,
    holm_correction,
    marginal_homogeneity,
    paired_t_test,
    sign_test,
    wilcoxon_test,
)

numbers = st.integers(-50, 50)
pairs = st.lists(st.tuples(numbers, numbers), min_size=2, max_size=12)


@st.composite
def model_errors(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Draw the errors of two methods' models on the same rows."""
    shape = draw(st.integers(1, 5)), draw(st.integers(1, 20))
    cells = st.lists(st.booleans(), min_size=math.prod(shape), max_size=math.prod(shape))
    return tuple(np.array(draw(cells)).reshape(shape) for _ in range(2))


def t_of(differences: list[float]) -> float:
    n = len(differences)
    mean = sum(differences) / n
    variance = sum((d - mean) ** 2 for d in differences) / (n - 1)
    return mean / math.sqrt(variance / n)


@given(pairs)
def test_t_is_the_mean_over_its_standard_error(trials: list[tuple[int, int]]) -> None:
    first, second = zip(*trials, strict=True)
    test = paired_t_test(first, second)
    differences = [b - a for a, b in trials]
    assert test.n_pairs == len(trials)
    assert math.isclose(test.difference, sum(differences) / len(trials), abs_tol=1e-12)
    if len(set(differences)) > 1:
        assert math.isclose(test.t, t_of(differences), rel_tol=1e-9, abs_tol=1e-12)
        assert 0 < test.p <= 1


@pytest.mark.parametrize(
    ("t", "n_pairs", "p"),
    # Table 1 of dietterich96. Its p for segmentation, 0.139, is a misprint: t = 1 has p = 0.391.
    [
        *((1.051, 8, 0.328), (4.899, 4, 0.016), (4.977, 4, 0.016), (2.286, 4, 0.106)),
        *((2.906, 4, 0.062), (3.000, 2, 0.205), (2.402, 4, 0.096), (1.202, 4, 0.316)),
        (1.000, 4, 0.391),
    ],
)
def test_p_is_what_the_paper_prints_beside_its_t(t: float, n_pairs: int, p: float) -> None:
    # Differences with deviation 1 have this t if their mean is t / sqrt(n).
    raw = np.arange(n_pairs, dtype=float)
    differences = (raw - raw.mean()) / raw.std(ddof=1) + t / math.sqrt(n_pairs)
    test = paired_t_test(np.zeros(n_pairs), differences)
    assert math.isclose(test.t, t, rel_tol=1e-9)
    assert abs(test.p - p) < 0.001


def test_t_without_deviation_is_zero_or_infinite() -> None:
    same = paired_t_test([1, 2, 3], [1, 2, 3])
    assert (same.difference, same.t, same.p) == (0.0, 0.0, 1.0)
    larger = paired_t_test([1, 2, 3], [3, 4, 5])
    assert (larger.difference, larger.t, larger.p) == (2.0, math.inf, 0.0)
    assert paired_t_test([3, 4, 5], [1, 2, 3]).t == -math.inf


@given(pairs)
def test_swapped_methods_flip_every_sign(trials: list[tuple[int, int]]) -> None:
    first, second = zip(*trials, strict=True)
    there, back = paired_t_test(first, second), paired_t_test(second, first)
    assert (back.difference, back.t, back.p) == (-there.difference, -there.t, there.p)
    won, lost = sign_test(first, second), sign_test(second, first)
    assert (lost.wins, lost.losses, lost.ties, lost.p) == (won.losses, won.wins, won.ties, won.p)


@pytest.mark.parametrize("n", range(1, 9))
def test_the_sign_test_counts_equally_unequal_outcomes(n: int) -> None:
    for wins in range(n + 1):
        second = [1] * wins + [-1] * (n - wins)
        as_unequal = sum(
            abs(2 * sum(signs) - n) >= abs(2 * wins - n) for signs in product((0, 1), repeat=n)
        )
        test = sign_test([0] * n + [7], [*second, 7])
        assert (test.wins, test.losses, test.ties) == (wins, n - wins, 1)
        assert math.isclose(test.p, as_unequal / 2**n)


def test_the_sign_test_of_the_paper() -> None:
    """G has the lower error on 8 of 9 problems. The paper rounds p to 0.039."""
    g = [2.52, 3.53, 3.26, 3.78, 1.69, 3.21, 28.91, 0.04, 9.53]
    h = [2.63, 3.61, 3.62, 3.94, 1.83, 4.06, 30.66, 0.08, 9.14]
    test = sign_test(g, h)
    assert (test.wins, test.losses, test.p) == (8, 1, 20 / 512)


def test_ties_alone_have_p_1() -> None:
    assert sign_test([1, 2], [1, 2]).p == 1.0


@given(model_errors())
def test_the_interval_is_that_of_the_square_table(errors: tuple[np.ndarray, np.ndarray]) -> None:
    n, n_rows = errors[0].shape
    # Cell (i, j) is the share of rows that i models of the first method and j of the second get
    # right.
    table = np.zeros((n + 1, n + 1))
    for row in range(n_rows):
        table[tuple(n - int(wrong[:, row].sum()) for wrong in errors)] += 1 / n_rows
    cells = [(i, j, table[i, j]) for i in range(n + 1) for j in range(n + 1)]
    delta = sum((i - j) * share for i, j, share in cells) / n
    variance = sum((i - j) ** 2 * share for i, j, share in cells) / n**2 - delta**2
    half = 1.96 * math.sqrt(max(variance, 0.0) / n_rows)
    interval = marginal_homogeneity(*errors)
    # This formula subtracts two numbers of at most 1, so its rounding error is about 1e-15. The
    # square root turns that into up to 1e-7.
    assert math.isclose(interval.difference, delta, abs_tol=1e-12)
    assert math.isclose(interval.low, delta - half, abs_tol=1e-6)
    assert math.isclose(interval.high, delta + half, abs_tol=1e-6)
    rates = [wrong.mean() for wrong in errors]
    assert math.isclose(interval.difference, rates[1] - rates[0], abs_tol=1e-12)


@given(model_errors())
def test_laws_of_the_interval(errors: tuple[np.ndarray, np.ndarray]) -> None:
    first, second = errors
    there, back = marginal_homogeneity(first, second), marginal_homogeneity(second, first)
    assert (back.difference, back.low, back.high) == (-there.difference, -there.high, -there.low)
    assert there.low <= there.difference <= there.high
    same = marginal_homogeneity(first, first)
    assert (same.low, same.difference, same.high, same.significant) == (0.0, 0.0, 0.0, False)
    # The order of the rows and of the models does not matter.
    turned = marginal_homogeneity(first[::-1, ::-1], second[:, ::-1])
    assert math.isclose(turned.low, there.low, abs_tol=1e-12)


def test_95_percent_of_the_intervals_contain_the_true_difference() -> None:
    """Rows differ in difficulty, so the errors of the models depend on each other."""
    generator = np.random.default_rng(7)
    n_draws, n_sets, n_rows, difference = 2000, 4, 400, 0.05
    covered = 0
    for _ in range(n_draws):
        difficulty = generator.beta(1, 5, n_rows) * 0.9
        first = generator.random((n_sets, n_rows)) < difficulty
        second = generator.random((n_sets, n_rows)) < difficulty + difference
        interval = marginal_homogeneity(first, second)
        covered += interval.low <= difference <= interval.high
    # The tolerance is five standard deviations of a binomial share with probability 0.95.
    assert abs(covered / n_draws - 0.95) < 5 * math.sqrt(0.95 * 0.05 / n_draws)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_t_test([1], [2]), "a t-test needs at least two pairs, got 1"),
        (lambda: paired_t_test([1, 2], [2]), "shapes (2,) and (1,); expected one number for each"),
        (lambda: sign_test([1, math.nan], [2, 3]), "missing or infinite; expected finite numbers"),
        (
            lambda: marginal_homogeneity([True, False], [True, False]),
            "shapes (2,) and (2,); expected the same shape for both, (number of models",
        ),
        (lambda: marginal_homogeneity([[0, 1]], [[1, 1]]), "expected True where a model"),
    ],
)
def test_bad_input_is_explained(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_the_corrected_test_follows_nadeau_and_bengio() -> None:
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=30), generator.normal(0.5, size=30)
    ours = corrected_t_test(first, second, n_folds=10)
    differences = second - first
    t = differences.mean() / np.sqrt((1 / 30 + 1 / 9) * differences.var(ddof=1))
    assert ours.t == pytest.approx(t)
    assert ours.p == pytest.approx(2 * stats.t(29).sf(abs(t)))


def test_differences_that_are_equal_up_to_rounding_are_equal() -> None:
    first = [0.1, 0.2, 0.3]
    test = paired_t_test(first, [value + 0.7 for value in first])
    assert test.difference == pytest.approx(0.7)
    assert (test.t, test.p) == (math.inf, 0.0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_holm_rejects_as_the_step_down_procedure(p_values: list[float]) -> None:
    corrected = holm_correction(p_values)
    for level in (0.01, 0.05, 0.2, 0.8):
        rejected = set()
        for step, index in enumerate(np.argsort(p_values, kind="stable")):
            if (len(p_values) - step) * p_values[index] > level:
                break
            rejected.add(int(index))
        assert {i for i, p in enumerate(corrected) if p <= level} == rejected


def wilcoxon_by_enumeration(differences: list[int]) -> float:
    """Try all signs: how often are the rank sums at least as unequal? Zeros count half each."""
    ranks = stats.rankdata(np.abs(differences))
    unequal = abs(float(np.sign(differences) @ ranks))
    signs = product((-1, 1), repeat=int(np.count_nonzero(differences)))
    nonzero = ranks[np.asarray(differences) != 0]
    return float(np.mean([abs(float(np.array(s) @ nonzero)) >= unequal - 1e-9 for s in signs]))


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=8))
def test_wilcoxon_is_exact_with_ties_and_zeros(differences: list[int]) -> None:
    p = wilcoxon_test([0] * len(differences), differences)
    expected = wilcoxon_by_enumeration(differences) if any(differences) else 1.0
    assert p == pytest.approx(expected)


def test_wilcoxon_without_ties_is_scipys() -> None:
    first, second = np.random.default_rng(0).random((2, 30))
    expected = stats.wilcoxon(second - first, method="exact").pvalue
    assert wilcoxon_test(first, second) == pytest.approx(expected)


def test_wilcoxon_of_equal_numbers() -> None:
    assert wilcoxon_test([1, 2], [1, 2]) == 1
    with pytest.raises(ValueError, match="at least one pair"):
        wilcoxon_test([], [])
