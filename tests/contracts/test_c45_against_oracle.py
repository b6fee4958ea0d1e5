"""C45Classifier against a plain Python version of its rules, on small random tables."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.c45 import Options, Table, grow, predict_proba, prune
from strategies import (
    longer_tables,
    options,
    tables,
    tables_missing_for_a_reason,
    tables_of_many_values,
    tables_of_some_values,
)

from .oracle_table import classifier_of, difference, frame_of, labels_of, of_present_rows

# More examples on demand: WEAKLEARN_EXAMPLES=5000 pytest tests/contracts
EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "200"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")


def check(table: Table, options: Options, pruned: bool) -> None:
    table = of_present_rows(table)
    frame = frame_of(table)
    model = classifier_of(options, prune=pruned).fit(frame, labels_of(table), table.weights)
    tree = grow(table, options)
    if pruned:
        tree = prune(tree, table, options)
    text = difference(model.tree_.to_dict(), tree)
    assert text is None, text

    rows = [table.row(i) for i in range(len(table.y))]
    rows.append([None] * len(table.columns))
    every = replace(table, columns=[[*column, None] for column in table.columns])
    wanted = np.array(predict_proba(tree, rows, table))
    occurring = [table.classes.index(label) for label in model.classes_]
    np.testing.assert_allclose(
        model.predict_proba(frame_of(every)), wanted[:, occurring], rtol=0, atol=1e-9
    )


@patient
@given(tables(), options(), st.booleans())
def test_tree_and_predictions_equal_the_oracles(
    table: Table, options: Options, pruned: bool
) -> None:
    check(table, options, pruned)


@settings(patient, max_examples=2 * EXAMPLES)
@given(tables_missing_for_a_reason(), options(), st.booleans())
def test_values_that_are_missing_for_a_reason(table: Table, options: Options, pruned: bool) -> None:
    check(table, replace(options, missing="branch"), pruned)


@settings(patient, max_examples=EXAMPLES // 8)
@given(st.data(), options(), st.booleans())
def test_longer_tables(data: st.DataObject, options: Options, pruned: bool) -> None:
    # The oracle tries all pairs of values many times, so there are few values.
    check(data.draw(longer_tables(8 if options.subset else 300)), options, pruned)


@settings(patient, max_examples=EXAMPLES // 2)
@given(tables_of_many_values(), options(), st.booleans())
def test_more_values_than_subsets_are_searched_for(
    table: Table, options: Options, pruned: bool
) -> None:
    check(table, replace(options, subset=True), pruned)


#: Of its three values, one weighs more than a row. A merge with it leaves only one such subset.
LIGHT = Table(
    [["v1", "v2", "v0", "v1"]],
    ["nominal"],
    [["v0", "v1", "v2"]],
    ["c0", "c1", "c2"],
    ["c2", "c0", "c2", "c0"],
    [0.6, 0.8, 0.6, 0.8],
)


@patient
@example(LIGHT, 0.5, False)
@given(tables_of_some_values(), st.sampled_from([0.5, 0.5, 1, 2]), st.booleans())
def test_subsets_of_some_values(table: Table, min_objects: float, pruned: bool) -> None:
    # Only the gain ratio ends the search before two subsets remain.
    check(table, Options("gain_ratio", min_objects, subset=True), pruned)


@pytest.mark.parametrize("criterion", ["gain_ratio", "gini"])
def test_more_values_than_sixteen_bits_can_count(criterion: str) -> None:
    chance = np.random.default_rng(5)
    n_rows = 70_000
    x = chance.permutation(n_rows) * 0.37
    y = ["c0" if v else "c1" for v in (x > 9_000) ^ (chance.random(n_rows) < 0.2)]
    table = Table([x.tolist()], ["continuous"], [[]], ["c0", "c1"], y)
    assert table.precision == ["single"]
    check(table, Options(criterion=criterion, max_depth=1), pruned=False)


def test_a_large_table_is_pruned_like_its_distinct_rows_with_weights() -> None:
    # With more than 65,536 rows, pruning sends copies of rows down the tree.
    chance = np.random.default_rng(8)
    X = chance.integers(0, 100, (7_000, 4)).astype(float)
    y = (X[:, 0] + X[:, 1] > 100) ^ (chance.random(len(X)) < 0.2)
    counted = wl.C45Classifier(min_objects=20).fit(X, y, sample_weight=10.0)
    repeated = wl.C45Classifier(min_objects=20).fit(np.repeat(X, 10, axis=0), np.repeat(y, 10))
    unpruned = wl.C45Classifier(min_objects=20, prune=False).fit(X, y, sample_weight=10.0)
    assert 10 < counted.get_n_leaves() < unpruned.get_n_leaves()
    assert repeated.tree_.to_text() == counted.tree_.to_text()


@pytest.mark.parametrize(("saved", "n_leaves"), [(0.0015, 2), (0.0005, 1)])
def test_a_split_is_kept_if_it_saves_a_thousandth_of_an_error(saved: float, n_leaves: int) -> None:
    columns: list[list[object]] = [[0.0, 0.0, 1.0, 1.0]]
    weights = [2.0, 1.0, 1.0, 1.0 + saved]
    table = Table(columns, ["continuous"], [[]], ["c0", "c1"], ["c0", "c1", "c0", "c1"], weights)
    options = Options("gain", 1, threshold_penalty=False)
    check(table, options, pruned=False)
    model = classifier_of(options, prune=False).fit(frame_of(table), table.y, table.weights)
    assert model.get_n_leaves() == n_leaves
