"""StumpClassifier against a search through all splits, on small random tables."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import weaklearn as wl
from oracles.c45 import Table, predict_proba
from oracles.stump import grow
from strategies import longer_tables, tables

from .oracle_table import difference, frame_of, labels_of, of_present_rows

# More examples on demand: WEAKLEARN_EXAMPLES=5000 pytest tests/contracts
EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "200"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")


def check(table: Table) -> None:
    table = of_present_rows(table)
    model = wl.StumpClassifier().fit(frame_of(table), labels_of(table), table.weights)
    stump = grow(table)
    text = difference(model.tree_.to_dict(), stump)
    assert text is None, text

    rows = [table.row(i) for i in range(len(table.y))]
    rows.append([None] * len(table.columns))
    every = replace(table, columns=[[*column, None] for column in table.columns])
    wanted = np.array(predict_proba(stump, rows, table))
    occurring = [table.classes.index(label) for label in model.classes_]
    np.testing.assert_allclose(
        model.predict_proba(frame_of(every)), wanted[:, occurring], rtol=0, atol=1e-9
    )


@patient
@given(tables())
def test_stump_and_predictions_equal_the_oracles(table: Table) -> None:
    check(table)


@settings(patient, max_examples=EXAMPLES // 10)
@given(longer_tables(300))
def test_longer_tables(table: Table) -> None:
    check(table)


def test_values_closer_than_c45_would_separate() -> None:
    x = np.array([1.0, 1.0, 1.0 + 1e-9, 1.0 + 1e-9])
    stump = wl.StumpClassifier().fit(x.reshape(-1, 1), ["a", "a", "b", "b"]).tree_.to_dict()
    assert stump["threshold"] == 1.0
    assert stump["e"] == 0


def test_equal_values_are_never_separated() -> None:
    # In the order of the rows, a cut between the many equal values at 150 would make no error.
    x = [float(i) for i in range(150)] + [150.0] * 200 + [float(i) for i in range(151, 300)]
    y = ["c0"] * 250 + ["c1"] * 249
    table = Table([x], ["continuous"], [[]], ["c0", "c1"], y)
    assert grow(table)["threshold"] == 149
    check(table)


def test_ties_go_to_the_lowest_cut_where_values_are_missing() -> None:
    table = Table([[1.0, 2.0, 2.0, 3.0, None]], ["continuous"], [[]], ["a", "b", "c"], [*"ababc"])
    assert grow(table)["threshold"] == 1
    check(table)


def test_more_values_than_sixteen_bits_can_count() -> None:
    chance = np.random.default_rng(5)
    n_rows = 70_000
    x = chance.permutation(n_rows) * 0.5
    positive = (x > 9_000) ^ (chance.random(n_rows) < 0.2)
    weights = chance.integers(0, 3, n_rows).astype(float)
    X = np.column_stack([chance.normal(size=n_rows).round(1), x])
    stump = wl.StumpClassifier().fit(X, positive, weights).tree_.to_dict()

    order = np.argsort(x)
    order = order[weights[order] > 0]
    low = [np.cumsum(weights[order] * (positive[order] == k)) for k in (False, True)]
    errors = np.minimum(*low) + np.minimum(low[0][-1] - low[0], low[1][-1] - low[1])
    best = np.argmin(errors[:-1])
    assert (stump["index"], stump["threshold"]) == (1, x[order[best]])
    assert stump["e"] == errors[best]


# The comparison would mean little if few tables had a split that helps.
def test_the_tables_have_stumps() -> None:
    tests: list[str] = []

    @settings(patient, max_examples=200, database=None, derandomize=True)
    @given(tables())
    def collect(table: Table) -> None:
        tests.append(grow(table).get("test", "leaf"))

    collect()
    assert min(tests.count(test) for test in ("leaf", "<=", "value")) > 3
