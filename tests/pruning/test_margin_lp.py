"""The margin program against every subset, and against the same program written out in full."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from oracles import pruning as oracle
from weaklearn.models.member_predictions import Ballots
from weaklearn.pruning.choice import Chooser
from weaklearn.pruning.committee_sample import Sample
from weaklearn.pruning.margin_lp import MarginProgram

quick = settings(max_examples=25, deadline=None)


@st.composite
def samples(draw: st.DrawFn, most_members: int = 7) -> Sample:
    """Members better than chance, on rows of two or three classes."""
    n_members, n_rows = draw(st.integers(2, most_members)), draw(st.integers(3, 25))
    n_classes = draw(st.sampled_from([2, 3]))
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    classes = chance.integers(0, n_classes, n_rows).astype(np.int32)
    wrong = chance.random((n_members, n_rows)) < 0.3
    noise = chance.integers(0, n_classes, (n_members, n_rows))
    answers = np.where(wrong, noise, classes).astype(np.int32)
    votes = chance.choice([1.0, 1.5, 2.0], n_members)
    ballots = Ballots(answers, np.arange(n_classes, dtype=np.uint32))
    sample = Sample(ballots, votes, classes, np.ones(n_rows))
    assume((full_margins(sample) > 1e-4).any())
    return sample


def full_margins(sample: Sample) -> Any:
    everyone = tuple(range(sample.n_members))
    return np.array(
        [
            oracle.margin(*plain(sample)[:2], everyone, row, int(own), sample.ballots.n_classes)
            for row, own in enumerate(sample.classes)
        ]
    )


def plain(sample: Sample) -> tuple[list[list[int]], list[float], list[int]]:
    return sample.ballots.answers.tolist(), sample.votes.tolist(), sample.classes.tolist()


def written_out(sample: Sample, size: int | None, theta: float | None, price: float | None) -> Any:
    """The cost of the relaxed program with a constraint per row and wrong class, all at once."""
    full = full_margins(sample)
    n_members, k = sample.n_members, sample.ballots.n_classes
    rows = [r for r in range(len(full)) if price is not None or full[r] > 1e-4]
    n_slack = len(rows) if price is not None else 0
    cost = np.concatenate(
        [
            np.full(n_members, 0.0 if theta is None else 1.0),
            [-1.0 if theta is None else 0.0],
            np.full(n_slack, price or 0.0),
        ]
    )
    left, right = [], []
    for place, row in enumerate(rows):
        own = sample.classes[row]
        for other in set(range(k)) - {int(own)}:
            said = sample.ballots.answers[:, row]
            line = np.zeros(len(cost))
            line[:n_members] = sample.votes * ((said == own).astype(float) - (said == other))
            line[:n_members] /= sample.votes.sum()
            if theta is None:
                line[n_members] = -1.0
            if n_slack:
                line[n_members + 1 + place] = 1.0
            left.append(-line)
            right.append(0.0 if theta is None else -theta * max(full[row], 0.0))
    counted = {}
    if size is not None:
        ones = np.zeros((1, len(cost)))
        ones[0, :n_members] = 1.0
        counted = {"A_eq": ones, "b_eq": [size]}
    bounds = [(0, 1)] * n_members + [(None, 1)] + [(0, None)] * n_slack
    result = linprog(cost, A_ub=np.array(left), b_ub=right, bounds=bounds, **counted)
    assert result.status == 0
    return result.fun + (1.0 if theta is None else 0.0)


@quick
@given(sample=samples(), price=st.sampled_from([None, 0.5, 3.0]), data=st.data())
def test_constraints_on_demand_give_the_whole_program(
    sample: Sample, price: float | None, data: Any
) -> None:
    size = data.draw(st.integers(1, sample.n_members - 1))
    for asked in ({"size": size}, {"theta": 0.3}, {"theta": 0.9}):
        given_by = {"size": None, "theta": None, **asked}
        found = MarginProgram(sample, **given_by, price=price).relax()
        assert found.cost == pytest.approx(written_out(sample, **given_by, price=price), abs=1e-5)


@quick
@given(sample=samples(), data=st.data())
def test_exact_is_the_best_of_all_subsets(sample: Sample, data: Any) -> None:
    answers, votes, classes = plain(sample)
    k = sample.ballots.n_classes
    size = data.draw(st.integers(1, sample.n_members - 1))
    choice = Chooser(sample).by_margins(size=size, seed=1, n_draws=3, time_limit=30)
    best = oracle.least_margin(answers, votes, classes, k, size)
    assert choice.cost == pytest.approx(1.0 - best, abs=1e-5)
    assert choice.gap == pytest.approx(0.0, abs=1e-5)
    assert len(choice.kept) == size
    theta = data.draw(st.sampled_from([0.1, 0.5, 0.95]))
    choice = Chooser(sample).by_margins(theta=theta, seed=1, n_draws=3, time_limit=30)
    assert choice.cost == len(choice.kept) == oracle.fewest(answers, votes, classes, k, theta)
    assert choice.gap == pytest.approx(0.0, abs=1e-5)
    assert choice.missed == 0


@quick
@given(sample=samples(), price=st.sampled_from([None, 0.5, 3.0]), data=st.data())
def test_relaxed_exact_and_rounded_costs_are_in_order(
    sample: Sample, price: float | None, data: Any
) -> None:
    size = data.draw(st.integers(1, sample.n_members - 1))
    for asked in ({"size": size}, {"theta": 0.5}):
        chooser = Chooser(sample)
        rounded = chooser.by_margins(**asked, price=price, seed=2, n_draws=5)
        exact = chooser.by_margins(**asked, price=price, seed=2, n_draws=5, time_limit=30)
        assert rounded.cost is not None
        assert exact.cost is not None
        assert exact.relaxed_cost is not None
        assert exact.relaxed_cost <= exact.cost + 1e-5
        assert exact.cost <= rounded.cost + 1e-9  # infinite where a margin is missed
        assert exact.cost < np.inf


@quick
@given(sample=samples())
def test_a_share_of_ones_own_margin_is_kept_by_that_share_of_every_member(sample: Sample) -> None:
    # So the relaxed program never costs more, whatever the members are.
    for theta in (0.2, 0.7, 1.0):
        assert MarginProgram(sample, theta=theta).relax().cost <= theta * sample.n_members + 1e-6


@quick
@given(sample=samples())
def test_real_outputs_stand_for_votes(sample: Sample) -> None:
    """One column per class, 1 for the answer, is what a plain vote is."""
    outputs = np.eye(sample.ballots.n_classes)[sample.ballots.answers]
    real = Ballots(sample.ballots.answers, sample.ballots.priority, outputs=outputs)
    other = Sample(real, sample.votes, sample.classes, sample.weights)
    assert np.array_equal(real.tally(sample.votes), sample.ballots.tally(sample.votes))
    for asked in ({"size": 1}, {"theta": 0.5}):
        first = MarginProgram(sample, **asked).relax()
        second = MarginProgram(other, **asked).relax()
        assert first.cost == pytest.approx(second.cost, abs=1e-6)
    # The values of a member of two classes, +-h: a margin of twice y * vote * h.
    values = np.array([[0.5, -2.0], [1.0, 0.25]])
    signs = np.stack([values, -values], axis=2)
    by_sign = Ballots((values < 0).astype(np.int32), np.arange(2, dtype=np.uint32), outputs=signs)
    terms = by_sign.margin_matrix(np.array([0, 1]), np.array([0, 1]), np.array([1, 0]))
    assert terms.tolist() == [[1.0, 2.0], [4.0, -0.5]]


def test_confidences_count_in_the_margin_matrix() -> None:
    answers = np.array([[0, 1], [1, 1]], np.int32)
    strengths = np.array([[0.5, 0.25], [0.75, 1.0]])
    ballots = Ballots(answers, np.arange(2, dtype=np.uint32), strengths)
    terms = ballots.margin_matrix(np.array([0, 1]), np.array([0, 0]), np.array([1, 1]))
    assert terms.tolist() == [[0.5, -0.75], [-0.25, -1.0]]
    assert ballots.tally(np.array([2.0, 1.0])).tolist() == [[1.0, 0.75], [0.0, 1.5]]


def test_the_same_seed_draws_the_same_members() -> None:
    chance = np.random.default_rng(0)
    classes = chance.integers(0, 2, 200).astype(np.int32)
    answers = np.where(chance.random((20, 200)) < 0.3, 1 - classes, classes).astype(np.int32)
    ballots = Ballots(answers, np.arange(2, dtype=np.uint32))
    sample = Sample(ballots, np.ones(20), classes, np.ones(200))
    first, again, other = (
        Chooser(sample).by_margins(size=7, seed=seed, n_draws=4) for seed in (0, 0, 1)
    )
    assert np.array_equal(first.kept, again.kept)
    assert not np.array_equal(first.kept, other.kept)
    # More draws of the same seed can only be better: fewer rows below their margins.
    more = Chooser(sample).by_margins(size=7, seed=0, n_draws=200)
    assert more.missed <= first.missed
    # Without any time the best rounding is what there is.
    hurried = Chooser(sample).by_margins(size=7, seed=0, time_limit=0.0)
    assert hurried.gap > 0
    assert hurried.cost == Chooser(sample).by_margins(size=7, seed=0).cost
