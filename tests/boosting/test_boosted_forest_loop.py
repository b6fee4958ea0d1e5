"""The loop of the boosted forest with members whose predictions are given."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from weaklearn.boosting.adaboost_m1_loop import LearnedMember
from weaklearn.boosting.boosted_forest_loop import (
    EarlierMembers,
    ForestMembers,
    ForestTask,
    RunRules,
    grow_forest,
)
from weaklearn.boosting.forest_rows import LocalForestVotes, LocalRunRows, start_run
from weaklearn.boosting.progress import Progress

CLASSES = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], dtype=np.int32)
ONES = np.ones(10)


class Forest:
    """A task whose members misclassify given rows. It notes what is learned from what.

    Sample `s` of run `r` lacks row `r` and has row 9 `s + 1` times.
    """

    def __init__(self, wrong: Callable[[int, int], list[int]], **options: Any) -> None:
        self._wrong = wrong
        self.seen: list[tuple[str, int, list[float]]] = []
        self.votes = LocalForestVotes(CLASSES, ONES, 2)
        rules = RunRules(**{"run_length": 4, **options.pop("rules", {})})
        earlier: Any = EarlierMembers([], [], self._recall)
        all_rows = LocalRunRows(ONES, CLASSES, np.zeros(0, dtype=np.intp))
        self.task: ForestTask[int] = ForestTask(
            **{
                "learn": self._learn,
                "learn_random": self._learn_random,
                "draw": self._draw,
                "all_rows": all_rows,
                "n_members": 6,
                "rules": rules,
                "earlier": earlier,
                **options,
            }
        )

    def grow(self, **options: Any) -> ForestMembers[int]:
        return grow_forest(self.task, self.votes, **options)

    def go_on(self, members: list[int], samples: list[int]) -> ForestMembers[int]:
        earlier = EarlierMembers(members, samples, self._recall)
        self.task = replace(self.task, earlier=earlier)
        return self.grow()

    def _draw(self, run: int, sample: int) -> LocalRunRows:
        counts = ONES.copy()
        counts[run], counts[9] = 0, sample + 1
        return start_run(counts, ONES, ONES, CLASSES)

    def _predict(self, index: int, n_earlier: int) -> LearnedMember[int]:
        is_wrong = np.isin(np.arange(10), self._wrong(index, n_earlier))
        predictions = np.where(is_wrong, 1 - CLASSES, CLASSES).astype(np.int32)
        return LearnedMember(index, predictions, shares=np.eye(2)[predictions])

    def _learn(self, weights: Any, index: int) -> LearnedMember[int]:
        n_earlier = sum(kind == "boosted" and i == index for kind, i, _ in self.seen)
        self.seen.append(("boosted", index, weights.tolist()))
        return self._predict(index, n_earlier)

    def _learn_random(self, weights: Any, index: int) -> LearnedMember[int]:
        self.seen.append(("random", index, weights.tolist()))
        return self._predict(index, 0)

    def _recall(self, member: int, index: int) -> LearnedMember[int]:
        assert member == index
        self.seen.append(("earlier", index, []))
        return self._predict(index, 1)


def one_wrong(index: int, _: int) -> list[int]:
    return [3 + index % 4]


def test_votes_have_limits() -> None:
    rules = RunRules()
    assert rules == RunRules(10, 0, math.log(1000), 0.1, 1e-9, 1e-9)
    assert rules.vote(0.0) == rules.vote(1e-9) == rules.vote(1e-6) == math.log(1000)
    assert rules.vote(0.2) == pytest.approx(math.log(4), rel=1e-12)
    assert rules.vote(0.5) == rules.vote(0.5 - 1e-10) == rules.vote(0.9) == 0.1
    assert rules.vote(0.499) == pytest.approx(math.log(501 / 499), rel=1e-12)


def test_indices_of_the_members_of_runs() -> None:
    task = Forest(one_wrong, n_members=20, rules={"run_length": 3, "random_per_boosted": 2}).task
    assert (task.members_per_run, task.n_runs) == (9, 3)
    assert [i for i in range(20) if not task.is_random(i)] == [0, 3, 6, 9, 12, 15, 18]
    assert task.members_of_run(1, random=False) == [9, 12, 15]
    assert task.members_of_run(1, random=True) == [10, 11, 13, 14, 16, 17]
    assert task.members_of_run(2, random=False) == [18]
    assert task.members_of_run(2, random=True) == [19]


def test_runs_are_boosted() -> None:
    forest = Forest(one_wrong)
    result = forest.grow()
    assert (result.members, result.stopped) == ([0, 1, 2, 3, 4, 5], "members")
    assert [(kind, index) for kind, index, _ in forest.seen] == [("boosted", i) for i in range(6)]
    # Run 1 begins with member 4, from a sample that lacks row 1.
    assert forest.seen[0][2] == [0.0, *[1.0] * 9]
    assert forest.seen[4][2] == [1.0, 0.0, *[1.0] * 8]
    # The row that a member misclassifies has half of the weight afterwards.
    np.testing.assert_allclose(forest.seen[1][2], [0, *[9 / 16] * 2, 4.5, *[9 / 16] * 6])
    errors = [1 / 9, 1 / 16, 1 / 30]
    np.testing.assert_allclose(result.errors[:3], errors, rtol=1e-12)
    np.testing.assert_allclose(result.votes[:3], [math.log(1 / e - 1) for e in errors], rtol=1e-12)
    assert result.samples.tolist() == [0] * 6
    # Rows 0 and 1 are out of bag; no member is wrong there.
    expected = np.zeros((10, 2))
    expected[0, 0], expected[1, 0] = result.votes[:4].sum(), result.votes[4:].sum()
    np.testing.assert_allclose(forest.votes.total, expected, rtol=1e-12)


def test_perfect_and_bad_members_begin_a_new_sample() -> None:
    half = [1, 2, 3, 4, 5, 6]
    script = {0: [[]], 1: [half], 2: [[4]], 3: [[4], [5]]}
    forest = Forest(lambda index, earlier: script[index][earlier], n_members=4)
    result = forest.grow()
    # Member 1 is bad, but from a new sample: it is kept. The first attempt at member 3 is not.
    assert [index for _, index, _ in forest.seen] == [0, 1, 2, 3, 3]
    assert result.samples.tolist() == [0, 1, 2, 3]
    assert result.votes[:2].tolist() == [math.log(1000), 0.1]
    np.testing.assert_allclose(result.errors, [0, 6 / 10, 1 / 11, 1 / 12], rtol=1e-12)
    assert forest.seen[4][2] == [0.0, *[1.0] * 8, 4.0]


def test_random_members_have_the_vote_of_the_boosted_one_before_them() -> None:
    rules = {"run_length": 2, "random_per_boosted": 1}
    forest = Forest(one_wrong, rules=rules, n_members=7)
    result = forest.grow()
    assert result.members == list(range(7))
    assert [index for kind, index, _ in forest.seen if kind == "random"] == [1, 3, 5]
    assert all(weights == ONES.tolist() for kind, _, weights in forest.seen if kind == "random")
    assert result.votes[1::2].tolist() == result.votes[0:6:2].tolist()
    assert result.errors[1::2].tolist() == [0.1, 0.1, 0.1]
    assert result.samples[1::2].tolist() == [0, 0, 0]
    # Only boosted members have rows out of bag.
    assert forest.votes.total[0, 0] == pytest.approx(result.votes[0] + result.votes[2])
    threads = Forest(one_wrong, rules=rules, n_members=7)
    again = threads.grow(n_threads=3)
    for name in ("members", "votes", "errors", "samples", "stopped"):
        assert np.array_equal(getattr(again, name), getattr(result, name))
    assert np.array_equal(threads.votes.total, forest.votes.total)


def test_a_forest_goes_on_from_earlier_members() -> None:
    script = {0: [[], []], 1: [[3], [3]], 2: [[3], [4]], 3: [[5], [5]]}
    whole = Forest(lambda index, earlier: script[index][earlier], n_members=4)
    result = whole.grow()
    assert result.samples.tolist() == [0, 1, 2, 2]
    for n_first in (1, 2, 3):
        forest = Forest(lambda index, earlier: script[index][earlier], n_members=4)
        warm = forest.go_on(result.members[:n_first], result.samples[:n_first].tolist())
        kinds = [kind for kind, _, _ in forest.seen]
        assert kinds[:n_first] == ["earlier"] * n_first
        assert "earlier" not in kinds[n_first:]
        for name in ("members", "votes", "errors", "samples"):
            assert np.array_equal(getattr(warm, name), getattr(result, name))
    rules = {"run_length": 2, "random_per_boosted": 1}
    for n_first in (1, 2, 3):
        forest = Forest(one_wrong, rules=rules, n_members=4)
        forest.go_on([0, 1, 2][:n_first], [0] * n_first)
        kinds = [kind for _, kind in sorted((index, kind) for kind, index, _ in forest.seen)]
        new = ["boosted", "random", "boosted", "random"][n_first:]
        assert kinds == ["earlier"] * n_first + new


def test_the_callback_sees_every_member() -> None:
    seen: list[Progress] = []
    start = time.perf_counter()
    result = Forest(one_wrong).grow(callback=lambda progress: bool(seen.append(progress)))
    elapsed = time.perf_counter() - start
    assert [(p.done, p.planned) for p in seen] == [(i + 1, 6) for i in range(6)]
    assert [p.error for p in seen] == result.errors.tolist()
    assert 0 <= seen[0].seconds <= seen[5].seconds <= elapsed
    forest = Forest(one_wrong)
    stopped = forest.grow(callback=lambda progress: progress.done == 2)
    assert (stopped.members, stopped.stopped) == ([0, 1], "callback")
    assert len(forest.seen) == 2  # with one thread, it is called as soon as a member is learned


@pytest.mark.parametrize("n_threads", [1, 2])
def test_an_interrupt_keeps_the_finished_members(n_threads: int) -> None:
    def interrupt(progress: Progress) -> bool:
        if progress.done == 2:
            raise KeyboardInterrupt
        return False

    result = Forest(one_wrong).grow(callback=interrupt, n_threads=n_threads)
    assert (result.members, result.stopped) == ([0, 1], "interrupted")

    def wrong(index: int, _: int) -> list[int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Forest(wrong).grow()


@pytest.mark.parametrize(("run_length", "step"), [(4, 20), (7, 21), (30, 30)])
def test_a_choice_is_asked_after_twenty_members_or_whole_runs(run_length: int, step: int) -> None:
    asked: list[int] = []

    class Choice:
        def is_last(self, members: list[int], votes: list[float], sums: Any) -> bool:
            asked.append(len(members))
            assert len(votes) == len(members)
            assert sums(lambda votes, classes, weights: [votes.any()]) == [True]
            return len(asked) == 2

    forest = Forest(one_wrong, n_members=70, rules={"run_length": run_length})
    result = forest.grow(choice=Choice())
    assert asked == [step, 2 * step]
    assert (len(result.members), result.stopped) == (2 * step, "settled")
