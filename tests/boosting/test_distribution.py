"""The weights of AdaBoost.M1 against the formulas, row by row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import LearnedMember
from weaklearn.boosting.distribution import (
    Distribution,
    OwnWeightedRows,
    ScaledWeights,
    WeightedRows,
)
from weaklearn.boosting.sampling import draw_counts, draw_factors

CLASSES = np.array([0, 0, 0, 2, 2, 2, 2], dtype=np.int32)  # class 1 has no row
WEIGHTS = np.array([1.0, 2.0, 0.0, 0.5, 1.5, 1.0, 4.0])


def learned(*wrong: int) -> LearnedMember[None]:
    predictions = np.where(np.isin(np.arange(7), wrong), 1, CLASSES)
    return LearnedMember(None, predictions.astype(np.int32))


def new(n_groups: int) -> Distribution:
    return Distribution(WeightedRows(WEIGHTS, CLASSES, n_groups))


def weights_of(distribution: Distribution) -> NDArray[np.float64]:
    rows: Any = distribution.rows
    return np.asarray(rows.weights)


def test_the_first_weights() -> None:
    for n_groups in (1, 3):
        distribution = new(n_groups)
        assert (distribution.total, distribution.start) == (10.0, 0)
        assert distribution.bound == 1.0
        assert weights_of(distribution).tolist() == (WEIGHTS / 10).tolist()
        np.testing.assert_allclose(distribution.counts(), WEIGHTS, rtol=1e-15)
        sample = draw_counts(distribution.counts(), 10, 5, 3)
        assert distribution.sample(5, 3).tolist() == sample.tolist()
    assert distribution.error(learned(0, 2, 4)) == pytest.approx(0.25, rel=1e-15)
    assert distribution.error(learned()) == 0.0


@pytest.mark.parametrize("step", [1.0, 0.5, 0.1])
@pytest.mark.parametrize("n_groups", [1, 3])
def test_rounds_follow_the_formulas(n_groups: int, step: float) -> None:
    distribution = new(n_groups)
    groups = CLASSES if n_groups > 1 else np.zeros(7, dtype=np.int32)
    w = WEIGHTS / 10
    in_group = [w[groups == g].sum() for g in range(n_groups)]
    sums = list(in_group)  # of the weights without scaling: their sum is the bound
    for wrong in ((0, 3), (4, 5), (0, 3)):
        member = learned(*wrong)
        is_wrong = np.isin(np.arange(7), wrong)
        error = float(w[is_wrong].sum())
        assert distribution.error(member) == pytest.approx(error, rel=1e-12)
        vote = distribution.update(member, error, step)
        goal = error + step * (0.5 - error)
        expected = math.log((1 - error) / error) - math.log((1 - goal) / goal)
        assert vote == pytest.approx(expected, rel=1e-12)
        w = w * np.exp(np.where(is_wrong, vote / 2, -vote / 2))
        for g in range(n_groups):
            grown = w[groups == g].sum()
            if in_group[g] > 0:
                sums[g] *= grown / in_group[g]
                w[groups == g] *= in_group[g] / grown
        np.testing.assert_allclose(weights_of(distribution), w, rtol=1e-12)
        assert distribution.bound == pytest.approx(min(1.0, sum(sums)), rel=1e-12)
    assert distribution.bound < 1.0


def test_a_tiny_error_leaves_no_weight_of_zero() -> None:
    weights = np.array([1e-320, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    distribution = Distribution(WeightedRows(weights, CLASSES, n_groups=1))
    error = distribution.error(learned(0))
    assert 0 < error < 1e-320
    distribution.update(learned(0), error)
    np.testing.assert_allclose(weights_of(distribution), [0.5, *[1 / 12] * 6], rtol=1e-3)


@pytest.mark.parametrize("n_groups", [1, 3])
def test_a_restart_draws_new_weights(n_groups: int) -> None:
    distribution = new(n_groups)
    distribution.update(learned(0), 0.1)
    distribution.restart(seed=7, start=2)
    drawn = WEIGHTS / 10 * draw_factors(7, 7, 2)
    for group in np.unique(CLASSES) if n_groups > 1 else [None]:
        rows = slice(None) if group is None else group == CLASSES
        drawn[rows] *= (WEIGHTS[rows] / 10).sum() / drawn[rows].sum()
    np.testing.assert_allclose(weights_of(distribution), drawn, rtol=1e-12)
    assert (distribution.start, distribution.bound) == (2, 1.0)
    distribution.update(learned(0), distribution.error(learned(0)))
    assert distribution.bound == 1.0


@pytest.mark.parametrize("n_groups", [1, 3])
def test_weights_that_change_in_place(n_groups: int) -> None:
    """The rounds give the same bits, and only one array of weights exists after the first."""
    given = WEIGHTS.copy()
    copied = new(n_groups)
    in_place = Distribution(OwnWeightedRows(given, CLASSES, n_groups))
    memory = weights_of(in_place)
    for wrong in ((0, 3), (4, 5), (0, 3)):
        error = copied.error(learned(*wrong))
        assert in_place.error(learned(*wrong)) == error
        assert in_place.update(learned(*wrong), error) == copied.update(learned(*wrong), error)
        assert weights_of(in_place).tolist() == weights_of(copied).tolist()
        assert weights_of(in_place) is memory
        assert in_place.bound == copied.bound
    counts = in_place.counts()
    assert isinstance(counts, ScaledWeights)
    assert (counts.numbers * counts.scale).tolist() == copied.counts().tolist()
    assert in_place.sample(5, 3).tolist() == copied.sample(5, 3).tolist()
    for distribution in (in_place, copied):
        distribution.restart(seed=1, start=1)
    assert weights_of(in_place).tolist() == weights_of(copied).tolist()
    assert given.tolist() == WEIGHTS.tolist()
