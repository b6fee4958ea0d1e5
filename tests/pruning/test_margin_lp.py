"""The margin LP against all constraints written out, and exact selection against all subsets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from oracles import pruning as oracle
from weaklearn.models.votes import MemberPredictions
from weaklearn.pruning.check_arguments import Target
from weaklearn.pruning.linear_and_integer_program import MarginProblem
from weaklearn.pruning.methods.exact_selection import choose_exactly
from weaklearn.pruning.methods.margin_lp import choose_by_lp
from weaklearn.pruning.sample_with_votes import Sample

quick = settings(max_examples=25, deadline=None)


@st.composite
def samples(draw: st.DrawFn, most_members: int = 7) -> Sample:
    """Draw members better than chance, on rows of two or three classes."""
    n_members, n_rows = draw(st.integers(2, most_members)), draw(st.integers(3, 25))
    n_classes = draw(st.sampled_from([2, 3]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    classes = rng.integers(0, n_classes, n_rows).astype(np.int32)
    wrong = rng.random((n_members, n_rows)) < 0.3
    noise = rng.integers(0, n_classes, (n_members, n_rows))
    predicted = np.where(wrong, noise, classes).astype(np.int32)
    votes = rng.choice([1.0, 1.5, 2.0], n_members)
    predictions = MemberPredictions(predicted, np.arange(n_classes, dtype=np.uint32))
    sample = Sample(predictions, votes, classes, np.ones(n_rows))
    assume((full_margins(sample) > 1e-4).any())
    return sample


def full_margins(sample: Sample) -> Any:
    members = tuple(range(sample.n_members))
    return np.array(
        [
            oracle.margin(*plain(sample)[:2], members, row, int(own), sample.predictions.n_classes)
            for row, own in enumerate(sample.classes)
        ]
    )


def plain(sample: Sample) -> tuple[list[list[int]], list[float], list[int]]:
    return sample.predictions.classes.tolist(), sample.votes.tolist(), sample.classes.tolist()


def written_out(sample: Sample, size: int | None, theta: float | None, price: float | None) -> Any:
    """Return the cost of the linear program with a constraint for every row and wrong class."""
    full = full_margins(sample)
    n_members, k = sample.n_members, sample.predictions.n_classes
    rows = [r for r in range(len(full)) if price is not None or full[r] > 1e-4]
    n_slack = len(rows) if price is not None else 0
    cost = np.concatenate(
        [
            np.full(n_members, 0.0 if theta is None else 1.0),
            [-1.0 if theta is None else 0.0],
            np.full(n_slack, price or 0.0),
        ]
    )
    lhs, rhs = [], []
    for position, row in enumerate(rows):
        own = sample.classes[row]
        for other in set(range(k)) - {int(own)}:
            predicted = sample.predictions.classes[:, row]
            line = np.zeros(len(cost))
            line[:n_members] = sample.votes * (
                (predicted == own).astype(float) - (predicted == other)
            )
            line[:n_members] /= sample.votes.sum()
            if theta is None:
                line[n_members] = -1.0
            if n_slack:
                line[n_members + 1 + position] = 1.0
            lhs.append(-line)
            rhs.append(0.0 if theta is None else -theta * max(full[row], 0.0))
    size_constraint = {}
    if size is not None:
        ones = np.zeros((1, len(cost)))
        ones[0, :n_members] = 1.0
        size_constraint = {"A_eq": ones, "b_eq": [size]}
    bounds = [(0, 1)] * n_members + [(None, 1)] + [(0, None)] * n_slack
    result = linprog(cost, A_ub=np.array(lhs), b_ub=rhs, bounds=bounds, **size_constraint)
    assert result.status == 0
    return result.fun + (1.0 if theta is None else 0.0)


@quick
@given(sample=samples(), price=st.sampled_from([None, 0.5, 3.0]), data=st.data())
def test_adding_constraints_on_demand_solves_the_full_linear_program(
    sample: Sample, price: float | None, data: Any
) -> None:
    size = data.draw(st.integers(1, sample.n_members - 1))
    for target in ({"size": size}, {"theta": 0.3}, {"theta": 0.9}):
        options = {"size": None, "theta": None, **target}
        solution = MarginProblem(sample, **options, price=price).relax()
        assert solution.cost == pytest.approx(written_out(sample, **options, price=price), abs=1e-5)


@quick
@given(sample=samples(), data=st.data())
def test_exact_selection_is_the_best_of_all_subsets(sample: Sample, data: Any) -> None:
    predicted, votes, classes = plain(sample)
    k = sample.predictions.n_classes
    size = data.draw(st.integers(1, sample.n_members - 1))
    selection = choose_exactly(sample, Target(size), 30, seed=1, n_draws=3)
    best = oracle.least_margin(predicted, votes, classes, k, size)
    assert selection.cost == pytest.approx(1.0 - best, abs=1e-5)
    assert selection.gap == pytest.approx(0.0, abs=1e-5)
    assert len(selection.kept) == size
    theta = data.draw(st.sampled_from([0.1, 0.5, 0.95]))
    selection = choose_exactly(sample, Target(theta=theta), 30, seed=1, n_draws=3)
    assert (
        selection.cost == len(selection.kept) == oracle.fewest(predicted, votes, classes, k, theta)
    )
    assert selection.gap == pytest.approx(0.0, abs=1e-5)
    assert selection.missed == 0


@quick
@given(sample=samples(), price=st.sampled_from([None, 0.5, 3.0]), data=st.data())
def test_relaxed_exact_and_rounded_costs_are_in_order(
    sample: Sample, price: float | None, data: Any
) -> None:
    size = data.draw(st.integers(1, sample.n_members - 1))
    for target in (Target(size, price=price), Target(theta=0.5, price=price)):
        rounded = choose_by_lp(sample, target, seed=2, n_draws=5)
        exact = choose_exactly(sample, target, 30, seed=2, n_draws=5)
        assert rounded.cost is not None
        assert exact.cost is not None
        assert exact.relaxed_cost is not None
        assert exact.relaxed_cost <= exact.cost + 1e-5
        assert exact.cost <= rounded.cost + 1e-9  # infinite if a margin is missed
        assert exact.cost < np.inf


@quick
@given(sample=samples())
def test_keeping_theta_of_every_member_keeps_theta_of_every_margin(sample: Sample) -> None:
    # So the linear program never costs more, whatever the members are.
    for theta in (0.2, 0.7, 1.0):
        assert MarginProblem(sample, theta=theta).relax().cost <= theta * sample.n_members + 1e-6


@quick
@given(sample=samples())
def test_real_outputs_can_replace_votes(sample: Sample) -> None:
    """A plain vote equals outputs of 1 for the predicted class and 0 for the others."""
    outputs = np.eye(sample.predictions.n_classes)[sample.predictions.classes]
    real = MemberPredictions(
        sample.predictions.classes, sample.predictions.priority, outputs=outputs
    )
    other = Sample(real, sample.votes, sample.classes, sample.weights)
    assert np.array_equal(
        real.count_votes(sample.votes), sample.predictions.count_votes(sample.votes)
    )
    for target in ({"size": 1}, {"theta": 0.5}):
        first = MarginProblem(sample, **target).relax()
        second = MarginProblem(other, **target).relax()
        assert first.cost == pytest.approx(second.cost, abs=1e-6)
    # With two classes and the values +-h the margin is twice y * vote * h.
    values = np.array([[0.5, -2.0], [1.0, 0.25]])
    signs = np.stack([values, -values], axis=2)
    by_sign = MemberPredictions(
        (values < 0).astype(np.int32), np.arange(2, dtype=np.uint32), outputs=signs
    )
    terms = by_sign.margin_matrix(np.array([0, 1]), np.array([0, 1]), np.array([1, 0]))
    assert terms.tolist() == [[1.0, 2.0], [4.0, -0.5]]


def test_confidences_count_in_the_margin_matrix() -> None:
    predicted = np.array([[0, 1], [1, 1]], np.int32)
    strengths = np.array([[0.5, 0.25], [0.75, 1.0]])
    predictions = MemberPredictions(predicted, np.arange(2, dtype=np.uint32), strengths)
    terms = predictions.margin_matrix(np.array([0, 1]), np.array([0, 0]), np.array([1, 1]))
    assert terms.tolist() == [[0.5, -0.75], [-0.25, -1.0]]
    assert predictions.count_votes(np.array([2.0, 1.0])).tolist() == [[1.0, 0.75], [0.0, 1.5]]


def test_the_same_seed_draws_the_same_members() -> None:
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 2, 200).astype(np.int32)
    predicted = np.where(rng.random((20, 200)) < 0.3, 1 - classes, classes).astype(np.int32)
    predictions = MemberPredictions(predicted, np.arange(2, dtype=np.uint32))
    sample = Sample(predictions, np.ones(20), classes, np.ones(200))
    first, again, other = (
        choose_by_lp(sample, Target(7), seed=seed, n_draws=4) for seed in (0, 0, 1)
    )
    assert np.array_equal(first.kept, again.kept)
    assert not np.array_equal(first.kept, other.kept)
    # More draws with the same seed cannot be worse: no more rows are below their margins.
    more = choose_by_lp(sample, Target(7), seed=0, n_draws=200)
    assert more.missed <= first.missed
    # Without time to search, exact selection returns the rounded solution.
    hurried = choose_exactly(sample, Target(7), 0.0, seed=0)
    assert hurried.gap > 0
    assert hurried.cost == choose_by_lp(sample, Target(7), seed=0).cost
