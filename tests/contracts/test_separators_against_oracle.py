"""AdaBoostR and BoostODT against a search through all stumps, on small random tables."""

from __future__ import annotations

import math
import os
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.c45 import Table
from oracles.c45_prune import prune
from oracles.c45_table import Node, Options, prepare, stored_cell
from oracles.separator import boost, grow, leaf_of
from strategies import longer_tables, tables

from .oracle_table import frame_of, labels_of, of_present_rows

# More examples on demand: WEAKLEARN_EXAMPLES=5000 pytest tests/contracts
EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "100"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")
# Which of two stumps is better must not depend on weights that are lost beside others.
moderate = tables(max_rows=20, max_columns=3).filter(
    lambda table: all(w == 0 or 0.01 < w < 100 for w in table.weights)
)


def rows_of(table: Table) -> list[list[object]]:
    """Return each row, and a row whose values are all missing."""
    rows = [
        [stored_cell(table, a, cell) for a, cell in enumerate(table.row(i))]
        for i in range(len(table.y))
    ]
    return [*rows, [None] * len(table.columns)]


def with_a_missing_row(table: Table) -> Table:
    return replace(table, columns=[[*column, None] for column in table.columns])


def check_separators(table: Table, n_rounds: int) -> None:
    table = of_present_rows(table)
    model = wl.RealAdaBoostClassifier(n_rounds).fit(
        frame_of(table), labels_of(table), table.weights
    )
    known = prepare(table)
    everything = frame_of(with_a_missing_row(table))
    outputs = model.class_outputs(model._encode(everything))
    for separator in model.separators_.each:
        positive = table.classes[separator.positive]
        y = [1 if label == positive else -1 for label in known.y]
        oracle = boost(known, range(len(y)), known.weights, y, n_rounds)
        np.testing.assert_allclose(separator.mu, oracle.mu, rtol=0, atol=1e-9)
        wanted = [alpha for alpha, _ in oracle.stumps]
        np.testing.assert_allclose(separator.alphas, wanted, rtol=0, atol=1e-6)
        if oracle.uses_features:
            expected = [oracle.output(row) for row in rows_of(table)]
            np.testing.assert_allclose(outputs[:, separator.positive], expected, rtol=0, atol=1e-6)
        else:
            assert separator.graph.n_nodes == 1


def assert_same_tree(ours: Node, oracle: Node, path: str = "root") -> None:
    assert ours["class"] == oracle["class"], path
    assert ours["n"] == pytest.approx(oracle["n"], rel=1e-9), path
    assert ours["dist"] == pytest.approx(oracle["dist"], rel=1e-9), path
    assert len(ours.get("children", [])) == len(oracle.get("children", [])), path
    pairs = zip(ours.get("children", []), oracle.get("children", []), strict=True)
    for number, (a, b) in enumerate(pairs):
        assert_same_tree(a, b, f"{path}/{number}")


def check_tree(
    table: Table,
    n_stumps: int,
    max_depth: int,
    max_leaves: int | None,
    confidence: float | None = None,
) -> None:
    table = of_present_rows(table)
    model = wl.BoostODTClassifier(n_stumps, max_depth, max_leaves)
    if confidence is not None:
        model.set_params(prune=True, confidence=confidence)
    model.fit(frame_of(table), labels_of(table), table.weights)
    max_splits = math.inf if max_leaves is None else max_leaves - 1
    oracle = grow(table, n_stumps, max_depth, max_splits)
    if confidence is not None:
        oracle = prune(oracle, table, Options(confidence=confidence))
    assert_same_tree(model.tree_.to_dict(), oracle)
    wanted = [leaf_of(oracle, row) for row in rows_of(table)]
    shares = [[leaf["dist"].get(k, 0.0) / leaf["n"] for k in model.classes_] for leaf in wanted]
    got = model.predict_proba(frame_of(with_a_missing_row(table)))
    np.testing.assert_allclose(got, shares, rtol=0, atol=1e-9)


@patient
@given(table=moderate, n_rounds=st.sampled_from([1, 2, 3, 7]))
def test_separators_equal_the_oracles(table: Table, n_rounds: int) -> None:
    check_separators(table, n_rounds)


@patient
@given(
    table=moderate,
    n_stumps=st.sampled_from([1, 2, 5]),
    max_depth=st.sampled_from([0, 1, 2, 3]),
    max_leaves=st.sampled_from([None, None, 2, 3]),
)
def test_trees_equal_the_oracles(
    table: Table, n_stumps: int, max_depth: int, max_leaves: int | None
) -> None:
    check_tree(table, n_stumps, max_depth, max_leaves)


@st.composite
def noisy_tables(draw: st.DrawFn) -> Table:
    """Draw tables with noisy classes, so that pruning removes much and raises branches."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.sampled_from([20, 40, 60]))
    x, z = chance.integers(0, 7, (2, n_rows)).astype(float).tolist()
    values = ["v0", "v1", "v2"]
    nominal = chance.choice(values, n_rows).tolist()
    classes = ["c0", "c1"] if draw(st.booleans()) else ["c0", "c1", "c2"]
    y = [classes[k] for k in chance.integers(0, len(classes), n_rows)]
    columns: list[list[object]] = [x, z, nominal]
    for column in columns:
        if draw(st.booleans()):
            for i in np.flatnonzero(chance.random(n_rows) < 0.2):
                column[i] = None
    kinds = ["continuous", "continuous", "nominal"]
    weights = draw(st.sampled_from([[], chance.choice([0.0, 0.5, 1.0, 2.0], n_rows).tolist()]))
    return Table(columns, kinds, [[], [], values], classes, y, weights)


@patient
@given(
    table=moderate | noisy_tables(),
    n_stumps=st.sampled_from([1, 1, 2, 5]),
    max_depth=st.sampled_from([2, 4, 6]),
    confidence=st.sampled_from([0.01, 0.25, 0.6, 1.0]),
)
def test_pruned_trees_equal_the_oracles(
    table: Table, n_stumps: int, max_depth: int, confidence: float
) -> None:
    check_tree(table, n_stumps, max_depth, None, confidence)


@settings(patient, max_examples=max(EXAMPLES // 25, 3))
@given(longer_tables(300))
def test_longer_tables(table: Table) -> None:
    """Columns with more than 255 values are kept sorted and partitioned with the nodes."""
    short = replace(
        table,
        columns=[column[:270] for column in table.columns],
        y=table.y[:270],
        weights=table.weights[:270],
    )
    check_separators(short, 2)
    check_tree(short, 1, 2, None)
    check_tree(short, 1, 4, None, 0.25)
