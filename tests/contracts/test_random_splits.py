"""`splits="random"` of C45Classifier: against plain Python, and its laws."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.c45 import Options, Table, grow, prune
from strategies import longer_tables, options, tables, tables_of_many_values
from weaklearn.boosting.sampling import draw_seed

from .oracle_table import classifier_of, difference, frame_of, labels_of, of_present_rows

EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "200"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings(
    "ignore:.* does not separate values:UserWarning",
    "ignore:suspicious columns:UserWarning",
    "ignore:.* learned nothing:UserWarning",
)


def check(
    table: Table, options: Options, max_features: int | None, seed: int, pruned: bool
) -> None:
    table = of_present_rows(table)
    if max_features is not None:
        max_features = min(max_features, len(table.columns))
    options = replace(
        options, random_splits=True, max_features=max_features, seed=draw_seed(seed), subset=False
    )
    model = classifier_of(
        options, prune=pruned, splits="random", max_features=max_features, random_state=seed
    )
    model.fit(frame_of(table), labels_of(table), table.weights)
    tree = grow(table, options)
    if pruned:
        tree = prune(tree, table, options)
    text = difference(model.tree_.to_dict(), tree)
    assert text is None, text


@patient
@given(
    tables(),
    options(),
    st.sampled_from([None, 1, 2, 3]),
    st.integers(0, 2**31),
    st.booleans(),
)
def test_the_tree_equals_the_oracles(
    table: Table, options: Options, max_features: int | None, seed: int, pruned: bool
) -> None:
    check(table, options, max_features, seed, pruned)


@settings(patient, max_examples=EXAMPLES // 2)
@given(tables_of_many_values(), options(), st.integers(0, 9), st.booleans())
def test_rare_values_of_keys_are_one_value(
    table: Table, options: Options, seed: int, pruned: bool
) -> None:
    check(table, options, 1, seed, pruned)


@settings(patient, max_examples=EXAMPLES // 8)
@given(st.data(), options(), st.sampled_from([None, 1, 2]), st.integers(0, 2**31))
def test_longer_tables(
    data: st.DataObject, options: Options, max_features: int | None, seed: int
) -> None:
    check(data.draw(longer_tables(300)), options, max_features, seed, pruned=False)


def _table(n_rows: int = 5000) -> tuple[pd.DataFrame, Any]:
    chance = np.random.default_rng(3)
    X = pd.DataFrame(chance.normal(size=(n_rows, 6)), columns=[f"x{i}" for i in range(6)])
    X["city"] = pd.Categorical.from_codes(
        chance.integers(0, 200, n_rows), [f"c{i}" for i in range(200)]
    )
    y = (X["x0"] + X["x1"] > 0).astype(int) + (X["city"].cat.codes % 3 == 0)
    return X.mask(chance.random(X.shape) < 0.02), y


@pytest.mark.parametrize("missing", ["fraction", "branch"])
def test_threads_change_no_bit(missing: str) -> None:
    X, y = _table()
    trees = [
        wl.C45Classifier(
            splits="random", prune=False, missing=missing, random_state=1, n_jobs=n, max_depth=8
        )
        .fit(X, y)
        .tree_
        for n in (1, 2, 3)
    ]
    assert trees[0] == trees[1] == trees[2]
    assert trees[0].n_leaves > 20


@settings(patient, max_examples=EXAMPLES // 4)
@given(tables(), options(), st.integers(0, 99))
def test_weight_two_equals_the_row_twice(table: Table, options: Options, seed: int) -> None:
    frame, labels = frame_of(table), labels_of(table)
    rows = np.repeat(np.arange(len(frame)), 2)
    model = classifier_of(replace(options, subset=False), splits="random", random_state=seed)
    weighted = model.fit(frame, labels, np.full(len(frame), 2.0)).tree_.to_dict()
    twice = model.fit(frame.iloc[rows], labels.iloc[rows]).tree_.to_dict()
    assert difference(weighted, twice) is None


def test_the_seed_decides() -> None:
    X, y = _table(500)
    trees = [
        wl.C45Classifier(splits="random", max_depth=4, random_state=seed).fit(X, y).tree_
        for seed in (0, 0, 1)
    ]
    assert trees[0] == trees[1] != trees[2]


def test_thresholds_are_spread_evenly() -> None:
    """The gap between 0.1 and 1 is nine tenths of the range, so it gets nine tenths of the cuts."""
    x = np.array([*np.linspace(0, 0.1, 50), 1.0])[:, None]
    y = np.array(["a"] * 50 + ["b"])
    models = [
        wl.C45Classifier(splits="random", min_objects=1, prune=False, max_depth=1, random_state=i)
        for i in range(300)
    ]
    # C4.5 makes a leaf of a split that does not lower the error, and only that in the gap does.
    in_gap = sum(model.fit(x, y).tree_.n_leaves == 2 for model in models)
    assert 0.8 < in_gap / len(models) < 0.98


def test_columns_of_too_many_values_for_groups_are_split() -> None:
    n_values = 20_000
    X = pd.DataFrame({"key": pd.Categorical(np.arange(n_values).astype(str))})
    model = wl.C45Classifier(
        splits="random", subset=True, max_depth=1, prune=False, random_state=0
    ).fit(X, np.arange(n_values) % 2)
    assert model.tree_.n_leaves == 2


def test_the_original_program_has_no_random_splits() -> None:
    with pytest.raises(ValueError, match="which has no random splits: leave splits at 'best'"):
        wl.C45Classifier(arithmetic="release8", splits="random").fit([[1], [2]], ["a", "b"])


def test_an_unknown_kind_of_splits_is_named() -> None:
    with pytest.raises(ValueError, match="splits must be one of 'best', 'random'"):
        wl.C45Classifier(splits="worst").fit([[1], [2]], ["a", "b"])
