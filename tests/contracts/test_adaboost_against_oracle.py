"""AdaBoostM1Classifier against a plain Python version of its rules, on small tables.

A tie in a tree is a tie up to 1e-9, but the last bit of a weight may change a tree in any way. Two
programs that add the same weights in another order may therefore disagree after some rounds. So the
oracle computes the weights of each round from those of the round before, compares them with the
classifier's weights up to rounding, and continues with the classifier's weights. Every round is
compared strictly, and noise does not add up over rounds.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.c45 import Options, Table
from oracles.committee import Choices, Guide, boost, in_classes, predict, priority, tallies, winner
from strategies import options, tables
from weaklearn.boosting.adaboost_m1_loop import Distribution
from weaklearn.boosting.distribution import ScaledWeights
from weaklearn.estimators.committee.member_learners import DatasetMemberLearner

from .oracle_table import classifier_of, difference, frame_of, labels_of
from .test_c45_against_oracle import of_present_rows

EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "100"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")

choices = st.builds(
    Choices,
    n_rounds=st.sampled_from([1, 2, 3, 4, 5]),
    step=st.sampled_from([1.0, 1.0, 0.5, 0.1]),
    confident=st.booleans(),
    resample=st.booleans(),
    restart=st.booleans(),
    stop_at_zero_error=st.booleans(),
    keep_class_weights=st.booleans(),
    pruned=st.booleans(),
)


class Recorded(Guide):
    """Record the weights of each round of a fit, and check that the oracle's are the same."""

    def __init__(self) -> None:
        self.distributions: list[Any] = []
        self.member_weights: list[Any] = []

    @contextmanager
    def recording(self) -> Iterator[None]:
        learn, error = DatasetMemberLearner.learn, Distribution.error

        def record_and_learn(learner: Any, weights: Any, number: int) -> Any:
            is_scaled = isinstance(weights, ScaledWeights)
            in_full = weights.numbers * weights.scale if is_scaled else weights
            self.member_weights.append(in_full.tolist())
            return learn(learner, weights, number)

        def record_and_return_error(distribution: Any, learned: Any) -> Any:
            self.distributions.append(distribution.rows.weights.tolist())
            return error(distribution, learned)

        with (
            mock.patch.object(DatasetMemberLearner, "learn", record_and_learn),
            mock.patch.object(Distribution, "error", record_and_return_error),
        ):
            yield

    def distribution(self, number: int, own: list[float]) -> list[float]:
        assert_close(self.distributions[number], own)
        return list(self.distributions[number])

    def counts(self, number: int, own: list[float]) -> list[float]:
        assert_close(self.member_weights[number], own)
        return list(self.member_weights[number])


def assert_close(ours: list[float], oracle: list[float]) -> None:
    """Compare up to the rounding of a sum and a few products; denormal numbers have few digits."""
    for a, b in zip(ours, oracle, strict=True):
        assert math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-300), (ours, oracle)


def present(table: Table) -> Table:
    rows = [i for i, weight in enumerate(table.weights) if weight > 0]
    return replace(
        of_present_rows(table),
        columns=[[column[i] for i in rows] for column in table.columns],
        y=[table.y[i] for i in rows],
        weights=[table.weights[i] for i in rows],
    )


def other_rows(data: st.DataObject, table: Table) -> Table:
    """Draw rows that mix the cells of the table, with many missing values."""
    n = data.draw(st.integers(1, 8))
    columns = [
        data.draw(st.lists(st.sampled_from([*column, None, None]), min_size=n, max_size=n))
        for column in table.columns
    ]
    return replace(
        table, columns=[[*c, *new] for c, new in zip(table.columns, columns, strict=True)]
    )


def check(table: Table, options: Options, choices: Choices, data: st.DataObject) -> None:
    model = wl.AdaBoostM1Classifier(
        classifier_of(options, prune=choices.pruned),
        n_rounds=choices.n_rounds,
        step=choices.step,
        vote="confidence" if choices.confident else "error",
        method="resample" if choices.resample else "reweight",
        restart=choices.restart,
        stop_at_zero_error=choices.stop_at_zero_error,
        keep_class_weights=choices.keep_class_weights,
        random_state=7,
    )
    recorded = Recorded()
    with recorded.recording():
        model.fit(frame_of(table), labels_of(table), table.weights)
    rounds, stopped = boost(present(table), options, choices, model._seed, recorded)

    assert model.stopped_ == stopped
    assert len(model) == len(rounds)
    n_learned = len(recorded.member_weights)
    if not choices.restart:
        assert n_learned == len(rounds) + (stopped == "error" and n_learned > 1)
    assert model._starts.tolist() == [r.start for r in rounds]
    for member, expected in zip(model.members_, rounds, strict=True):
        text = difference(member.tree_.to_dict(), expected.tree)
        assert text is None, text
    np.testing.assert_allclose(model.errors_, [r.error for r in rounds], rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(model._bounds, [r.bound for r in rounds], rtol=1e-9, atol=0)
    assert model.training_bound_ == model._bounds[-1]
    for vote, expected in zip(model.votes_, rounds, strict=True):
        assert expected.alone or math.isclose(vote, expected.vote, rel_tol=1e-9), (
            vote,
            expected.vote,
        )

    asked = other_rows(data, table)
    rows = [asked.row(i) for i in range(len(asked.columns[0]))]
    truth = [table.classes.index(label) for label in table.y]
    order = priority(in_classes(truth, table.weights, len(table.classes)))
    sums = tallies(rounds, choices.confident, rows, table)
    wanted = [table.classes[winner(votes, order)] for votes in sums]
    assert model.predict(frame_of(asked)).tolist() == wanted
    if not any(r.alone for r in rounds):
        ours = model._voters.scores(model._encode(frame_of(asked)), model.votes_, 1)
        np.testing.assert_allclose(ours, sums, rtol=1e-9, atol=1e-12)
    for member, expected in zip(model.members_, rounds, strict=True):
        labels = [table.classes[k] for k, _ in predict(expected.tree, rows, table)]
        assert member.predict(frame_of(asked)).tolist() == labels


# A sample has as many rows as the weights count, and 1e12 rows are too many to draw.
def drawable(table: Table) -> bool:
    return sum(table.weights) < 1e6


@patient
@given(tables(), options(), choices, st.data())
def test_follows_the_oracle(
    table: Table, options: Options, choices: Choices, data: st.DataObject
) -> None:
    if not drawable(table):
        choices = replace(choices, resample=False)
    check(of_present_rows(table), options, choices, data)


# Few random tables need more than one round of boosting.
@st.composite
def noisy_tables(draw: st.DrawFn) -> Table:
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, n_classes = draw(st.sampled_from([20, 40])), draw(st.sampled_from([2, 3]))
    x, z = chance.integers(0, 9, (2, n)).astype(float)
    names = ["a", "b", "c", "d"]
    v = chance.choice(names, n).tolist()
    score = (x > 4) + (z > 3) + np.array([name in "ab" for name in v])
    noise = chance.random(n) < draw(st.sampled_from([0.05, 0.2]))
    y = np.where(noise, chance.integers(0, n_classes, n), score % n_classes)
    columns: list[list[Any]] = [x.tolist(), z.tolist(), v]
    for column in columns:
        for i in np.flatnonzero(chance.random(n) < draw(st.sampled_from([0.0, 0.15]))):
            column[i] = None
    classes = [f"c{k}" for k in range(n_classes)]
    weights = draw(st.sampled_from([[], chance.choice([0.0, 0.4, 1.0, 2.5], n).tolist()]))
    kinds = ["continuous", "continuous", "nominal"]
    return Table(columns, kinds, [[], [], names], classes, [classes[k] for k in y], weights)


@settings(patient, max_examples=EXAMPLES // 3)
@given(noisy_tables(), choices, st.data())
def test_follows_the_oracle_for_many_rounds(
    table: Table, choices: Choices, data: st.DataObject
) -> None:
    depth = data.draw(st.sampled_from([1, 2, 3, None]))
    check(of_present_rows(table), Options(max_depth=depth), choices, data)


def test_the_tables_boost() -> None:
    """The comparison would mean little if the fits ended in the first round."""
    rounds: list[int] = []
    stops: set[str] = set()

    @settings(patient, max_examples=60, database=None, derandomize=True)
    @given(noisy_tables(), st.sampled_from([1, 3]))
    def collect(table: Table, depth: int) -> None:
        model = wl.AdaBoostM1Classifier(wl.C45Classifier(max_depth=depth, prune=False), n_rounds=8)
        model.fit(frame_of(table), labels_of(table), table.weights)
        rounds.append(len(model))
        stops.add(model.stopped_)
        model.set_params(restart=True, random_state=0)
        model.fit(frame_of(table), labels_of(table), table.weights)
        is_perfect = model.errors_ == 0
        restarts["perfect"] += is_perfect.any()
        restarts["bad"] += (np.diff(model._starts) > is_perfect[:-1]).any()  # not all after those

    restarts = {"bad": 0, "perfect": 0}
    collect()
    assert all(restarts.values())
    assert np.mean(np.array(rounds) >= 3) > 0.5
    assert stops == {"rounds", "perfect", "error"}
