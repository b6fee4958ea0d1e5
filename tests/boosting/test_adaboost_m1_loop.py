"""The loop of AdaBoost.M1 with members whose predictions are given: votes, stops, what it calls."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from weaklearn.boosting.adaboost_m1_loop import (
    BoostedMembers,
    LearnedMember,
    LocalCommitteeErrors,
    boost,
)
from weaklearn.boosting.distribution import Distribution, WeightedRows
from weaklearn.boosting.progress import Progress

CLASSES = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], dtype=np.int32)


def boosted(
    *wrong: list[int], weight: float = 2.0, seen: list[Any] | None = None, **options: Any
) -> BoostedMembers[int]:
    """Boost members that misclassify these rows; the last one is learned again for ever.

    The weights that members are learned from are appended to `seen`.
    """

    def learn(weights: Any, index: int) -> LearnedMember[int]:
        if seen is not None:
            seen.append(weights)
        rows = wrong[min(index, len(wrong) - 1)]
        predictions = np.where(np.isin(np.arange(10), rows), 1 - CLASSES, CLASSES)
        return LearnedMember(index, predictions.astype(np.int32), np.ones(10))

    distribution = Distribution(WeightedRows(np.full(10, weight), CLASSES, n_groups=1))
    return boost(learn, distribution, 0, **{"n_rounds": 3, **options})


def test_votes_are_those_of_adaboost() -> None:
    result = boosted([0], [1], [2])
    # After a round, the rows that it misclassified have half of the weight.
    errors = [1 / 10, 1 / 18, 1 / 34]
    np.testing.assert_allclose(result.errors, errors, rtol=1e-12)
    np.testing.assert_allclose(result.votes, [math.log((1 - e) / e) for e in errors], rtol=1e-12)
    factors = [2 * math.sqrt(e * (1 - e)) for e in errors]
    np.testing.assert_allclose(result.bounds, np.cumprod(factors), rtol=1e-12)
    assert (result.members, result.starts.tolist()) == ([0, 1, 2], [0, 0, 0])
    assert result.stopped == "rounds"


@pytest.mark.parametrize("confident", [False, True])
def test_a_member_without_error_outweighs_the_others(confident: bool) -> None:
    result = boosted([0], [1], [], weight=0.5, confident=confident)
    assert result.stopped == "perfect"
    assert (result.errors[2], result.bounds[2]) == (0.0, 0.0)
    if confident:
        assert result.votes[:2].tolist() == [1.0, 1.0]
    # All rows weigh 5. A member's least confidence is 1 / (W + 2) in a leaf of all of them, where W
    # is one more if the number of rows is rounded.
    least = 1 / 8 if confident else 1.0
    assert result.votes[2] * least > result.votes[:2].sum() * (1 + 1e-9)


@pytest.mark.parametrize("confident", [False, True])
def test_a_member_without_error_may_be_the_first(confident: bool) -> None:
    result = boosted([], confident=confident)
    assert (result.votes.tolist(), result.stopped) == ([1.0], "perfect")


def test_members_that_are_no_better_than_chance() -> None:
    half = [0, 1, 2, 3, 4]
    first = boosted(half)
    assert (first.members, first.votes.tolist(), first.bounds.tolist()) == ([0], [1.0], [1.0])
    assert (first.errors.tolist(), first.stopped) == ([0.5], "error")
    later = boosted([0], [0])  # its weight is a half in the second round
    assert (later.members, later.stopped) == ([0], "error")
    restarted = boosted([0], [0], restart=True)
    assert (restarted.members, restarted.stopped) == ([0, 1, 2], "rounds")
    assert restarted.starts.tolist() == [0, 1, 2]
    assert restarted.bounds[0] < restarted.bounds[1] == 1.0


def test_boosting_restarts() -> None:
    perfect = boosted([], restart=True)
    assert (perfect.members, perfect.stopped) == ([0, 1, 2], "rounds")
    assert perfect.starts.tolist() == [0, 1, 2]
    np.testing.assert_allclose(perfect.votes, math.log((1 - 1e-10) / 1e-10), rtol=1e-12)
    seen: list[Any] = []
    bad = boosted(list(range(10)), restart=True, seen=seen)
    assert (bad.members, bad.stopped, bad.errors.tolist()) == ([0], "error", [1.0])
    assert len(seen) == 25
    first, again = boosted([0], [0], restart=True), []
    warm = boosted([0], [0], restart=True, earlier_starts=first.starts.tolist(), seen=again)
    assert len(again) == 3  # no member is dropped
    assert warm.votes.tolist() == first.votes.tolist()
    assert warm.starts.tolist() == first.starts.tolist() == [0, 1, 2]
    more = boosted([0], [0], restart=True, earlier_starts=[0, 1])
    assert more.votes.tolist() == first.votes.tolist()


def test_members_learn_from_weights_or_samples() -> None:
    seen: list[Any] = []
    boosted([0], [1], seen=seen, n_rounds=2)
    np.testing.assert_allclose(seen[0], 2.0, rtol=1e-12)
    np.testing.assert_allclose(seen[1], [10.0, *[10 / 9] * 9], rtol=1e-12)
    samples: list[Any] = []
    boosted([0], [1], seen=samples, n_rounds=2, resample=True)
    for sample in samples:
        assert sample.sum() == 20
        assert (sample == np.rint(sample)).all()
    assert samples[0].tolist() != samples[1].tolist()


def test_predictions_for_some_rows() -> None:
    numbers = np.arange(10.0)
    learned = LearnedMember("m", CLASSES, numbers, np.column_stack([numbers, -numbers]))
    assert learned.take_rows(None) is learned
    part = learned.take_rows(np.array([7, 2]))
    assert (part.member, part.predictions.tolist()) == ("m", [1, 0])
    assert part.confidences is not None
    assert part.shares is not None
    assert (part.confidences.tolist(), part.shares[:, 1].tolist()) == ([7, 2], [-7, -2])
    plain = LearnedMember("m", CLASSES).take_rows(np.array([7, 2]))
    assert (plain.confidences, plain.shares) == (None, None)


def test_boosting_ends_when_the_committee_makes_no_error() -> None:
    training = LocalCommitteeErrors(CLASSES, np.ones(10), np.array([0, 1], dtype=np.uint32))
    result = boosted([0], [1], [2], n_rounds=9, training=training)
    assert (result.members, result.stopped) == ([0, 1, 2], "zero_error")
    # Rows of weight 0 do not count.
    counts = np.array([0.0, *[2.0] * 9])
    training = LocalCommitteeErrors(CLASSES, counts, np.array([0, 1], dtype=np.uint32))
    result = boosted([0], [1], n_rounds=9, training=training)
    assert (result.members, result.stopped) == ([0], "zero_error")


def test_training_errors_follow_from_all_votes() -> None:
    training = LocalCommitteeErrors(CLASSES, np.ones(10), np.array([0, 1], dtype=np.uint32))

    def wrong(*rows: int, **votes: Any) -> LearnedMember[int]:
        predictions = np.where(np.isin(np.arange(10), rows), 1 - CLASSES, CLASSES)
        return LearnedMember(0, predictions.astype(np.int32), **votes)

    assert training.add(wrong(0), 1.0)
    assert not training.add(wrong(), 2.0)
    # Of the vote of 16, three quarters are for the predicted class, and one is for the other.
    shares = np.eye(2)[wrong(2).predictions] / 2 + 1 / 4
    by_shares = wrong(2, shares=shares, votes_with_shares=True)
    assert training.add(by_shares, 16.0)  # by 12 to 7
    assert training.add(wrong(9, confidences=np.full(10, 0.1)), 40.0)  # by 12 to 11
    # Shares that were asked for by others do not change a vote.
    assert not training.add(wrong(shares=shares), 1.5)
    assert training.add(wrong(9, confidences=np.full(10, 1.0)), 40.0)


@dataclass
class Choice:
    """Chooses a number of rounds that is given."""

    chosen: int
    settles_after: int = 99
    votes: list[float] = field(default_factory=list)

    def add(self, learned: LearnedMember[int], vote: float) -> None:
        assert learned.member == len(self.votes)
        self.votes.append(vote)

    @property
    def has_settled(self) -> bool:
        return len(self.votes) >= self.settles_after


def test_a_choice_of_rounds() -> None:
    settled = Choice(1, settles_after=2)
    result = boosted([0], [1], [2], [3], n_rounds=4, choice=settled)
    assert (result.members, result.stopped, len(settled.votes)) == ([0], "validation", 2)
    assert settled.votes[0] == result.votes[0]
    fewer = boosted([0], [1], [2], choice=Choice(2))
    assert (fewer.members, fewer.stopped) == ([0, 1], "validation")
    assert len(fewer.votes) == len(fewer.errors) == len(fewer.bounds) == len(fewer.starts) == 2
    all_rounds = boosted([0], [1], [2], choice=Choice(3))
    assert (all_rounds.members, all_rounds.stopped) == ([0, 1, 2], "rounds")
    # If the first member is no better than chance, none has been chosen.
    none = boosted([0, 1, 2, 3, 4], choice=Choice(0))
    assert (none.members, none.stopped) == ([0], "error")


def test_the_callback_sees_every_round() -> None:
    seen: list[Progress] = []
    start = time.perf_counter()
    result = boosted([0], [1], [2], callback=lambda progress: bool(seen.append(progress)))
    elapsed = time.perf_counter() - start
    assert [(p.done, p.planned) for p in seen] == [(1, 3), (2, 3), (3, 3)]
    assert [p.error for p in seen] == result.errors.tolist()
    assert 0 <= seen[0].seconds <= seen[1].seconds <= seen[2].seconds <= elapsed
    stopped = boosted([0], [1], [2], callback=lambda progress: progress.done == 2)
    assert (stopped.members, stopped.stopped) == ([0, 1], "callback")


def test_an_interrupt_keeps_the_finished_rounds() -> None:
    def interrupt(progress: Progress) -> bool:
        if progress.done == 2:
            raise KeyboardInterrupt
        return False

    result = boosted([0], [1], [2], callback=interrupt)
    assert (result.members, result.stopped) == ([0, 1], "interrupted")
    chosen = boosted([0], [1], [2], callback=interrupt, choice=Choice(1))
    assert (chosen.members, chosen.stopped) == ([0], "interrupted")

    def learn(_: Any, index: int) -> LearnedMember[int]:
        raise KeyboardInterrupt

    distribution = Distribution(WeightedRows(np.ones(10), CLASSES, n_groups=1))
    with pytest.raises(KeyboardInterrupt):
        boost(learn, distribution, 0, n_rounds=3)
