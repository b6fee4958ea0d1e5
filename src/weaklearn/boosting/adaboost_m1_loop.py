"""AdaBoost.M1: one loop for any learner."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.distribution import Distribution
from weaklearn.boosting.interrupts import interrupt_waits
from weaklearn.boosting.progress import Callback, Progress
from weaklearn.models.votes import SLACK, add_votes, winners

if TYPE_CHECKING:
    from weaklearn.boosting.automatic_size import RoundChoice

Member = TypeVar("Member")
StopReason = Literal[
    "rounds", "perfect", "error", "zero_error", "validation", "callback", "interrupted"
]

#: Where boosting restarts, an error below this counts as none: the vote is that of this error.
LEAST_ERROR = 1e-10
#: Where boosting restarts, so many members in a row with an error of a half or more end it.
MOST_BAD_MEMBERS = 25


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LearnedMember(Generic[Member]):
    """A member with its predictions for the training rows, or for those that were asked for.

    Parameters
    ----------
    member : object
        The model.
    predictions : array of int32
        The class index that it predicts for each row.
    confidences : array of float64 or None
        Its confidence in each prediction, if votes depend on it.
    shares : array of float64, (n_rows, n_classes), or None
        Its class shares for each row, if they were asked for.
    votes_with_shares : bool
        Whether it gives its vote to all classes by these shares.
    """

    member: Member
    predictions: NDArray[np.int32]
    confidences: NDArray[np.float64] | None = None
    shares: NDArray[np.float64] | None = None
    votes_with_shares: bool = False

    def add_votes(self, scores: NDArray[np.float64], vote: float) -> None:
        """Add the votes for the rows to their scores, of shape (n_rows, n_classes)."""
        if self.votes_with_shares:
            assert self.shares is not None  # the learner returns what members vote with
            scores += vote * self.shares
        else:
            votes = vote if self.confidences is None else vote * self.confidences
            add_votes(scores, self.predictions, votes)

    def take_rows(self, rows: NDArray[np.integer[Any]] | None) -> LearnedMember[Member]:
        """Return the predictions for some of the rows; None for all."""
        if rows is None:
            return self
        return replace(
            self,
            predictions=self.predictions[rows],
            confidences=None if self.confidences is None else self.confidences[rows],
            shares=None if self.shares is None else self.shares[rows],
        )


#: Learns a member from weights that count rows; its second argument is the index of the member.
Learn = Callable[[NDArray[np.float64], int], LearnedMember[Member]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BoostedMembers(Generic[Member]):
    """The result of AdaBoost.M1.

    Parameters
    ----------
    members : list
        The models, one per round.
    votes : array of float64
        The vote of each member. The vote of a member without error is larger than the sum of all
        other votes, so that this member decides alone.
    errors : array of float64
        The weighted error of each member in its round.
    bounds : array of float64
        After each round, an upper bound on the committee's training error if votes are by error:
        Freund and Schapire's product, or 1 if the only member's error is a half or more, and from
        the first restart on.
    starts : array of int64
        How often boosting had restarted when each member was learned.
    stopped : str
        Why there are no more rounds.
    """

    members: list[Member]
    votes: NDArray[np.float64]
    errors: NDArray[np.float64]
    bounds: NDArray[np.float64]
    starts: NDArray[np.int64]
    stopped: StopReason


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Round(Generic[Member]):
    member: Member
    error: float
    vote: float
    bound: float
    start: int


class CommitteeErrors(Protocol):
    """The training errors of the committee of the rounds so far. Rows are here or elsewhere."""

    def add(self, learned: LearnedMember[Any], vote: float) -> bool:
        """Add a member's votes, and return whether the committee misclassifies any row."""
        ...


class LocalCommitteeErrors:
    """The errors of a committee on rows that are here.

    Parameters
    ----------
    classes : array of int32
        The class index of each row.
    counts : array of float64
        The weight of each row; rows of weight 0 are absent.
    priority : array of uint32
        All class indices in the order in which they win ties.
    """

    def __init__(
        self,
        classes: NDArray[np.int32],
        counts: NDArray[np.float64],
        priority: NDArray[np.uint32],
    ) -> None:
        self._rows = np.flatnonzero(counts)
        self._classes = classes[self._rows]
        self._priority = priority
        self.scores = np.zeros((len(self._rows), len(priority)))

    def add(self, learned: LearnedMember[Any], vote: float) -> bool:
        """Add a member's votes, and return whether the committee misclassifies any row."""
        learned.take_rows(self._rows).add_votes(self.scores, vote)
        return self.errs()

    def errs(self) -> bool:
        """Return whether the committee misclassifies any row."""
        return bool((winners(self.scores, self._priority) != self._classes).any())


def boost(
    learn: Learn[Member],
    distribution: Distribution,
    seed: int,
    *,
    n_rounds: int,
    step: float = 1.0,
    confident: bool = False,
    resample: bool = False,
    restart: bool = False,
    earlier_starts: Sequence[int] = (),
    training: CommitteeErrors | None = None,
    choice: RoundChoice | None = None,
    callback: Callback | None = None,
) -> BoostedMembers[Member]:
    """Run AdaBoost.M1.

    Parameters
    ----------
    learn : callable
        Takes weights that count rows, and the index of the round.
    distribution : Distribution
        The weights of the rows.
    seed : int
        The seed of the samples.
    n_rounds : int
        The most rounds.
    step : float
        How far a round moves the weight of the misclassified rows towards one half.
    confident : bool
        Whether a member votes with its confidence in the row, instead of by its error.
    resample : bool
        Whether a round learns from a sample of the rows, instead of weighted rows.
    restart : bool
        Whether boosting restarts from random weights after a member without error, and after one
        with an error of a half or more, which is dropped. Otherwise such a member ends it.
    earlier_starts : sequence of int
        The ``starts`` of an earlier fit, whose members `learn` returns again.
    training : CommitteeErrors, optional
        The training errors of the committee. If they are given, boosting stops when there are none.
    choice : RoundChoice, optional
        Chooses how many rounds are kept.
    callback : callable, optional
        Called after each round.

    Returns
    -------
    BoostedMembers
        Members, votes, errors.
    """
    rounds: list[_Round[Member]] = []
    bad: list[_Round[Member]] = []  # the members that were dropped since the last round
    stopped: StopReason = "rounds"
    start_time = time.perf_counter()
    try:
        while len(rounds) < n_rounds:
            for start in earlier_starts[len(rounds) : len(rounds) + 1]:
                if start != distribution.start:
                    distribution.restart(seed, start)
            learned = learn(
                distribution.sample(seed, len(rounds)) if resample else distribution.counts(),
                len(rounds),
            )
            error, start = distribution.error(learned), distribution.start
            if error >= 0.5 - SLACK:
                bad.append(_Round(learned.member, error, 1.0, 1.0, start))
                if restart and len(bad) < MOST_BAD_MEMBERS:
                    distribution.restart(seed, start + 1)
                    continue
                stopped = "error"
                if not rounds:  # the committee needs at least one member
                    rounds.append(bad[0])
                break
            bad.clear()
            if restart and error < LEAST_ERROR:
                vote = math.log1p(-LEAST_ERROR) - math.log(LEAST_ERROR)
                distribution.restart(seed, start + 1)
            elif error > 0.0:
                vote = distribution.update(learned, error, step)
            else:
                least = 1.0 / (distribution.total + 3.0) if confident else 1.0
                vote = _decisive_vote([r.vote for r in rounds], least)
            is_last = error == 0.0 and not restart
            if confident and not is_last:
                vote = 1.0
            bound = 0.0 if is_last else distribution.bound
            with interrupt_waits():
                rounds.append(_Round(learned.member, error, vote, bound, start))
                errs = training is None or training.add(learned, vote)
                if choice is not None:
                    choice.add(learned, vote)
                del learned  # so that the next member is learned without it in memory
            callback_stops = callback is not None and callback(
                Progress(len(rounds), n_rounds, error, time.perf_counter() - start_time)
            )
            if is_last:
                stopped = "perfect"
            elif not errs:
                stopped = "zero_error"
            elif choice is not None and choice.has_settled:
                stopped = "validation"
            elif callback_stops:
                stopped = "callback"
            else:
                continue
            break
    except KeyboardInterrupt:
        if not rounds:
            raise
        stopped = "interrupted"
    if choice is not None and choice.chosen:
        if choice.chosen < len(rounds) and stopped != "interrupted":
            stopped = "validation"
        rounds = rounds[: choice.chosen]
    return BoostedMembers(
        [r.member for r in rounds],
        np.array([r.vote for r in rounds]),
        np.array([r.error for r in rounds]),
        np.array([r.bound for r in rounds]),
        np.array([r.start for r in rounds]),
        stopped,
    )


def _decisive_vote(others: list[float], least: float) -> float:
    """Return a vote that outweighs the sum of the others, for a member whose error is zero.

    AdaBoost's own vote, log((1 - error) / error), would be infinite. Confidences are at most 1. The
    member's own confidence is (w + 1) / (W + 2) in a leaf of weight W. W is at most the weight of
    all rows, rounded if they are drawn, so the confidence is at least `least`.
    """
    return 2.0 * sum(others) / least + 1.0
