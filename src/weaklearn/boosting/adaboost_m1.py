"""AdaBoost.M1: one loop, whatever the learner; weights, samples and votes are parts of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.progress import Callback, Progress
from weaklearn.boosting.sampling import draw_counts, n_draws_of
from weaklearn.learners.parameters import Choice, Flag, Number, Parameter
from weaklearn.models.count_votes import SLACK, add_votes, winners

#: With n_rounds="auto": the most rounds, and how many may pass without a better one.
MOST_ROUNDS = 1000
PATIENCE = 20

PARAMETERS: Mapping[str, Parameter] = {
    "n_rounds": Parameter(
        10, Number(low=1, whole=True, words=("auto",)), "rounds, or auto to stop by held-back rows"
    ),
    "vote": Parameter(
        "error",
        Choice(("error", "confidence")),
        "what a member's vote counts: its error, or its confidence in the row at hand",
    ),
    "method": Parameter(
        "reweight",
        Choice(("reweight", "resample")),
        "whether a round learns from weighted rows or from a sample of them",
    ),
    "stop_at_zero_error": Parameter(
        False, Flag(), "whether to stop when the committee makes no training error"
    ),
    "keep_class_weights": Parameter(
        False, Flag(), "whether each class keeps its total weight in every round"
    ),
    "validation_share": Parameter(
        0.2,
        Number(low=0, above_low=True, high=0.9),
        "share of the rows held back where the rounds are auto",
    ),
}

Member = TypeVar("Member")
Stop = Literal["rounds", "perfect", "error", "zero_error", "validation", "callback", "interrupted"]


@dataclass(frozen=True, slots=True, eq=False)
class Learned(Generic[Member]):
    """What a round's learner gives.

    Parameters
    ----------
    member : object
        The model.
    answers : array of int32
        The class that it answers for each row.
    confidences : array of float64 or None
        Its confidence in each answer, where votes need it.
    """

    member: Member
    answers: NDArray[np.int32]
    confidences: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Boosted(Generic[Member]):
    """What AdaBoost.M1 gives.

    Parameters
    ----------
    members : list
        The models, round by round.
    votes : array of float64
        What each one's vote counts. A member without error decides alone: its vote is larger than
        all others together can be.
    errors : array of float64
        The weight of each one's errors in its round.
    bounds : array of float64
        After each round, what the committee's training error is at most if votes are by error:
        Freund and Schapire's product, or 1 where the only member's error is no less than a half.
    stopped : str
        Why there are no more rounds.
    validation_errors : array of float64
        The error on the rows held back after each round, if there are any.
    """

    members: list[Member]
    votes: NDArray[np.float64]
    errors: NDArray[np.float64]
    bounds: NDArray[np.float64]
    stopped: Stop
    validation_errors: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Round(Generic[Member]):
    member: Member
    error: float
    vote: float
    bound: float


class Distribution:
    """The weights of the rows, which sum to one, and what is proven of the training error.

    With classes kept, each class is renormalised by itself; the bound is then a sum over classes.
    """

    def __init__(
        self, counts: NDArray[np.float64], classes: NDArray[np.int32], keep_class_weights: bool
    ) -> None:
        self.total = float(counts.sum())
        self.weights = counts / self.total
        self._group_of = classes if keep_class_weights else np.zeros(len(classes), dtype=np.int32)
        self._group_weight = np.bincount(self._group_of, self.weights)
        # Of the bound, each group's part; as logarithms, which no tiny weight takes out of range.
        self._log_parts = np.full(len(self._group_weight), -math.inf)
        np.log(self._group_weight, out=self._log_parts, where=self._group_weight > 0)

    def error(self, wrong: NDArray[np.bool_]) -> float:
        """Give the weight of these rows."""
        return float(self.weights[wrong].sum())

    def update(self, wrong: NDArray[np.bool_], error: float) -> None:
        """Take weight from the rows that are right."""
        # Times beta for those that are right, then all divided by the error: no weight gets lost,
        # however small the error is.
        changed = self.weights / np.where(wrong, error, 1.0 - error)
        sums = np.bincount(self._group_of, changed, len(self._group_weight))
        back = np.divide(self._group_weight, sums, out=np.ones_like(sums), where=sums > 0)
        self.weights = changed * back[self._group_of]
        growth = np.zeros_like(sums)
        np.log(sums, out=growth, where=sums > 0)
        growth -= np.log(self._group_weight, out=np.zeros_like(sums), where=sums > 0)
        self._log_parts += growth + 0.5 * (math.log(error) + math.log1p(-error))

    @property
    def bound(self) -> float:
        """The largest training error that a committee of the rounds so far can have."""
        return min(1.0, float(np.exp(np.minimum(self._log_parts, 1.0)).sum()))


class Tally:
    """The votes of the rounds so far for some rows."""

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

    def add(self, learned: Learned[Any], vote: float) -> float:
        """Count a member's votes and give the error of the committee."""
        confidences = learned.confidences
        votes = vote if confidences is None else vote * confidences[self._rows]
        add_votes(self._scores, learned.answers[self._rows], votes)
        wrong = winners(self._scores, self._priority) != self._classes
        return float(self._shares[wrong].sum())


def planned_rounds(n_rounds: int | str) -> int:
    """Give the most rounds that there will be."""
    return MOST_ROUNDS if n_rounds == "auto" else int(n_rounds)


def boost(
    learn: Callable[[NDArray[np.float64], int], Learned[Member]],
    classes: NDArray[np.int32],
    counts: NDArray[np.float64],
    priority: NDArray[np.uint32],
    parameters: Mapping[str, Any],
    seed: int,
    held_back: NDArray[np.float64] | None = None,
    callback: Callback | None = None,
) -> Boosted[Member]:
    """Run AdaBoost.M1.

    Parameters
    ----------
    learn : callable
        Takes weights that count rows, and the number of the round.
    classes : array of int32
        The class of each row.
    counts : array of float64
        The weight of each row; rows of weight 0 are absent.
    priority : array of uint32
        All classes in the order in which they win ties.
    parameters : mapping
        A value for each of `PARAMETERS`.
    seed : int
        What samples are drawn with.
    held_back : array of float64, optional
        Weights of rows to judge the number of rounds by, if that is "auto".
    callback : callable, optional
        Called after each round.

    Returns
    -------
    Boosted
        Members, votes, errors.
    """
    planned = planned_rounds(parameters["n_rounds"])
    confident = parameters["vote"] == "confidence"
    distribution = Distribution(counts, classes, parameters["keep_class_weights"])
    training = Tally(classes, counts, priority) if parameters["stop_at_zero_error"] else None
    validation = None if held_back is None else Tally(classes, held_back, priority)
    rounds: list[_Round[Member]] = []
    validation_errors: list[float] = []
    stopped: Stop = "rounds"
    start = time.perf_counter()
    try:
        while len(rounds) < planned:
            weights = distribution.weights * distribution.total
            if parameters["method"] == "resample":
                weights = draw_counts(weights, n_draws_of(counts), seed, len(rounds))
            learned = learn(weights, len(rounds))
            wrong = learned.answers != classes
            error = distribution.error(wrong)
            if error >= 0.5 - SLACK:
                stopped = "error"
                if not rounds:  # a classifier must come out
                    rounds.append(_Round(learned.member, error, 1.0, 1.0))
                break
            if error == 0.0:
                least = 1.0 / (distribution.total + 3.0) if confident else 1.0
                vote = _decisive_vote([r.vote for r in rounds], least)
                bound = 0.0
            else:
                vote = 1.0 if confident else math.log1p(-error) - math.log(error)
                distribution.update(wrong, error)
                bound = distribution.bound
            rounds.append(_Round(learned.member, error, vote, bound))
            training_error = 1.0 if training is None else training.add(learned, vote)
            if validation is not None:
                validation_errors.append(validation.add(learned, vote))
            told_to_stop = callback is not None and callback(
                Progress(len(rounds), planned, error, time.perf_counter() - start)
            )
            if error == 0.0:
                stopped = "perfect"
            elif training_error == 0.0:
                stopped = "zero_error"
            elif _has_settled(validation_errors):
                stopped = "validation"
            elif told_to_stop:
                stopped = "callback"
            else:
                continue
            break
    except KeyboardInterrupt:
        if not rounds:
            raise
        stopped = "interrupted"
    if validation_errors:
        best = int(np.argmin(validation_errors)) + 1
        if best < len(rounds) and stopped != "interrupted":
            stopped = "validation"
        rounds = rounds[:best]
    return Boosted(
        [r.member for r in rounds],
        np.array([r.vote for r in rounds]),
        np.array([r.error for r in rounds]),
        np.array([r.bound for r in rounds]),
        stopped,
        np.array(validation_errors),
    )


def _decisive_vote(others: list[float], least: float) -> float:
    """Give a vote that outweighs the others together: log(1/beta) would be infinite.

    The others' confidences are at most one. Its own is (w + 1) / (W + 2) of a leaf's weight W, at
    most that of all rows (rounded, where they are drawn), so that it is at least `least`.
    """
    return 2.0 * sum(others) / least + 1.0


def _has_settled(validation_errors: list[float]) -> bool:
    if not validation_errors:
        return False
    return len(validation_errors) - 1 - int(np.argmin(validation_errors)) >= PATIENCE
