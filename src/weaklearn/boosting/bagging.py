"""Bagging: members learned from samples of the rows, all with the same vote."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Generic, Protocol

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import LearnedMember, Member
from weaklearn.boosting.automatic_size import LEAST_STEP, SizeChoice, SumsOfVotes
from weaklearn.boosting.interrupts import interrupt_waits
from weaklearn.boosting.ordered_tasks import results_in_order
from weaklearn.boosting.progress import Callback, Progress
from weaklearn.encoding import exact_sum

#: Takes the votes and the sums of class shares for some rows, of shape (n_rows, n_classes), with
#: the classes of the rows. Returns which rows have votes, which of them are predicted wrongly, and
#: probabilities for all. Without class shares there are no probabilities.
Judge = Callable[
    [NDArray[np.float64], NDArray[np.float64] | None, NDArray[np.int32]],
    tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float64] | None],
]

#: How many rows are judged at a time.
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OutOfBagResult:
    """What out-of-bag votes say about a committee.

    Parameters
    ----------
    error : float
        The share of the rows that are predicted wrongly in the weight of those that have votes.
    n_lacking, n_rows : int
        The number of rows without votes, and of all rows.
    probabilities : array of float64, (n_rows, n_classes), or None
        The probabilities for each row, NaN for rows without votes. None if rows are in other
        processes, or if class shares were not added up.
    """

    error: float
    n_lacking: int
    n_rows: int
    probabilities: NDArray[np.float64] | None


class OutOfBagSums(Protocol):
    """Adds up the votes of members for the rows that their samples lack.

    Rows are here or in other processes.
    """

    def absent(self, counts: Any) -> Any:
        """Return the rows that a sample lacks."""
        ...

    def add(self, learned: LearnedMember[Any], absent: Any) -> None:
        """Add the votes of a member, which has predictions for these rows only."""
        ...

    def sums(self, sums_of: SumsOfVotes, by_shares: bool) -> list[Fraction]:
        """Return the sums that a function computes from votes or shares, over all rows."""
        ...

    def judge(self, judge: Judge) -> OutOfBagResult:
        """Return what the votes say about the committee."""
        ...


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LocalOutOfBagSums:
    """Adds up out-of-bag votes for rows that are here.

    Parameters
    ----------
    classes : array of int32
        The class index of each row.
    weights : array of float64
        The weight of each row; rows of weight 0 are absent.
    votes : array, (n_rows, n_classes)
        The sums of votes so far: integers if every vote is 1. It may be `shares` itself, if members
        vote with their class shares.
    shares : array of float64, (n_rows, n_classes), or None
        The sums of class shares so far. `judge` replaces them by probabilities, so that rows do not
        take more memory at the end of a fit than before. None if only votes are added up.
    """

    classes: NDArray[np.int32]
    weights: NDArray[np.float64]
    votes: NDArray[Any]
    shares: NDArray[np.float64] | None

    def absent(self, counts: NDArray[Any]) -> NDArray[np.uint32]:
        """Return the rows that a sample lacks."""
        return np.flatnonzero((counts == 0) & (self.weights > 0)).astype(np.uint32)

    def add(self, learned: LearnedMember[Any], absent: NDArray[np.uint32]) -> None:
        """Add the votes of a member, which has predictions for these rows only."""
        for first in range(0, len(absent), _BLOCK):  # no copy of all these rows
            some = slice(first, first + _BLOCK)
            rows = absent[some]
            if self.votes is not self.shares:
                votes = 1 if learned.confidences is None else learned.confidences[some]
                self.votes[rows, learned.predictions[some]] += votes
            if self.shares is not None:
                assert learned.shares is not None  # as the caller of `bag` promises
                self.shares[rows] += learned.shares[some]

    def sums(self, sums_of: SumsOfVotes, by_shares: bool) -> list[Fraction]:
        """Return the sums that a function computes from votes or shares, over all rows."""
        scores = self.shares if by_shares else self.votes
        assert scores is not None  # shares are added up where they are compared
        return sums_of(scores.astype(np.float64, copy=False), self.classes, self.weights)

    def judge(self, judge: Judge) -> OutOfBagResult:
        """Return what the votes say about the committee."""
        total = of_errors = Fraction(0)
        n_lacking = 0
        for first in range(0, len(self.classes), _BLOCK):
            rows = slice(first, first + _BLOCK)
            has_votes, wrong, probabilities = judge(
                self.votes[rows].astype(np.float64, copy=False),
                None if self.shares is None else self.shares[rows],
                self.classes[rows],
            )
            if self.shares is not None:
                assert probabilities is not None  # class shares give probabilities
                self.shares[rows] = np.where(has_votes[:, None], probabilities, np.nan)
            weights = self.weights[rows]
            total += exact_sum(weights[has_votes])
            of_errors += exact_sum(weights[wrong])
            n_lacking += int(np.count_nonzero(~has_votes))
        error = float(of_errors) / float(total) if total > 0 else float("nan")
        return OutOfBagResult(error, n_lacking, len(self.classes), self.shares)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BaggedMembers(Generic[Member]):
    """The result of bagging.

    Parameters
    ----------
    members : list
        The models.
    stopped : str
        "members" (as many as asked for), "settled" (further members would not help), "callback" or
        "interrupted".
    """

    members: list[Member]
    stopped: str


class LearnFromSample(Protocol[Member]):
    """Learns a member from a sample and predicts the other rows."""

    def __call__(
        self, counts: NDArray[Any], index: int, rows: NDArray[np.uint32]
    ) -> LearnedMember[Member]:
        """Return the member of this index, with its predictions for `rows` only."""
        ...


def bag(
    learn: LearnFromSample[Member],
    draw: Callable[[int], NDArray[Any]],
    out_of_bag: OutOfBagSums,
    n_members: int,
    n_threads: int = 1,
    callback: Callback | None = None,
    choice: SizeChoice[Member] | None = None,
) -> BaggedMembers[Member]:
    """Learn members from samples.

    Parameters
    ----------
    learn : callable
        Takes weights that count rows, the index of the member, and the rows to predict. The result
        has class shares if `out_of_bag` adds them up.
    draw : callable
        Takes the index of a member and returns its sample: weights that count rows.
    out_of_bag : OutOfBagSums
        Gets the votes of each member for the rows that its sample lacks.
    n_members : int
        Number of members.
    n_threads : int
        The number of members learned at a time.
    callback : callable, optional
        Called after each member.
    choice : SizeChoice, optional
        Decides after every 20 members whether they are enough.

    Returns
    -------
    BaggedMembers
        The members.
    """

    def learn_from_sample(index: int) -> tuple[LearnedMember[Member], Any]:
        counts = draw(index)
        absent = out_of_bag.absent(counts)
        return learn(counts, index, absent), absent

    members: list[Member] = []
    stopped = "members"
    start = time.perf_counter()
    # Threads share the dataset, and the core releases Python's lock.
    results = results_in_order(learn_from_sample, range(n_members), n_threads)
    try:
        for learned, absent in results:
            with interrupt_waits():
                members.append(learned.member)
                out_of_bag.add(learned, absent)
                del learned, absent  # so that the next member is learned without them in memory
            progress = Progress(len(members), n_members, None, time.perf_counter() - start)
            if callback is not None and callback(progress):
                stopped = "callback"
                break
            if choice is not None and len(members) % LEAST_STEP == 0:
                with interrupt_waits():
                    sums = partial(out_of_bag.sums, by_shares=choice.by_shares)
                    is_last = choice.is_last(members, [1.0] * len(members), sums)
                if is_last:
                    stopped = "settled"
                    break
    except KeyboardInterrupt:
        if not members:
            raise
        stopped = "interrupted"
    finally:
        results.close()
    return BaggedMembers(members, stopped)
