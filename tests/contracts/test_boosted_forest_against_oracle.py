"""BoostedForestClassifier against a plain Python version of its rules, on small tables.

As for AdaBoost.M1, the oracle computes the weights of each member, compares them with those of the
classifier up to rounding, and goes on with the latter, so that noise does not add up.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.boosted_forest import Guide, grow_forest, votes_for
from oracles.c45 import Options, Table
from oracles.committee import in_classes, priority, winner
from strategies import options, tables
from weaklearn.estimators.committee.member_learners import DatasetMemberLearner

from .oracle_table import classifier_of, difference, frame_of, labels_of
from .test_adaboost_against_oracle import (
    assert_close,
    drawable,
    noisy_tables,
    other_rows,
    present,
)
from .test_c45_against_oracle import of_present_rows

EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "100"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


class Recorded(Guide):
    """Record the weights of each member of a fit, and check that the oracle's are the same."""

    def __init__(self) -> None:
        self.seen: list[list[float]] = []
        self.used = 0

    @contextmanager
    def recording(self) -> Iterator[None]:
        learn = DatasetMemberLearner.learn

        def record_and_learn(learner: Any, weights: Any, index: int) -> Any:
            self.seen.append(weights.tolist())
            return learn(learner, weights, index)

        with mock.patch.object(DatasetMemberLearner, "learn", record_and_learn):
            yield

    def weights(self, own: list[float]) -> list[float]:
        recorded = self.seen[self.used]
        self.used += 1
        assert_close(recorded, own)
        return recorded


def check(
    table: Table,
    options: Options,
    pruned: bool,
    n_members: int,
    run_length: int,
    data: st.DataObject,
) -> None:
    model = wl.BoostedForestClassifier(
        classifier_of(options, prune=pruned),
        n_members=n_members,
        run_length=run_length,
        max_features=None,
        random_trees=0,
        random_state=7,
    )
    recorded = Recorded()
    with recorded.recording():
        model.fit(frame_of(table), labels_of(table), table.weights)
    trained = present(table)
    members = grow_forest(trained, options, pruned, n_members, run_length, model._seed, recorded)
    assert recorded.used == len(recorded.seen)
    for ours, expected in zip(model.members_, members, strict=True):
        text = difference(ours.tree_.to_dict(), expected.tree)
        assert text is None, text
    assert model._samples.tolist() == [m.sample for m in members]
    np.testing.assert_allclose(model.errors_, [m.error for m in members], rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(model.votes_, [m.vote for m in members], rtol=1e-6)

    asked = other_rows(data, table)
    rows = [asked.row(i) for i in range(len(asked.columns[0]))]
    sums = votes_for(members, rows, table, out_of_bag=False)
    ours = model._voters.scores(model._encode(frame_of(asked)), model.votes_, 1)
    np.testing.assert_allclose(ours, sums, rtol=1e-6, atol=1e-9)
    truth = [table.classes.index(label) for label in table.y]
    order = priority(in_classes(truth, table.weights, len(table.classes)))
    predicted = model.predict(frame_of(asked))
    for label, votes in zip(predicted.tolist(), sums, strict=True):
        k = table.classes.index(label)
        assert k == winner(votes, order) or votes[k] > max(votes) * (1 - 1e-8)

    trained_rows = [trained.row(i) for i in range(len(trained.y))]
    out_of_bag = np.array(votes_for(members, trained_rows, trained, out_of_bag=True))
    has_votes = out_of_bag.sum(axis=1) > 0
    assert np.array_equal(~np.isnan(model.oob_proba_[:, 0]), has_votes)
    classes = np.array([trained.classes.index(label) for label in trained.y])
    largest = np.sort(out_of_bag, axis=1)
    if len(table.classes) == 1 or (largest[has_votes, -1] > 1.0001 * largest[has_votes, -2]).all():
        wrong = has_votes & (out_of_bag.argmax(axis=1) != classes)
        weights = np.array(trained.weights)
        if has_votes.any():
            expected_error = weights[wrong].sum() / weights[has_votes].sum()
            np.testing.assert_allclose(model.oob_error_, expected_error, rtol=1e-9)


@patient
@given(
    tables().filter(drawable),
    options(),
    st.booleans(),
    st.integers(1, 5),
    st.integers(1, 4),
    st.data(),
)
def test_follows_the_oracle(
    table: Table,
    options: Options,
    pruned: bool,
    n_members: int,
    run_length: int,
    data: st.DataObject,
) -> None:
    check(of_present_rows(table), options, pruned, n_members, run_length, data)


@settings(patient, max_examples=EXAMPLES // 3)
@given(noisy_tables(), st.booleans(), st.sampled_from([1, 2, 3, None]), st.data())
def test_follows_the_oracle_for_long_runs(
    table: Table, pruned: bool, depth: int | None, data: st.DataObject
) -> None:
    check(of_present_rows(table), Options(max_depth=depth), pruned, 9, 5, data)


def test_the_tables_restart() -> None:
    """The comparison would mean little if no member were perfect, and none were discarded."""
    perfect, discarded = 0, 0

    @settings(patient, max_examples=60, database=None, derandomize=True)
    @given(noisy_tables(), st.sampled_from([1, None]))
    def collect(table: Table, depth: int | None) -> None:
        nonlocal perfect, discarded
        member = wl.C45Classifier(max_depth=depth, prune=False, min_objects=1)
        recorded = Recorded()
        with recorded.recording():
            model = wl.BoostedForestClassifier(member, 12, 12, None, 0, random_state=0)
            model.fit(frame_of(table), labels_of(table), table.weights)
        perfect += int((model.errors_ <= 1e-9).sum())
        discarded += len(recorded.seen) - 12

    collect()
    assert perfect > 10
    assert discarded > 0
