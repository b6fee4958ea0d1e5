"""The boosted forest: short runs of boosting, each from a bootstrap sample of its own.

A run is AdaBoost.M1 on a bootstrap sample, with three changes that let it go on for ever. A member
with an error of a half or more is discarded, and the run goes on from a new sample. A member
without error has the greatest vote allowed instead of an infinite one, and the run goes on from a
new sample too. No weight falls below a small share of all weight.

Beside the boosted members there may be random ones, each learned from all rows and on its own. They
stand between the boosted members of a run: one boosted member, then its random ones, which have its
vote. So both kinds have the same weight per member.

Runs do not depend on each other. The members of a run have fixed indices, and a sample has a seed
of its own, so the number of threads does not change the result.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from operator import attrgetter
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import Learn, LearnedMember, Member
from weaklearn.boosting.automatic_size import LEAST_STEP, SizeChoice
from weaklearn.boosting.forest_rows import DrawRun, ForestVotes, RunRows
from weaklearn.boosting.interrupts import interrupt_waits
from weaklearn.boosting.ordered_tasks import results_in_order
from weaklearn.boosting.progress import Callback, Progress
from weaklearn.models.votes import SLACK


@dataclass(frozen=True, slots=True)
class RunRules:
    """How a run is boosted.

    Parameters
    ----------
    run_length : int
        Boosted members of a run.
    random_per_boosted : int
        Random members beside each boosted one.
    greatest_vote : float
        The greatest vote of a member, and that of a member without error.
    bagged_vote : float
        The vote of a member with an error of a half or more. Such a member is kept only if it was
        learned from a new sample, because another sample would hardly give a better one.
    no_error : float
        Errors up to this count as none.
    least_weight : float
        The least weight of a row of the sample, as a share of the weight of all.
    """

    run_length: int = 10
    random_per_boosted: int = 0
    greatest_vote: float = math.log(1000.0)
    bagged_vote: float = 0.1
    no_error: float = 1e-9
    least_weight: float = 1e-9

    def vote(self, error: float) -> float:
        """Return the vote of a member: log((1 - error) / error) within limits."""
        if error <= self.no_error:
            return self.greatest_vote
        if is_bad(error):
            return self.bagged_vote
        return min(self.greatest_vote, math.log1p(-error) - math.log(error))


def is_bad(error: float) -> bool:
    """Return whether a member is no better than the toss of a coin."""
    return error >= 0.5 - SLACK


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EarlierMembers(Generic[Member]):
    """The members of an earlier fit to the same rows, from which this one goes on.

    Parameters
    ----------
    members : sequence
        The models.
    samples : sequence of int
        The index, in its run, of the sample that each was learned from.
    recall : callable
        Predicts the training rows with a model; its second argument is the index of the member.
    """

    members: Sequence[Member]
    samples: Sequence[int]
    recall: Callable[[Member, int], LearnedMember[Member]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ForestTask(Generic[Member]):
    """What the runs of a forest are learned from, and how.

    Parameters
    ----------
    learn : callable
        Takes weights that count rows, and the index of the member. The result has class shares.
    learn_random : callable
        The same for random members.
    draw : callable
        Takes the index of a run and that of a sample of this run, and returns the rows with their
        weights in the sample.
    all_rows : RunRows
        The rows with their own weights.
    n_members : int
        Number of members. The last run may be shorter than the others.
    rules : RunRules
        How runs are boosted.
    earlier : EarlierMembers
        Members that are kept: the first of the result. There may be none.
    """

    learn: Learn[Member]
    learn_random: Learn[Member]
    draw: DrawRun
    all_rows: RunRows
    n_members: int
    rules: RunRules
    earlier: EarlierMembers[Member]

    @property
    def n_runs(self) -> int:
        """Number of runs."""
        return math.ceil(self.n_members / self.members_per_run)

    @property
    def members_per_run(self) -> int:
        """Number of members of a run, boosted and random ones."""
        return self.rules.run_length * (1 + self.rules.random_per_boosted)

    def is_random(self, index: int) -> bool:
        """Return whether a member is a random one."""
        return index % (1 + self.rules.random_per_boosted) > 0

    def members_of_run(self, run: int, random: bool) -> list[int]:
        """Return the indices of the boosted or the random members of a run."""
        first = run * self.members_per_run
        indices = range(first, min(first + self.members_per_run, self.n_members))
        return [index for index in indices if self.is_random(index) == random]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ForestMembers(Generic[Member]):
    """The result of the loop.

    Parameters
    ----------
    members : list
        The models, run by run.
    votes : array of float64
        The vote of each member.
    errors : array of float64
        The error of each member under the weights that it was learned with.
    samples : array of int64
        The index, in its run, of the sample that each member was learned from; 0 for random ones.
    stopped : str
        "members" (as many as asked for), "settled" (further runs would not help), "callback" or
        "interrupted".
    """

    members: list[Member]
    votes: NDArray[np.float64]
    errors: NDArray[np.float64]
    samples: NDArray[np.int64]
    stopped: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Kept(Generic[Member]):
    """A member of a run, with its votes for the rows that its sample lacks."""

    index: int
    member: Member
    vote: float
    error: float
    sample: int
    absent: Any
    votes_for_absent: Any


class _Run(Generic[Member]):
    """A run in progress: the weights of the rows, and the sample that they started from."""

    def __init__(self, task: ForestTask[Member], run: int) -> None:
        self._task = task
        self._run = run
        self._sample = -1
        self._is_over = True  # the next member is learned from the next sample
        self._is_new = True  # no member has been learned from the sample yet
        self._rows: RunRows = task.all_rows

    def _start_sample(self, sample: int) -> None:
        self._sample, self._is_over, self._is_new = sample, False, True
        self._rows = self._task.draw(self._run, sample)

    def _learn(self, index: int) -> LearnedMember[Member]:
        earlier = self._task.earlier
        if index < len(earlier.members):
            if earlier.samples[index] != self._sample:
                self._start_sample(earlier.samples[index])
            return earlier.recall(earlier.members[index], index)
        if self._is_over:
            self._start_sample(self._sample + 1)
        return self._task.learn(self._rows.weights, index)

    def members(self) -> Iterator[_Kept[Member]]:
        """Yield all members in the order of their indices."""
        return merge(self.boosted_members(), self.random_members(), key=attrgetter("index"))

    def random_members(self) -> Iterator[_Kept[Member]]:
        """Yield the members that are learned from all rows, each on its own."""
        task = self._task
        for index in task.members_of_run(self._run, random=True):
            if index < len(task.earlier.members):
                learned = task.earlier.recall(task.earlier.members[index], index)
            else:
                learned = task.learn_random(task.all_rows.weights, index)
            error = task.all_rows.error(learned)
            yield _Kept(index, learned.member, 0.0, error, 0, None, None)

    def boosted_members(self) -> Iterator[_Kept[Member]]:
        """Yield the members that are boosted, one after the other."""
        rules = self._task.rules
        for index in self._task.members_of_run(self._run, random=False):
            while True:
                learned = self._learn(index)
                error = self._rows.error(learned)
                if self._is_new or not is_bad(error):
                    break
                self._is_over = True
            vote = rules.vote(error)
            absent, votes = self._rows.absent, self._rows.votes(learned, vote)
            yield _Kept(index, learned.member, vote, error, self._sample, absent, votes)
            self._is_over = error <= rules.no_error or is_bad(error)
            if not self._is_over:
                self._rows = self._rows.reweighted(learned, error, rules)
                self._is_new = False


def grow_forest(
    task: ForestTask[Member],
    out_of_bag: ForestVotes,
    n_threads: int = 1,
    callback: Callback | None = None,
    choice: SizeChoice[Member] | None = None,
) -> ForestMembers[Member]:
    """Learn the members of a boosted forest.

    Parameters
    ----------
    task : ForestTask
        What to learn from, and how.
    out_of_bag : ForestVotes
        Gets the votes of members for the rows that their samples lack.
    n_threads : int
        The number of runs that are boosted at a time.
    callback : callable, optional
        Called after each member. With several threads it is called for all members of a run when
        the run and those before it are finished.
    choice : SizeChoice, optional
        Decides after a run, or some short ones, whether it is the last one.

    Returns
    -------
    ForestMembers
        Members and votes.
    """
    members: list[Member] = []
    notes: list[tuple[float, float, int]] = []  # the vote, error and sample of each member
    stopped = "members"
    step = task.members_per_run * math.ceil(LEAST_STEP / task.members_per_run)
    start = time.perf_counter()
    results = _members_in_order(task, n_threads)
    try:
        for new in results:
            with interrupt_waits():
                vote = new.vote
                if task.is_random(new.index):
                    vote = notes[-1][0]  # that of the boosted member before it
                else:
                    out_of_bag.add(new.absent, new.votes_for_absent)
                members.append(new.member)
                notes.append((vote, new.error, new.sample))
            seconds = time.perf_counter() - start
            if callback and callback(Progress(len(members), task.n_members, new.error, seconds)):
                stopped = "callback"
                break
            if choice is not None and len(members) % step == 0:
                with interrupt_waits():
                    is_last = choice.is_last(
                        members, [vote for vote, _, _ in notes], out_of_bag.sums
                    )
                if is_last:
                    stopped = "settled"
                    break
    except KeyboardInterrupt:
        if not members:
            raise
        stopped = "interrupted"
    finally:
        results.close()
    votes, errors, samples = map(np.array, zip(*notes, strict=True))
    return ForestMembers(members, votes, errors, samples, stopped)


def _members_in_order(
    task: ForestTask[Member], n_threads: int
) -> Generator[_Kept[Member], None, None]:
    """Yield the members of all runs in order; with one thread, as soon as each is learned."""
    if n_threads == 1 or task.n_members == 1:
        for run in range(task.n_runs):
            yield from _Run(task, run).members()
        return

    def boosted_of(run: int) -> list[_Kept[Member]]:
        return list(_Run(task, run).boosted_members())

    def random_of(run: int) -> list[_Kept[Member]]:
        return list(_Run(task, run).random_members())

    # The boosted and the random members of a run are two tasks, so that more threads have work.
    tasks = [(learn, run) for run in range(task.n_runs) for learn in (boosted_of, random_of)]
    results = results_in_order(lambda i: tasks[i][0](tasks[i][1]), range(len(tasks)), n_threads)
    try:
        for boosted in results:
            yield from merge(boosted, next(results), key=attrgetter("index"))
    finally:
        results.close()
