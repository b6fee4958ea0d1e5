"""AdaBoost.M1 whose members give their votes to all classes, by their class shares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from oracles.c45 import Table
from strategies import tables

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
MEMBERS = [
    wl.C45Classifier(max_depth=2, shrinkage=3),
    wl.C45Classifier(max_depth=1),
    wl.RulesClassifier(),
]


def fitted(member: Any, table: Table, **parameters: Any) -> Any:
    model = wl.AdaBoostM1Classifier(member, n_rounds=5, vote="shares", **parameters)
    return model.fit(frame_of(table), labels_of(table), table.weights or None)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(MEMBERS), tables(max_rows=25), st.sampled_from([1.0, 0.5]))
def test_votes_are_shared_among_the_classes(member: Any, table: Table, step: float) -> None:
    X = frame_of(table)
    model = fitted(member, table, step=step)
    rows = model._encode(X)
    shares = [m.predict_class_shares(rows) for m in model.members_]
    expected = sum(vote * of for vote, of in zip(model.votes_, shares, strict=True))
    np.testing.assert_allclose(model._voters.scores(rows, model.votes_, 1), expected, atol=1e-9)
    best = expected.max(axis=1)
    predicted = model.predict_class_indices(rows)
    assert (expected[np.arange(len(best)), predicted] >= best * (1 - 1e-6)).all()


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(MEMBERS), tables(max_rows=25))
def test_members_and_votes_are_those_of_votes_by_error(member: Any, table: Table) -> None:
    X, y = frame_of(table), labels_of(table)
    by_error = wl.AdaBoostM1Classifier(member, n_rounds=5).fit(X, y, table.weights or None)
    by_shares = fitted(member, table)
    np.testing.assert_array_equal(by_shares.votes_, by_error.votes_)
    np.testing.assert_array_equal(by_shares.errors_, by_error.errors_)


def test_it_stops_at_zero_error_of_the_votes_by_shares() -> None:
    table = wl.datasets.load("iris")
    trees = wl.C45Classifier(max_depth=2, shrinkage=1)
    model = wl.AdaBoostM1Classifier(trees, n_rounds=30, vote="shares", stop_at_zero_error=True)
    model.fit(table.X, table.y)
    errors = [(labels != table.y.to_numpy()).sum() for labels in model.staged_predict(table.X)]
    assert all(errors[:-1])
    assert (errors[-1] == 0) == (model.stopped_ == "zero_error")


def test_files_keep_the_votes(tmp_path: Any) -> None:
    table = wl.datasets.load("iris")
    model = wl.AdaBoostM1Classifier(wl.C45Classifier(shrinkage=10), n_rounds=4, vote="shares")
    model.fit(table.X, table.y).save(tmp_path / "model.json")
    loaded = wl.load(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.predict_proba(table.X), model.predict_proba(table.X))
    np.testing.assert_array_equal(loaded.predict(table.X), model.predict(table.X))
