"""AdaBoost.M1: one loop for any learner."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.interrupts import interrupt_waits
from weaklearn.boosting.progress import Callback, Progress
from weaklearn.boosting.sampling import draw_counts, draw_factors, sample_size
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
        Its class shares for each row, if it votes with them.
    """

    member: Member
    predictions: NDArray[np.int32]
    confidences: NDArray[np.float64] | None = None
    shares: NDArray[np.float64] | None = None

    def take_rows(self, rows: NDArray[np.intp] | None) -> LearnedMember[Member]:
        """Return the predictions for some of the rows; None for all."""
        if rows is None:
            return self
        return LearnedMember(
            self.member,
            self.predictions[rows],
            None if self.confidences is None else self.confidences[rows],
            None if self.shares is None else self.shares[rows],
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


class Distribution:
    """The weights of the rows, which sum to one, and the bound on the training error.

    If class weights are kept, each class is renormalised separately, and the bound is a sum over
    classes.
    """

    def __init__(
        self, counts: NDArray[np.float64], classes: NDArray[np.int32], keep_class_weights: bool
    ) -> None:
        self.total = float(counts.sum())
        self.weights = self._initial = counts / self.total
        self.start = 0  # how often boosting has restarted
        self._group_of = classes if keep_class_weights else np.zeros(len(classes), dtype=np.int32)
        self._group_weight = np.bincount(self._group_of, self.weights)
        # The summand of each group in the bound. Logarithms keep tiny weights in range.
        self._log_bounds = np.full(len(self._group_weight), -math.inf)
        np.log(self._group_weight, out=self._log_bounds, where=self._group_weight > 0)

    def error(self, wrong: NDArray[np.bool_]) -> float:
        """Return the weight of the misclassified rows."""
        return float(self.weights[wrong].sum())

    def update(self, wrong: NDArray[np.bool_], error: float, step: float = 1.0) -> float:
        """Reweight the rows, and return the vote of the member that made these errors.

        The weight of the misclassified rows moves towards that of the others: all the way, so that
        both have one half, if `step` is 1, as in AdaBoost. The vote is the logarithm of the ratio
        by which a misclassified row gains on the others, so that the bound holds for every step.
        """
        goal = error + step * (0.5 - error)
        # The weights that misclassified and correct rows have now, over those that they shall have.
        # AdaBoost multiplies correct rows by error / (1 - error). Both factors are divided by the
        # error here, so that no weight underflows however small the error is.
        now_wrong, now_right = error / (2.0 * goal), (1.0 - error) / (2.0 * (1.0 - goal))
        sums = self._set_weights(self.weights / np.where(wrong, now_wrong, now_right))
        growth = np.zeros_like(sums)
        np.log(sums, out=growth, where=sums > 0)
        growth -= np.log(self._group_weight, out=np.zeros_like(sums), where=sums > 0)
        if step == 1.0:  # the logarithm of 1 - error keeps its digits
            log_wrong, log_right = math.log(error), math.log1p(-error)
        else:
            log_wrong, log_right = math.log(now_wrong), math.log(now_right)
        self._log_bounds += growth + 0.5 * (log_wrong + log_right)
        return log_right - log_wrong

    def restart(self, seed: int, start: int) -> None:
        """Replace the weights by the first ones times random factors. No bound is proven then."""
        self.start = start
        self._set_weights(self._initial * draw_factors(len(self._initial), seed, start))
        self._log_bounds[:] = math.inf

    def _set_weights(self, changed: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scale new weights so that each group keeps its weight; return their sums before that."""
        sums: NDArray[np.float64]
        sums = np.bincount(self._group_of, changed, len(self._group_weight)).astype(np.float64)
        scale = np.divide(self._group_weight, sums, out=np.ones_like(sums), where=sums > 0)
        self.weights = changed * scale[self._group_of]
        return sums

    @property
    def bound(self) -> float:
        """An upper bound on the training error of the committee of the rounds so far."""
        return min(1.0, float(np.exp(np.minimum(self._log_bounds, 1.0)).sum()))


class CommitteeError:
    """The error of the committee of the rounds so far on some rows."""

    def __init__(
        self,
        classes: NDArray[np.int32],
        counts: NDArray[np.float64],
        priority: NDArray[np.uint32],
    ) -> None:
        self._rows = np.flatnonzero(counts)
        self._classes = classes[self._rows]
        self._shares = counts[self._rows] / counts.sum()
        self._priority = priority
        self._scores = np.zeros((len(self._rows), len(priority)))

    def add(self, learned: LearnedMember[Any], vote: float) -> float:
        """Add a member's votes and return the error of the committee."""
        confidences = learned.confidences
        if learned.shares is not None:
            self._scores += vote * learned.shares[self._rows]
        else:
            votes = vote if confidences is None else vote * confidences[self._rows]
            add_votes(self._scores, learned.predictions[self._rows], votes)
        wrong = winners(self._scores, self._priority) != self._classes
        return float(self._shares[wrong].sum())


def boost(
    learn: Learn[Member],
    classes: NDArray[np.int32],
    counts: NDArray[np.float64],
    priority: NDArray[np.uint32],
    seed: int,
    *,
    n_rounds: int,
    step: float = 1.0,
    confident: bool = False,
    resample: bool = False,
    restart: bool = False,
    earlier_starts: Sequence[int] = (),
    stop_at_zero_error: bool = False,
    keep_class_weights: bool = False,
    choice: RoundChoice | None = None,
    callback: Callback | None = None,
) -> BoostedMembers[Member]:
    """Run AdaBoost.M1.

    Parameters
    ----------
    learn : callable
        Takes weights that count rows, and the index of the round.
    classes : array of int32
        The class index of each row.
    counts : array of float64
        The weight of each row; rows of weight 0 are absent.
    priority : array of uint32
        All class indices in the order in which they win ties.
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
    stop_at_zero_error : bool
        Whether to stop when the committee makes no training error.
    keep_class_weights : bool
        Whether each class keeps its total weight in every round.
    choice : RoundChoice, optional
        Chooses how many rounds are kept.
    callback : callable, optional
        Called after each round.

    Returns
    -------
    BoostedMembers
        Members, votes, errors.
    """
    distribution = Distribution(counts, classes, keep_class_weights)
    training = CommitteeError(classes, counts, priority) if stop_at_zero_error else None
    rounds: list[_Round[Member]] = []
    bad: list[_Round[Member]] = []  # the members that were dropped since the last round
    stopped: StopReason = "rounds"
    start_time = time.perf_counter()
    try:
        while len(rounds) < n_rounds:
            for start in earlier_starts[len(rounds) : len(rounds) + 1]:
                if start != distribution.start:
                    distribution.restart(seed, start)
            weights = distribution.weights * distribution.total
            if resample:
                weights = draw_counts(weights, sample_size(counts), seed, len(rounds))
            learned = learn(weights, len(rounds))
            wrong = learned.predictions != classes
            error, start = distribution.error(wrong), distribution.start
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
                vote = distribution.update(wrong, error, step)
            else:
                least = 1.0 / (distribution.total + 3.0) if confident else 1.0
                vote = _decisive_vote([r.vote for r in rounds], least)
            is_last = error == 0.0 and not restart
            if confident and not is_last:
                vote = 1.0
            bound = 0.0 if is_last else distribution.bound
            with interrupt_waits():
                rounds.append(_Round(learned.member, error, vote, bound, start))
                training_error = 1.0 if training is None else training.add(learned, vote)
                if choice is not None:
                    choice.add(learned, vote)
            callback_stops = callback is not None and callback(
                Progress(len(rounds), n_rounds, error, time.perf_counter() - start_time)
            )
            if is_last:
                stopped = "perfect"
            elif training_error == 0.0:
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
