"""Rounds of TopDown, criteria of the user, and errors about bad criteria."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from oracles.c45 import Table
from strategies import tables

pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")
CRITERIA = ["entropy", "gini", "km", "error"]


@settings(max_examples=100, deadline=None)
@given(tables(weighted=False), st.sampled_from(CRITERIA), st.booleans(), st.integers(0, 8))
def test_rounds_follow_from_the_order_of_nodes(
    table: Table, criterion: str, grouping: bool, n_rounds: int
) -> None:
    """The rounds of the tree with N rounds are the first N rounds of the whole tree."""
    frame, labels = frame_of(table), labels_of(table)
    few, all_ = (
        wl.TopDownClassifier(criterion, n, grouping).fit(frame, labels).advantages_
        for n in (n_rounds, None)
    )
    assert len(few) == min(n_rounds, len(all_))
    np.testing.assert_array_equal(few.gamma, all_.gamma[: len(few)])
    np.testing.assert_array_equal(few.gain, all_.gain[: len(few)])
    np.testing.assert_array_equal(few.weight, all_.weight[: len(few)])
    assert (few.gain >= -1e-12).all()


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(CRITERIA), st.integers(0, 8))
def test_gains_reduce_the_weighted_impurity_which_bounds_the_error(
    table: Table, criterion: str, n_rounds: int
) -> None:
    assume(sum(table.weights) > 1e-3)  # the tolerance is 1e-9 of a weight of 1
    frame, labels = frame_of(table), labels_of(table)
    model = wl.TopDownClassifier(criterion, n_rounds).fit(frame, labels, table.weights)
    leaf = wl.TopDownClassifier(criterion, 0).fit(frame, labels, table.weights)
    impurity = wl.theory.weighted_impurity(model)
    assert impurity == pytest.approx(
        wl.theory.weighted_impurity(leaf) - model.advantages_.gain.sum(), abs=1e-9
    )
    tree = model.tree_
    error = tree.errors[0] / tree.weight[0]
    factor = getattr(wl.theory, criterion).error_factor(len(table.classes))
    assert error <= factor * impurity + 1e-9


def power(weights: Any) -> Any:
    return (4 * weights.prod(axis=1) / weights.sum(axis=1) ** 2) ** 0.3


def test_a_criterion_of_the_user() -> None:
    chance = np.random.default_rng(0)
    X = chance.normal(size=(300, 4))
    y = (X[:, 0] + X[:, 1] ** 2 + chance.normal(size=300) > 0.5).astype(int)
    model = wl.TopDownClassifier(power, n_rounds=5).fit(X, y)
    assert model.tree_.n_leaves == 6
    assert model.advantages_.gain.min() > 0
    assert wl.TopDownClassifier(wl.theory.km).fit(X, y).tree_.n_leaves > 6
    three = np.digitize(X[:, 0], [-0.5, 0.5])
    assert (wl.TopDownClassifier(power).fit(X, three).predict(X) == three).all()


def test_a_function_is_not_saved(tmp_path: Path) -> None:
    model = wl.TopDownClassifier(power).fit(pd.DataFrame({"x": [1.0, 2.0]}), ["a", "b"])
    with pytest.raises(TypeError, match=r"criterion is a function.*model\.tree_\.save"):
        model.save(tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("criterion", "message"),
    [
        (lambda w: w[:, 0] * w[:, 1], "expected 1: it must be 0 at a pure node and 1"),
        (lambda w: (4 * w.prod(axis=1)) ** 2, "not concave"),
        (lambda w: np.minimum(1.0, 2 * w[:, 0]) - (w[:, 1] == 0), "not symmetric"),
        (lambda w: 1.0, "one value per row"),
        (lambda w: w[:, 0] / 0, "expected a finite number"),
        ("giny", r"criterion must be one of .*, or a function"),
    ],
)
def test_bad_criteria(criterion: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wl.TopDownClassifier(criterion).fit([[1.0], [2.0]], ["a", "b"])


@pytest.mark.parametrize("n_rounds", [-1, 2.5, "many"])
def test_bad_rounds(n_rounds: Any) -> None:
    with pytest.raises(ValueError, match="n_rounds must be a whole number >= 0 or None"):
        wl.TopDownClassifier(n_rounds=n_rounds).fit([[1.0], [2.0]], ["a", "b"])
