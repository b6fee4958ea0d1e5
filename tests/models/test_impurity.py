"""Impurities: properties of permissible functions, for every function and number of classes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn import _core, theory
from weaklearn.models.impurity import IMPURITIES, Impurity, impurity_of

for_each_impurity = pytest.mark.parametrize("impurity", IMPURITIES.values(), ids=IMPURITIES.keys())
quick = settings(max_examples=50, deadline=None)
weights = st.one_of(st.just(0.0), st.floats(1e-9, 1e9), st.sampled_from([1.0, 2.0, 3.0]))

TWO_CLASSES: dict[str, Callable[[float], float]] = {
    "entropy": lambda q: -sum(x * math.log2(x) for x in (q, 1 - q) if x > 0),
    "gini": lambda q: 4 * q * (1 - q),
    "km": lambda q: 2 * math.sqrt(q * (1 - q)),
    "error": lambda q: 2 * min(q, 1 - q),
}
K_CLASSES: dict[str, Callable[[list[float]], float]] = {
    "entropy": lambda p: -sum(x * math.log2(x) for x in p if x > 0) / math.log2(len(p)),
    "gini": lambda p: (1 - sum(x * x for x in p)) * len(p) / (len(p) - 1),
    "km": lambda p: (sum(map(math.sqrt, p)) ** 2 - 1) / (len(p) - 1),
    "error": lambda p: (1 - max(p)) * len(p) / (len(p) - 1),
}


def test_every_criterion_of_the_core_has_an_impurity() -> None:
    assert list(IMPURITIES) == _core.criteria()


def shares(n_classes: int) -> st.SearchStrategy[np.ndarray]:
    listed = st.lists(weights, min_size=n_classes, max_size=n_classes).filter(any)
    return listed.map(lambda w: np.array(w) / sum(w))


n_classes = st.integers(2, 7)


@for_each_impurity
@quick
@given(data=st.data())
def test_impurities_are_concave_and_symmetric(impurity: Impurity, data: st.DataObject) -> None:
    k = data.draw(n_classes)
    a, b = data.draw(shares(k)), data.draw(shares(k))
    share = data.draw(st.floats(0, 1))
    order = data.draw(st.permutations(range(k)))
    at_a, at_b, between, mirrored = impurity.of([a, b, share * a + (1 - share) * b, a[order]])
    assert between >= share * at_a + (1 - share) * at_b - 1e-12
    assert mirrored == pytest.approx(at_a, rel=1e-9, abs=1e-12)
    assert 0 <= at_a <= 1


@for_each_impurity
@pytest.mark.parametrize("k", [2, 3, 10])
def test_impurity_of_pure_uniform_and_empty_nodes(impurity: Impurity, k: int) -> None:
    assert not impurity.of(7.0 * np.eye(k)).any()
    assert impurity.of(np.full((1, k), 3.0))[0] == pytest.approx(1.0, abs=1e-12)
    assert impurity.of(np.zeros((1, k)))[0] == 0.0
    assert impurity.of(np.ones((2, 1))).tolist() == [0.0, 0.0]


@for_each_impurity
@quick
@given(data=st.data())
def test_impurities_follow_their_formulas(impurity: Impurity, data: st.DataObject) -> None:
    p = data.draw(n_classes.flatmap(shares))
    expected = K_CLASSES[impurity.name](p.tolist())
    assert impurity.of([p * 12.5])[0] == pytest.approx(expected, abs=1e-9)
    q = data.draw(st.floats(0, 1))
    assert impurity(q) == pytest.approx(TWO_CLASSES[impurity.name](q), abs=1e-12)
    assert impurity(q) == impurity.of([[1 - q, q]])[0]


@for_each_impurity
@quick
@given(p=n_classes.flatmap(shares))
def test_impurity_times_the_factor_bounds_the_majority_error(
    impurity: Impurity, p: np.ndarray
) -> None:
    factor = impurity.error_factor(len(p))
    assert 1 - p.max() <= factor * impurity.of([p])[0] + 1e-12
    if len(p) == 2:
        assert factor == 0.5


@for_each_impurity
@pytest.mark.parametrize("k", [2, 3, 10])
def test_the_factor_is_the_smallest_possible(impurity: Impurity, k: int) -> None:
    halves = np.array([0.5, 0.5] + [0.0] * (k - 2))
    ratios = [(1 - p.max()) / impurity.of([p])[0] for p in (halves, np.full(k, 1 / k))]
    assert max(ratios) == pytest.approx(impurity.error_factor(k), rel=1e-12)


def test_values_keep_their_shape() -> None:
    assert isinstance(theory.km(0.2), float)
    assert theory.km([[0.1, 0.2, 0.3]]).shape == (1, 3)
    assert theory.km(np.zeros(0)).shape == (0,)


def test_bad_values_are_errors() -> None:
    with pytest.raises(ValueError, match=r"got q=1.5, expected a share of a class, from 0 to 1"):
        theory.gini(1.5)
    for bad in ([1.0, 2.0], [[1.0, -1.0]], [[np.nan, 1.0]]):
        with pytest.raises(ValueError, match=r"expected finite numbers >= 0 in a table"):
            theory.gini.of(bad)
    with pytest.raises(ValueError, match=r"got criterion='twoing', expected one of 'entropy'"):
        impurity_of("twoing")


# -- impurities that users define ----------------------------------------------------------------


@for_each_impurity
def test_all_impurities_are_permissible(impurity: Impurity) -> None:
    values = theory.check_permissible(impurity.of)
    assert values.shape == (4097,)
    assert np.array_equal(values, impurity(np.linspace(0, 1, 4097)))
    assert impurity_of(impurity.of).of([[1.0, 3.0]])[0] == impurity(0.25)


PROBLEMS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "pure": (lambda w: np.ones(len(w)), r"is 1 at q=0, expected 0"),
    "top": (lambda w: w.prod(axis=1), r"is 0.25 at q=0.5, expected 1: .* 1 at the uniform one"),
    "sides": (
        lambda w: np.where(w[:, 1] < 0.5, 2 * w[:, 1], 4 * w.prod(axis=1)),
        r"not symmetric: 0.5 at q=0.25, but 0.75 at q=0.75",
    ),
    "convex": (lambda w: (4 * w.prod(axis=1)) ** 2, r"not concave: .* at q=0.0002.* is below"),
    "dent": (
        lambda w: 4 * w.prod(axis=1) - 1e-6 * (np.abs(w[:, 1] - 0.5) == 0.25),
        r"not concave: 0.749999 at q=0.25 is below the mean of its neighbours, 0.7495.* and",
    ),
    "nan": (
        lambda w: -(w * np.log2(w)).sum(axis=1),
        r"returns nan at q=0, expected a finite number: .*xlogy",
    ),
    "shape": (lambda w: w, r"returned values of shape \(4097, 2\).*expected one value per row"),
    "scalar": (lambda w: 1.0, r"returned values of shape \(\)"),
    "words": (lambda w: ["a"] * len(w), r"must return numbers"),
}


@pytest.mark.parametrize(("function", "problem"), PROBLEMS.values(), ids=PROBLEMS.keys())
def test_an_error_names_the_property_that_fails(
    function: Callable[[Any], Any], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        theory.check_permissible(function)
