"""Probabilities from votes: powers, their exponent, and the class that must stay largest."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from weaklearn import _core
from weaklearn.models.prediction import probabilities_of_votes
from weaklearn.models.probabilities import (
    Calibration,
    exponent_digits,
    exponential,
    fit_exponent,
    usual_exponent,
)

positive = st.floats(1e-3, 1e3)


@given(st.lists(positive, min_size=2, max_size=5), st.floats(0.25, 8), st.data())
def test_powers_are_mixed_with_base_rates(
    votes: list[float], exponent: float, data: st.DataObject
) -> None:
    counts = data.draw(st.lists(st.integers(1, 50), min_size=len(votes), max_size=len(votes)))
    total = sum(votes)
    exponent = round(exponent * 2**16) / 2**16
    powers = [(vote / total) ** exponent for vote in votes]
    n = sum(counts)
    wanted = [
        (n * power / sum(powers) + count / n) / (n + 1)
        for power, count in zip(powers, counts, strict=True)
    ]
    ours = Calibration(exponent, np.array(counts, float)).of(np.array([votes]) / total)
    np.testing.assert_allclose(ours, [wanted], rtol=1e-9)


def power(bases: list[float], exponent: float) -> list[float]:
    return _core.powers(np.array(bases), *exponent_digits(exponent)).tolist()


@given(
    st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=9),
    st.integers(0, 8 * 2**16),
)
def test_powers_are_those_of_the_rounded_exponent(bases: list[float], digits: int) -> None:
    exponent = digits / 2**16
    wanted = [base**exponent for base in bases]
    # Digits add at most three rounding units, since each square root halves what came before,
    # and each of up to eight products adds a half.
    np.testing.assert_allclose(power(bases, exponent), wanted, rtol=16e-16, atol=1e-300)
    assert power([0.0, 1.0], exponent) == [0.0 if digits else 1.0, 1.0]
    assert power(bases, exponent + 1e-6) == power(bases, exponent)


@given(st.lists(st.floats(-700, 700), min_size=1, max_size=9))
def test_the_exponential_is_within_two_rounding_units(numbers: list[float]) -> None:
    wanted = [math.exp(number) for number in numbers]
    np.testing.assert_array_max_ulp(exponential(np.array(numbers)), np.array(wanted), maxulp=2)


@given(st.lists(positive, min_size=1, max_size=9), positive)
def test_the_usual_exponent_grows_with_the_effective_number_of_votes(
    votes: list[float], factor: float
) -> None:
    exponent = usual_exponent(np.array(votes))
    assert 1 - 1e-12 <= exponent <= 2 - 1 / len(votes) + 1e-12
    assert math.isclose(usual_exponent(np.array(votes) * factor), exponent, rel_tol=1e-9)
    assert math.isclose(usual_exponent(np.full(len(votes), factor)), 2 - 1 / len(votes))


@given(seed=st.integers(0, 2**32), n_classes=st.sampled_from([2, 3, 6]), usual=st.floats(1, 2))
def test_the_fitted_exponent_has_the_least_penalized_log_loss(
    seed: int, n_classes: int, usual: float
) -> None:
    chance = np.random.default_rng(seed)
    shares = chance.dirichlet(np.full(n_classes, chance.choice([0.2, 1.0, 5.0])), 60)
    shares[0] = np.eye(n_classes)[0]  # zero shares do no harm
    classes = np.array([chance.choice(n_classes, p=p / p.sum()) for p in shares**2], np.int32)
    weights = chance.choice([0.5, 1.0, 2.0], 60)
    class_weights = np.bincount(classes, weights, n_classes)

    def loss(logarithm: float) -> float:
        probabilities = Calibration(math.exp(logarithm), class_weights).of(shares)
        own = probabilities[np.arange(60), classes]
        return float(-weights @ np.log(own) + 10 * (logarithm - math.log(usual)) ** 2)

    fitted = math.log(fit_exponent(shares, classes, weights, class_weights, usual))
    best = minimize_scalar(loss, bounds=(math.log(0.25), math.log(8)), method="bounded")
    assert loss(fitted) <= best.fun + 0.01


@given(
    rows=st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any), min_size=1),
    data=st.data(),
)
def test_the_winner_has_the_largest_probability(rows: list[list[int]], data: st.DataObject) -> None:
    votes = np.array(rows, float)
    before = votes / votes.sum(axis=1, keepdims=True)
    winning = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows))), np.int32
    )
    after = probabilities_of_votes(votes, winning, None)
    assert np.array_equal(after.argmax(axis=1), winning)
    np.testing.assert_allclose(after.sum(axis=1), 1.0, rtol=1e-12)
    kept = before.argmax(axis=1) == winning
    assert np.array_equal(after[kept], before[kept])
    moved = np.abs(after - before).sum(axis=1)
    excess = before.max(axis=1) - before[np.arange(len(rows)), winning]
    assert (moved <= 2 * excess + 1e-12).all()  # no more is moved than needed


@given(
    rows=st.lists(
        st.lists(
            st.sampled_from([0.0, 5e-324, 1e-300, 0.1, 1.0, 3.0, 1e300]), min_size=3, max_size=3
        )
    ),
    exponent=st.floats(0.25, 8.0),
    data=st.data(),
)
def test_probabilities_of_votes_by_plain_arithmetic(
    rows: list[list[float]], exponent: float, data: st.DataObject
) -> None:
    winning = data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    weights = [5.0, 2.5, 0.25]
    calibration = Calibration(exponent, np.array(weights))
    got = probabilities_of_votes(
        np.array(rows).reshape(-1, 3), np.array(winning, np.int32), calibration
    )
    for row, winner, of_row in zip(rows, winning, got.tolist(), strict=True):
        total = row[0] + row[1] + row[2]
        shares = [x / total if total > 0 else 1 / 3 for x in row]
        powers = power(shares, exponent)
        scaled = [p / (powers[0] + powers[1] + powers[2]) for p in powers]
        mixed = [(p * 7.75 + w / 7.75) / 8.75 for p, w in zip(scaled, weights, strict=True)]
        greatest = max(mixed)
        if mixed.index(greatest) != winner:
            mixed = [p / (1.0 + (greatest - mixed[winner])) for p in mixed]
            mixed[winner] = max(mixed) * (1.0 + 2.0 * np.finfo(float).eps)
        assert of_row == mixed


def test_the_exponent_is_finite_if_a_class_has_hardly_any_weight():
    shares = np.array([[1.0, 0.0], [1.0, 0.0]])
    classes = np.array([0, 1], np.int32)
    weights = np.array([2.0, 5e-324])
    with np.errstate(all="raise", under="ignore"):
        assert np.isfinite(fit_exponent(shares, classes, weights, weights, 1.5))
