"""Laws of rulesets, on small random tables."""

from __future__ import annotations

import copy
import pickle
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.c45 import Table
from strategies import longer_tables, tables

from .oracle_table import frame_of, labels_of

quick = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = [
    pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning"),
    pytest.mark.filterwarnings("ignore:.* learned nothing:UserWarning"),
    pytest.mark.filterwarnings("ignore:sample_weight sums to:UserWarning"),
    pytest.mark.filterwarnings("ignore:suspicious columns:UserWarning"),
]
OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "subset": {"subset": True, "min_objects": 1},
    "annealing": {"annealing": True, "min_objects": 1, "redundancy": 2},
}
with_options = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
# Small tables, and some with more than ten rules for a class.
some_tables = st.one_of(tables(), tables(), tables(), longer_tables(6))


def fit(X: pd.DataFrame, y: Any, weights: Any = None, **options: Any) -> wl.RulesClassifier:
    return wl.RulesClassifier(**options).fit(X, y, weights)


@with_options
@quick
@given(table=some_tables, data=st.data())
def test_weight_counts_rows(options: dict[str, Any], table: Table, data: st.DataObject) -> None:
    n = len(table.y)
    counts = data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    rows = np.repeat(np.arange(n), counts)
    X, y = frame_of(table), labels_of(table)
    weighted, repeated = fit(X, y, counts, **options), fit(X.iloc[rows], y.iloc[rows], **options)
    assert weighted.ruleset_ == repeated.ruleset_
    assert np.array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


@with_options
@quick
@given(table=some_tables, data=st.data())
def test_row_order_does_not_matter(
    options: dict[str, Any], table: Table, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(table.y))))
    X, y, weights = frame_of(table), labels_of(table), np.array(table.weights)
    a = fit(X, y, weights, **options)
    b = fit(X.iloc[order], y.iloc[order], weights[order], **options)
    assert a.ruleset_ == b.ruleset_


@quick
@given(table=some_tables, data=st.data())
def test_zero_weight_is_absence(table: Table, data: st.DataObject) -> None:
    n = len(table.y)
    present = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(any)))
    X, y = frame_of(table), labels_of(table)
    weights = np.where(present, np.maximum(table.weights, 1.0), 0.0)
    with_zeros = fit(X, y, weights)
    without = fit(X[present], y[present], weights[present])
    assert with_zeros.ruleset_ == without.ruleset_


@pytest.mark.parametrize("arithmetic", ["double", "release8"])
@quick
@given(table=longer_tables(6))
def test_names_and_threads_do_not_matter(arithmetic: str, table: Table) -> None:
    renamed = replace(
        table,
        names=[f"new {name}" for name in reversed(table.names)],
        values=[[f"new {value}" for value in values] for values in table.values],
        columns=[
            [f"new {cell}" if isinstance(cell, str) else cell for cell in column]
            for column in table.columns
        ],
        classes=[f"new {label}" for label in table.classes],
        y=[f"new {label}" for label in table.y],
    )
    X, other = frame_of(table), frame_of(renamed)
    a = fit(X, labels_of(table), table.weights, arithmetic=arithmetic)
    b = fit(other, labels_of(renamed), table.weights, arithmetic=arithmetic, n_jobs=3)
    assert np.array_equal(a.predict_proba(X), b.predict_proba(other))
    assert [f"new {rule.label}" for rule in a.ruleset_] == [rule.label for rule in b.ruleset_]
    assert [rule.error for rule in a.ruleset_] == [rule.error for rule in b.ruleset_]


@with_options
@quick
@given(table=some_tables)
def test_probabilities_agree_with_predict(options: dict[str, Any], table: Table) -> None:
    X = frame_of(table)
    model = fit(X, labels_of(table), table.weights, **options)
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert np.array_equal(model.classes_[proba.argmax(axis=1)], model.predict(X))


def through_json(model: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save(path)
        return wl.load(path)


COPIES: dict[str, Callable[[Any], Any]] = {
    "json": through_json,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@settings(quick, max_examples=15)
@given(table=some_tables)
def test_copies_keep_every_bit(copied: Callable[[Any], Any], table: Table) -> None:
    X = frame_of(table)
    model = fit(X, labels_of(table), table.weights, min_objects=1)
    other = copied(model)
    assert other.get_params() == model.get_params()
    assert other.ruleset_ == model.ruleset_
    assert np.array_equal(other.predict_proba(X), model.predict_proba(X))
    assert copied(model.ruleset_) == model.ruleset_


@quick
@given(table=some_tables)
def test_figures_of_the_fit_are_those_of_a_recount(table: Table) -> None:
    X, y = frame_of(table), labels_of(table)
    weights = [float(w > 0) for w in table.weights]
    ruleset = fit(X, y, weights).ruleset_
    assert_same_figures(ruleset.recount(X, y, weights), ruleset)


def assert_same_figures(a: Any, b: Any) -> None:
    for x, y in zip(a, b, strict=True):
        figures = [
            (r.covered, r.covered_errors, r.used, r.used_errors, pytest.approx(r.error))
            for r in (x, y)
        ]
        assert figures[0] == figures[1]
    assert a.core.class_weights == b.core.class_weights
    assert a.core.default_weights == b.core.default_weights


@quick
@given(table=some_tables)
def test_explanations_agree_with_predictions(table: Table) -> None:
    X = frame_of(table)
    model = fit(X, labels_of(table), table.weights, min_objects=1)
    fired = model.explain(X)
    assert [f.label for f in fired] == model.predict(X).tolist()
    for f in fired:
        assert f.reason.rule is not None or not f.reason.others
        assert f.reason.rule is None or f.reason.rule.label == f.label
