"""Folds, and disjoint training sets with one test set."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weaklearn as wl
from weaklearn.experiments import cross_validate, split_folds, split_sets

class_sizes = st.lists(st.integers(1, 30), min_size=1, max_size=4).filter(lambda s: sum(s) >= 8)


@given(class_sizes, st.integers(2, 4), st.integers(0, 3), st.data())
def test_sets_are_disjoint_stratified_and_share_the_test_rows(
    sizes: list[int], n_sets: int, seed: int, data: st.DataObject
) -> None:
    classes = np.repeat(np.arange(len(sizes)), sizes)
    n_rows = len(classes)
    test = data.draw(st.none() | st.integers(1, n_rows - n_sets))
    splits = split_sets(classes, n_sets, test=test, seed=seed)
    assert len(splits) == n_sets
    sets = [*(split.train for split in splits), splits[0].test]
    assert (np.sum(sets, axis=0) == 1).all(), "every row is in exactly one set"
    assert all((split.test == splits[0].test).all() for split in splits)
    n_test = int(splits[0].test.sum())
    assert n_test == (n_rows // (n_sets + 1) if test is None else test)
    assert np.ptp([split.train.sum() for split in splits]) <= 1
    for index, size in enumerate(sizes):
        in_class = classes == index
        assert np.ptp([(split.train & in_class).sum() for split in splits]) <= 1
        assert abs((splits[0].test & in_class).sum() - size * n_test / n_rows) < 1


def test_the_rows_of_a_given_test_set_are_kept() -> None:
    classes = np.array(["a", "b"] * 20)
    chosen = np.arange(40) >= 30
    splits = split_sets(classes, 3, test=chosen, seed=1)
    assert (splits[0].test == chosen).all()
    assert [int(split.train.sum()) for split in splits] == [10, 10, 10]


def test_the_seed_decides_the_sets() -> None:
    classes = ["a", "b"] * 30
    once, again, other = (split_sets(classes, 3, seed=seed) for seed in (1, 1, 2))
    assert all((a.train == b.train).all() for a, b in zip(once, again, strict=True))
    assert any((a.train != b.train).any() for a, b in zip(once, other, strict=True))


def test_folds_are_those_of_cross_validation() -> None:
    table = wl.datasets.load("iris")
    folds = np.empty(table.n_rows, dtype=int)
    for index, split in enumerate(split_folds(table.y, 7, seed=3)):
        assert (split.train == ~split.test).all()
        folds[split.test] = index
    drawn = cross_validate(wl.C45Classifier(), table.X, table.y, n_folds=7, seed=3)
    given_folds = cross_validate(wl.C45Classifier(), table.X, table.y, fold_of_row=folds)
    assert drawn.folds == given_folds.folds


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_sets": 1}, "n_sets must be a whole number of at least 2, got 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ({"test": 2.5}, "test must be a whole number of at least 0, got 2.5"),
        ({"test": 0}, "got 10 rows to train on and 0 to test on"),
        ({"test": 9}, "got 1 rows to train on and 9 to test on; expected at least one for each of"),
        ({"test": [1, 2]}, "test has shape (2,) and type int64; expected a number of rows, or"),
    ],
)
def test_bad_input_is_explained(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        split_sets(["a", "b"] * 5, **arguments)


def test_more_folds_than_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="n_folds must be at most 4, the number of rows, got 5"):
        split_folds(["a", "b"] * 2, 5)
