"""Bounds: their order, that fitted models satisfy them, and the constants of TopDown."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from contracts.test_adaboost_against_oracle import noisy_tables
from oracles.c45 import Table
from weaklearn import theory

pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")
quick = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(errors=st.lists(st.floats(0, 0.5), max_size=30))
@settings(max_examples=60, deadline=None)
def test_the_product_is_at_most_the_exponential(errors: list[float]) -> None:
    bound = theory.training_bound(errors)
    assert (bound.product <= bound.exponential * (1 + 1e-12)).all()
    for t in range(len(errors)):
        product = math.prod(2 * math.sqrt(e * (1 - e)) for e in errors[: t + 1])
        assert bound.product[t] == pytest.approx(product, rel=1e-12)
        gammas = sum((0.5 - e) ** 2 for e in errors[: t + 1])
        assert bound.exponential[t] == pytest.approx(math.exp(-2 * gammas), rel=1e-12)
    assert "Theorem" in bound.theorem
    assert "eps <= 1/2" in bound.assumes


@quick
@given(table=noisy_tables())
def test_committees_satisfy_their_bound(table: Table) -> None:
    model = wl.AdaBoostM1Classifier(wl.StumpClassifier(), n_rounds=6)
    X, y, weights = frame_of(table), labels_of(table), np.array(table.weights)
    model.fit(X, y, weights)
    if model.errors_.max() > 0.5:  # a single member, which the theorem does not cover
        return
    bound = theory.training_bound(model.errors_)
    np.testing.assert_array_equal(theory.training_bound(model).product, bound.product)
    for t, predicted in enumerate(model.staged_predict(X)):
        error = weights[predicted != y.to_numpy()].sum() / weights.sum()
        assert error <= bound.product[t] * (1 + 1e-9)
    assert model.training_bound_ == pytest.approx(bound.product[-1], rel=1e-9)


@pytest.mark.parametrize("errors", [[0.1, 0.6], [-0.1], [math.nan], [[0.1]], 0.1])
def test_errors_are_checked(errors: Any) -> None:
    with pytest.raises(
        ValueError, match=r"expected a list of numbers from 0 to 1/2, one per round"
    ):
        theory.training_bound(errors)


# -- rounds --------------------------------------------------------------------------------------


def gini_of_entropy(bits: float) -> float:
    low, high = 0.0, 0.5
    for _ in range(40):
        q = (low + high) / 2
        below = -q * math.log2(q) - (1 - q) * math.log2(1 - q) < bits
        low, high = (q, high) if below else (low, q)
    return 4 * low * (1 - low)


#: t times the least decrease of the weighted impurity of t leaves when the best is split.
DECREASES: dict[str, Callable[[float, float], float]] = {
    "km": lambda impurity, gamma: impurity * (1 - math.sqrt(1 - 4 * gamma**2)),
    "gini": lambda impurity, gamma: 4 * gamma**2 * impurity**2,
    "entropy": lambda impurity, gamma: 2 * gamma**2 / math.log(2) * gini_of_entropy(impurity),
}


@pytest.mark.parametrize(
    ("criterion", "gamma", "error"),
    [
        *(("km", gamma, error) for gamma in (0.3, 0.4, 0.5) for error in (0.4, 0.25, 0.15)),
        *(("entropy", gamma, error) for gamma in (0.3, 0.5) for error in (0.4, 0.25, 0.2)),
        *(("gini", gamma, error) for gamma in (0.3, 0.5) for error in (0.4, 0.3, 0.2)),
    ],
)
def test_the_slowest_decrease_reaches_the_error_in_these_rounds(
    criterion: str, gamma: float, error: float
) -> None:
    needed = theory.rounds_needed(gamma, error, criterion)
    assert needed.rounds < 100_000
    impurity = 1.0
    for t in range(1, int(needed.rounds) + 1):
        impurity -= DECREASES[criterion](impurity, gamma) / t
    assert impurity / 2 <= error  # the error is at most half of the weighted impurity


@settings(deadline=None)
@given(gamma=st.floats(0.01, 0.5), error=st.floats(1e-6, 0.99))
def test_adaboost_reaches_the_error_in_these_rounds(gamma: float, error: float) -> None:
    needed = theory.rounds_needed(gamma, error)
    product = (1 - 4 * gamma**2) ** (needed.rounds / 2)
    assert product <= error * (1 + 1e-9)
    assert needed.rounds == max(1, math.ceil(-math.log(error) / (2 * gamma**2) * (1 - 1e-12)))


@settings(deadline=None)
@given(gamma=st.floats(0.05, 0.5), error=st.floats(0.01, 0.5))
def test_the_formulas_of_the_papers(gamma: float, error: float) -> None:
    inverse = 1 / error
    for criterion, power in {
        "km": 3 / gamma**2,
        "entropy": 3 * math.log(inverse) / gamma**2,
        "gini": 3 / (gamma * error) ** 2,
    }.items():
        needed = theory.rounds_needed(gamma, error, criterion, c=3)
        assert needed.log10 == pytest.approx(power * math.log10(inverse), rel=1e-9)
        assert (needed.rounds == math.inf) == (needed.log10 >= 308)
        assert "c = 3" in needed.theorem
        assert "balanced distribution" in needed.assumes


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((0.0, 0.1), r"got gamma=0.0, expected an advantage above 0 and up to 1/2"),
        ((0.6, 0.1), r"got gamma=0.6"),
        ((0.1, 0.0), r"got error=0.0, expected a number between 0 and 1"),
        ((0.1, 1.0), r"got error=1.0"),
        ((0.1, 0.1, "error"), r"got criterion='error', expected one of 'adaboost', 'km'"),
        ((0.1, 0.1, "km", 0.0), r"got c=0.0, expected a number above 0"),
        ((0.1, 0.1, "adaboost", 2.0), r"got c=2.0, but AdaBoost's bound has no constant"),
    ],
)
def test_bad_arguments_are_errors(arguments: tuple[Any, ...], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        theory.rounds_needed(*arguments)
