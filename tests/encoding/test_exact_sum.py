"""Sums of weights are exact, so that no order of rows changes a bit."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weaklearn as wl
from weaklearn.encoding import exact_sum, rounded_sum

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(finite | st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1.7e308, 2.0**-1022])))
def test_the_sum_is_exact(numbers: list[float]) -> None:
    exact = sum(map(Fraction, numbers), Fraction(0))
    assert exact_sum(np.array(numbers)) == exact
    try:
        expected = float(exact)  # rounded once
    except OverflowError:
        with pytest.raises(OverflowError):
            rounded_sum(np.array(numbers))
    else:
        assert rounded_sum(np.array(numbers)) == expected


def test_many_numbers_and_numbers_that_are_not_finite() -> None:
    assert exact_sum(np.full(100_000, 0.1)) == 100_000 * Fraction(0.1)
    assert rounded_sum(np.ones(10)[::3]) == 4.0
    for number in (math.nan, math.inf):
        with pytest.raises(ValueError, match="finite"):
            exact_sum(np.array([1.0, number]))


@pytest.mark.parametrize("keep_class_weights", [False, True])
def test_boosting_does_not_depend_on_the_order_of_rows(keep_class_weights: bool) -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(500, 3)).round(1)
    y = (X[:, 0] * X[:, 1] + random.normal(size=500) > 0).astype(int)
    weights = 0.5 + random.random(500)
    order = random.permutation(500)
    boosting = wl.AdaBoostM1Classifier(
        wl.TopDownClassifier(n_rounds=3, max_bins=30), 20, keep_class_weights=keep_class_weights
    )
    given = boosting.fit(X, y, weights)
    votes, errors = given.votes_, given.errors_
    shuffled = boosting.fit(X[order], y[order], weights[order])
    assert votes.tolist() == shuffled.votes_.tolist()
    assert errors.tolist() == shuffled.errors_.tolist()
